"""The command lines. Each command is a module of its own, imported only when it is called."""
