"""The last and longest part of the model, in a form that can be decoded stretch by stretch.

`layout` names its norms; `weights` reads an export, `graph` and `parts` build our own graphs of it; `features` and
`predictor` foretell the norms' statistics of a whole utterance; `windows` cuts an utterance into stretches.
"""
