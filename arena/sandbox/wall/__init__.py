"""The inner wall: what the launcher closes in the bot's own process before a line of it runs."""
