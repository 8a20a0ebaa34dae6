"""The commands of `santase`, a module each; `arena.cli` wires them up and imports them lazily."""
