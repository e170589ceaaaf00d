"""How the predictor is made and judged: `python -m firstword.kokoro.generator.fit` (scripts/fit-predictor).

`collect` decodes sentences and keeps their pooled inputs and true statistics; `solve` fits; `judge` compares windowed
with whole decoding on sentences that were not fitted on; `body` tries the body in windows. Not
imported by anything that speaks.
"""
