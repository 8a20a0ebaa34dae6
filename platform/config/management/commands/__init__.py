"""The commands of the configuration."""
