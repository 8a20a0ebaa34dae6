"""Code that runs inside a box, before the bot: standard library only, sent through its stdin."""
