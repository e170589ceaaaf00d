"""A language model that says what a script says, at the script's pace: for tests, and benches whose runs compare."""
