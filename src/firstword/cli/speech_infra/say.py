"""`speech-infra say`."""
