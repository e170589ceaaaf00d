"""The one launcher: speech server, language model, emulators, agent as processes on free ports, all up or all down."""
