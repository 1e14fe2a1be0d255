"""Runs models/image.onnx with the provider, by ONNX Runtime's Python package (1.23 or newer):

  python image.py [LIBRESIDUE_ONNXRUNTIME] [MODEL]
"""
import pathlib
import sys

import numpy as np
import onnxruntime
import residue

library = sys.argv[1] if len(sys.argv) > 1 else residue.onnxruntime_library()
model = sys.argv[2] if len(sys.argv) > 2 else str(pathlib.Path(__file__).parent / "models" / "image.onnx")

onnxruntime.register_execution_provider_library("residue", library)
devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == "ResidueExecutionProvider"]
options = onnxruntime.SessionOptions()
options.add_provider_for_devices(devices, {"claim": "all"})
session = onnxruntime.InferenceSession(model, sess_options=options)

image = np.array([[[0, 128, 255], [90, 60, 30]]], np.uint8)
angle = np.array([[-30, 725.5]], np.float32)
for output, values in zip(session.get_outputs(), session.run(None, {"image": image, "angle": angle})):
    print(f"{output.name:7}", *(f"{value:.9g}" for value in values.ravel()))
