"""The embedded stack: broker, web, workers and beat of one machine, started in order."""
