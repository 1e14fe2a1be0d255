"""ONNX Runtime: where the library for it is, and the execution provider in a session's options."""
from __future__ import annotations

import pathlib
import sysconfig
from typing import Any

_NAME = "libresidue_onnxruntime.so"
_PROVIDER = "ResidueExecutionProvider"


def onnxruntime_library() -> str:
    """The path of the library that ONNX Runtime loads, as ``register_execution_provider_library`` of the package
    onnxruntime and ``SessionOptions.register_custom_ops_library`` want it.

    It lies in this package, or, if that is a distribution's, where the distribution keeps it.

    >>> import residue
    >>> residue.onnxruntime_library().endswith("libresidue_onnxruntime.so")
    True
    """
    system = pathlib.Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib")
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    folders = [pathlib.Path(__file__).parent, system / multiarch / "residue", system / "residue"]
    for folder in folders:
        if (folder / _NAME).exists():
            return str(folder / _NAME)
    raise FileNotFoundError(f"{_NAME} is in none of {', '.join(map(str, folders))}; install residue-onnxruntime, or a wheel")


def add_onnxruntime_provider(options: Any, **settings: Any) -> Any:
    """Adds the execution provider to an ``onnxruntime.SessionOptions``, and returns the options.

    Settings are the provider's options: ``claim``, ``threads`` and ``trace``. It needs ONNX Runtime 1.23 or newer, and
    registers the library with it unless it is registered.

    >>> import onnxruntime                                                              # doctest: +SKIP
    >>> options = residue.add_onnxruntime_provider(onnxruntime.SessionOptions(), trace=1)  # doctest: +SKIP
    >>> session = onnxruntime.InferenceSession("model.onnx", sess_options=options)      # doctest: +SKIP
    """
    import onnxruntime  # type: ignore
    if not hasattr(onnxruntime, "register_execution_provider_library"):
        raise RuntimeError(f"onnxruntime {onnxruntime.__version__} has no providers of others; 1.23 and newer have")
    if not _devices(onnxruntime):
        onnxruntime.register_execution_provider_library("residue", onnxruntime_library())
    options.add_provider_for_devices(_devices(onnxruntime), {key: str(value) for key, value in settings.items()})
    return options


def _devices(onnxruntime: Any) -> list[Any]:
    return [device for device in onnxruntime.get_ep_devices() if device.ep_name == _PROVIDER]
