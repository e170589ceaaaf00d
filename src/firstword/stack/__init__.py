"""The one launcher: speech server, language model, emulators and agent as processes on free ports, up and down together."""
