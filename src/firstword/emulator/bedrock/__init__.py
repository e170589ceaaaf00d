"""Bedrock Runtime's Converse and ConverseStream in front of any OpenAI-compatible server."""
