"""`python -m arena` is the `santase` command."""

from arena.cli import main

main()
