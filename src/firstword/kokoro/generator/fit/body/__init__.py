"""The body in windows, tried and not taken: docs/decisions/0037-the-body-in-windows.md."""
