"""The referee side of Santase Arena: rules, protocol, sandbox, referee, pairing, rating, kit."""

__version__ = "0.1.0"
