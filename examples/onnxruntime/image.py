"""Runs models/image.onnx with the provider, by ONNX Runtime's Python package (1.23 or newer):

  python image.py [MODEL]
"""
import pathlib
import sys

import numpy as np
import onnxruntime
import residue

model = sys.argv[1] if len(sys.argv) > 1 else str(pathlib.Path(__file__).parent / "models" / "image.onnx")

options = residue.add_onnxruntime_provider(onnxruntime.SessionOptions(), claim="all")
session = onnxruntime.InferenceSession(model, sess_options=options)

image = np.array([[[0, 128, 255], [90, 60, 30]]], np.uint8)
angle = np.array([[-30, 725.5]], np.float32)
for output, values in zip(session.get_outputs(), session.run(None, {"image": image, "angle": angle})):
    print(f"{output.name:7}", *(f"{value:.9g}" for value in values.ravel()))
