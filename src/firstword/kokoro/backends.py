"""Which library runs which part of the model, by the setting `backend`.

onnxruntime runs everything, on the CPU or by its CUDA provider. OpenVINO (an extra) runs our generator graphs, in
bfloat16 where the processor has it; the model's own int8 parts stay with onnxruntime, which is faster on them.
"""

from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from firstword.errors import ConfigError
from firstword.kokoro.inference import Inference, Load, providers

__all__ = ["Backend", "auto_backend", "best_backend", "has_bfloat16", "has_vnni", "open_backend"]

_CUDA = "CUDAExecutionProvider"
_CPU = "CPUExecutionProvider"
_PROCESSOR = Path("/proc/cpuinfo")


@dataclass(frozen=True, kw_only=True)
class Backend:
    """`parts` opens the model's own graphs, `generator` ours; `lane` opens one that is run beside another, by half the
    threads, where that is how windows are decoded soonest. `products`: the int8 convolutions of the model's own
    graphs are soonest, and exactly, done as products."""

    name: str
    parts: Load
    generator: Load
    lane: Load | None = None
    products: bool = False


def auto_backend(precision: str) -> str:
    """What auto means for weights of this precision, before anything was measured here."""
    return best_backend(
        precision, cuda=_CUDA in providers(), openvino=find_spec("openvino") is not None, bfloat16=has_bfloat16()
    )


def best_backend(precision: str, *, cuda: bool, openvino: bool, bfloat16: bool) -> str:
    """The one to take of those that are there. OpenVINO gains by bfloat16: without it onnxruntime is as fast."""
    if cuda and precision != "int8":
        return "cuda"
    return "openvino" if openvino and bfloat16 else "onnxruntime"


def has_bfloat16(processor: Path = _PROCESSOR) -> bool:
    """Whether the processor multiplies in bfloat16; False where Linux does not tell."""
    return not {"avx512_bf16", "amx_bf16"}.isdisjoint(_flags(processor))


def has_vnni(processor: Path = _PROCESSOR) -> bool:
    """Whether it adds up products of bytes without saturation; False where Linux does not tell."""
    return not {"avx512_vnni", "avx_vnni"}.isdisjoint(_flags(processor))


def _flags(processor: Path) -> list[str]:
    try:
        return processor.read_text().split("\n\n", 1)[0].split()
    except OSError:
        return []


def open_backend(name: str, threads: int, *, spinning: bool = False, precision: str = "fp32") -> Backend:
    """The backend a setting names; auto is what `auto_backend` says. Raises ConfigError, also
    for int8 weights on CUDA: onnxruntime has no kernel for them there and would run them on the CPU, unseen."""
    if name == "auto":
        name = auto_backend(precision)
    if name == "cuda" and precision == "int8":
        raise ConfigError("CUDA cannot run int8 weights.", hint="Use fp32 weights: FIRSTWORD_ASSETS_SOURCE=hub.")
    products = precision == "int8" and has_vnni()
    match name:
        case "onnxruntime" | "cuda":
            wanted = _CUDA if name == "cuda" else _CPU
            if wanted not in providers():
                raise ConfigError("This onnxruntime knows no CUDA.", hint="Install firstword[gpu] in place of [cpu].")
            load = partial(Inference, provider=wanted, spinning=spinning)
            every, window = partial(load, threads=threads), partial(load, few_shapes=True)
            return Backend(
                name=name,
                parts=every,
                generator=partial(window, threads=threads),
                lane=partial(window, threads=-(-threads // 2)) if threads > 1 and wanted == _CPU else None,
                products=products,
            )
        case "openvino":
            if find_spec("openvino") is None:
                raise ConfigError("OpenVINO is not installed.", hint="Install firstword[openvino].")
            from firstword.kokoro.openvino_inference import OpenVinoInference

            return Backend(
                name=name,
                parts=partial(Inference, threads=threads, provider=_CPU),
                generator=partial(OpenVinoInference, threads=threads),
                products=products,
            )
        case _:
            raise ConfigError(
                f"There is no backend {name!r}.",
                hint="Set FIRSTWORD_VOICE_BACKEND to auto, onnxruntime, cuda or openvino.",
            )
