"""The instance types the voice is offered on: what each one has, and what follows for an endpoint configuration."""

from dataclasses import dataclass

from firstword.errors import UsageError

__all__ = ["INFERENCE_AMI_GPU", "INSTANCES", "Instance", "instance"]

# CUDA 13 wheels (onnxruntime-gpu) need NVIDIA driver 580 or newer; SageMaker's defaults are older (470 to 550).
INFERENCE_AMI_GPU = "al2023-ami-sagemaker-inference-gpu-4-1"


@dataclass(frozen=True, kw_only=True)
class Instance:
    """`local_storage`: the volume is NVMe of the instance, encrypted by the hardware, and takes neither size nor key.

    `usd_per_hour` is the us-east-1 price as last known, `from_ec2` if only EC2's was found, and a fifth added as
    SageMaker does for these families; `estimate` asks for today's.
    """

    name: str
    vcpus: int
    gpu: str | None = None
    local_storage: bool = False
    usd_per_hour: float
    from_ec2: bool = False


INSTANCES = {
    item.name: item
    for item in (
        Instance(name="ml.g6.xlarge", vcpus=4, gpu="L4", local_storage=True, usd_per_hour=1.127),
        Instance(name="ml.g6.2xlarge", vcpus=8, gpu="L4", local_storage=True, usd_per_hour=1.222),
        Instance(name="ml.g5.xlarge", vcpus=4, gpu="A10G", local_storage=True, usd_per_hour=1.408),
        Instance(name="ml.g5.2xlarge", vcpus=8, gpu="A10G", local_storage=True, usd_per_hour=1.515),
        Instance(name="ml.g4dn.xlarge", vcpus=4, gpu="T4", local_storage=True, usd_per_hour=0.736),
        Instance(name="ml.c7i.xlarge", vcpus=4, usd_per_hour=0.214, from_ec2=True),
        Instance(name="ml.c7i.2xlarge", vcpus=8, usd_per_hour=0.428, from_ec2=True),
        Instance(name="ml.c7i.4xlarge", vcpus=16, usd_per_hour=0.857, from_ec2=True),
        Instance(name="ml.m7i.2xlarge", vcpus=8, usd_per_hour=0.484, from_ec2=True),
        Instance(name="ml.c6i.2xlarge", vcpus=8, usd_per_hour=0.408, from_ec2=True),
        Instance(name="ml.c5.2xlarge", vcpus=8, usd_per_hour=0.476),
    )
}


def instance(name: str) -> Instance:
    """The type called `name`. Raises UsageError for one the voice was never meant for."""
    if name not in INSTANCES:
        hint = f"One of: {', '.join(INSTANCES)}."
        if f"ml.{name}" in INSTANCES:
            hint = f"SageMaker calls it ml.{name}."
        raise UsageError(f"Unknown instance type {name!r}.", code="unknown_instance_type", hint=hint)
    return INSTANCES[name]
