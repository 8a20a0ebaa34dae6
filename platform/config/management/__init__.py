"""Django's room for commands."""
