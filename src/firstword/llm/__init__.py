"""The packaged language model, and a scripted one, each behind an OpenAI-compatible HTTP server of its own process."""
