"""The rules of sentence ends.

Characters (`marks`) and words (`lexicon`, one module a language or family, put together in `languages`) are data.
`reading` is the text with its guarded look-ahead. On these stand, from below: `tokens`, `quoting`, `items`, `endings`,
`closing`, `stops`, `lines`, `clauses`, `pauses`, `length`. Only `text.chunker` stands above.
"""
