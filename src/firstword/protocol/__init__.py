"""The speech protocol and the agent's events: types, encoding and states, with no clock and no I/O."""
