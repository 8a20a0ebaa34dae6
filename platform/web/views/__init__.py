"""The views, a file a subject."""
