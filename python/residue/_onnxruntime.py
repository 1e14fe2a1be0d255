"""Where the library for ONNX Runtime is."""
from __future__ import annotations

import pathlib
import sysconfig

_NAME = "libresidue_onnxruntime.so"


def onnxruntime_library() -> str:
    """The path of the library that ONNX Runtime loads, as ``SessionOptions.register_custom_ops_library`` wants it.

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
