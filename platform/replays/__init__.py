"""The store of replay files, and what reads them."""
