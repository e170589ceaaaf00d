"""A SageMaker endpoint as a speech server: the bidirectional stream, the one-shot calls, credentials, errors."""
