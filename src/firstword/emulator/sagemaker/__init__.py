"""SageMaker Runtime: the three ways to invoke an endpoint, relayed to the container that stands for it."""
