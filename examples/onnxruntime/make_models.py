#!/usr/bin/env python3
"""usage: make_models.py [--check]

Makes the models in models/, of the standard operators: image.onnx for the programs beside this one, and those that
onnxruntime_provider_table measures; and numbers.f32, the numbers that it gives them again and again. --check says
whether the files are what it would make. Needs the package onnx (python3-onnx in Debian)."""
import array
import math
import pathlib
import random
import sys

import onnx
from onnx import TensorProto, helper

FOLDER = pathlib.Path(__file__).parent / "models"
OPSET = 17
FLOAT = TensorProto.FLOAT


def constant(name, values, shape=()):
    return helper.make_tensor(name, FLOAT, shape, values)


def model(nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "graph", inputs, outputs, constants)
    made = helper.make_model(graph, producer_name="residue", opset_imports=[helper.make_opsetid("", OPSET)])
    made.ir_version = 8
    onnx.checker.check_model(made)
    return made


def image():
    """Before and after a network: an image is normalised, what scores low is cut off, angles in degrees are wrapped to
    0 up to 360, and give a sine and a weight."""
    nodes = [
        helper.make_node("Cast", ["image"], ["number"], to=FLOAT),
        helper.make_node("Div", ["number", "largest"], ["share"]),
        helper.make_node("Sub", ["share", "mean"], ["centred"]),
        helper.make_node("Div", ["centred", "deviation"], ["normal"]),
        helper.make_node("Sigmoid", ["normal"], ["score"]),
        helper.make_node("Greater", ["score", "threshold"], ["is_kept"]),
        helper.make_node("Where", ["is_kept", "normal", "zero"], ["kept"]),
        helper.make_node("Mod", ["angle", "circle"], ["remainder"], fmod=1),
        helper.make_node("Less", ["remainder", "zero"], ["is_negative"]),
        helper.make_node("Add", ["remainder", "circle"], ["positive"]),
        helper.make_node("Where", ["is_negative", "positive", "remainder"], ["wrapped"]),
        helper.make_node("Mul", ["wrapped", "degree"], ["radians"]),
        helper.make_node("Sin", ["radians"], ["sine"]),
        helper.make_node("Neg", ["radians"], ["distance"]),
        helper.make_node("Exp", ["distance"], ["weight"]),
    ]
    constants = [
        constant("largest", [255]),
        constant("mean", [0.485, 0.456, 0.406], [3]),
        constant("deviation", [0.229, 0.224, 0.225], [3]),
        constant("threshold", [0.5]),
        constant("zero", [0]),
        constant("circle", [360]),
        constant("degree", [math.pi / 180]),
    ]
    inputs = [
        helper.make_tensor_value_info("image", TensorProto.UINT8, ["height", "width", 3]),
        helper.make_tensor_value_info("angle", FLOAT, ["height", "width"]),
    ]
    outputs = [
        helper.make_tensor_value_info("kept", FLOAT, ["height", "width", 3]),
        helper.make_tensor_value_info("score", FLOAT, ["height", "width", 3]),
        helper.make_tensor_value_info("wrapped", FLOAT, ["height", "width"]),
        helper.make_tensor_value_info("sine", FLOAT, ["height", "width"]),
        helper.make_tensor_value_info("weight", FLOAT, ["height", "width"]),
    ]
    return model(nodes, inputs, outputs, constants)


def of_vectors(nodes, inputs, constants=()):
    info = [helper.make_tensor_value_info(name, FLOAT, ["n"]) for name in (*inputs, "y")]
    return model(nodes, info[:-1], info[-1:], constants)


def chain(length):
    """Sums, products, maxima and differences of what came before and the second input, by turns."""
    names = ["a", *(f"t{i}" for i in range(1, length)), "y"]
    operators = ["Add", "Mul", "Max", "Sub"]
    nodes = [helper.make_node(operators[i % 4], [names[i], "b"], [names[i + 1]]) for i in range(length)]
    return of_vectors(nodes, ["a", "b"])


def gelu_by_erf():
    nodes = [
        helper.make_node("Div", ["a", "root"], ["t1"]),
        helper.make_node("Erf", ["t1"], ["t2"]),
        helper.make_node("Add", ["t2", "one"], ["t3"]),
        helper.make_node("Mul", ["a", "t3"], ["t4"]),
        helper.make_node("Mul", ["t4", "half"], ["y"]),
    ]
    return of_vectors(nodes, ["a"], [constant("root", [2**0.5]), constant("one", [1]), constant("half", [0.5])])


def x_times_sigmoid():
    nodes = [helper.make_node("Sigmoid", ["a"], ["s"]), helper.make_node("Mul", ["a", "s"], ["y"])]
    return of_vectors(nodes, ["a"])


def function(name):
    return of_vectors([helper.make_node(name, ["a"], ["y"])], ["a"])


MODELS = {
    "image": image(),
    "chain_2": chain(2),
    "chain_3": chain(3),
    "chain_5": chain(5),
    "chain_10": chain(10),
    "gelu_by_erf": gelu_by_erf(),
    "x_times_sigmoid": x_times_sigmoid(),
    "softplus": function("Softplus"),
    "exp": function("Exp"),
    "tanh": function("Tanh"),
}


def numbers():
    """4,096 from 0.5 to 1.5."""
    source = random.Random(1)
    return array.array("f", [source.uniform(0.5, 1.5) for _ in range(4096)]).tobytes()


def main():
    different = 0
    files = {f"{name}.onnx": made.SerializeToString() for name, made in MODELS.items()}
    files["numbers.f32"] = numbers()
    for name, data in files.items():
        path = FOLDER / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_bytes() != data:
                print(f"{path} is not what {pathlib.Path(__file__).name} makes")
                different += 1
        else:
            path.write_bytes(data)
    if "--check" in sys.argv[1:] and different == 0:
        print(f"{len(files)} files are what {pathlib.Path(__file__).name} makes")
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
