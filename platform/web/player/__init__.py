"""The replay player: what a position looks like, in words and cards, for pages and for scripts."""
