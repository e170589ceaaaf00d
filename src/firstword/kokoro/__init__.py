"""The voice: weights, voices, phonemes, inference. The only home of the model; above it stands `firstword.speech`."""
