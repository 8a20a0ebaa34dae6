"""Who uses the platform: users, the house account, the demo login."""
