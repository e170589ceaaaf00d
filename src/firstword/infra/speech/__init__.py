"""The stacks behind `speech-infra`: foundation, model cache, and one endpoint per voice."""
