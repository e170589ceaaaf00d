"""Measurement: scenarios, what is computed from them, and how it is shown.

`recording` is what a listener received and when; `playback` is what they heard of it; `trial` the figures of one
answer; `statistics`, `report` and `plots` turn many into something to read. A scenario is a module with `run`.
"""
