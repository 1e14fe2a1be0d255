#!/usr/bin/env python3
"""Fused functions against numexpr, NumPy and PyTorch's eager mode, in one process and by turns.

usage: fused.py [--rounds N] [--sizes 1,16,256] [--into FILE.md] [--svg FILE.svg]

Prints a Markdown table of nanoseconds for each element and of how many times longer the others take, on one and two
threads (NumPy has one), or puts it into FILE.md between the lines <!-- fused --> and <!-- end of fused -->; and draws the
largest size. Sizes are MiB of each array. A figure is the median of all rounds, in which all take turns. Results are
compared first: numexpr's and PyTorch's within 1e-5, because their functions are not correctly rounded.
"""
import argparse
import pathlib
import statistics
import sys
import time

import numpy as np

import residue
from page import put_table

try:
    import numexpr
except ImportError:
    sys.exit("numexpr is not installed: scripts/install_dependencies.sh bench")
try:
    import torch
except ImportError:
    torch = None


def wrap_and_activate(lib, x, y):
    """Wrap angles, normalise, clip, activate: what a real pipeline does before a network. `lib` has the functions."""
    wrapped = lib.mod(x, 360.0)
    scaled = (wrapped - 180.0) * 0.00555555555
    return lib.gelu(lib.clip(scaled * 2.0 + y, -3.0, 3.0))


class OfNumpy:
    mod, clip = staticmethod(np.remainder), staticmethod(np.clip)

    @staticmethod
    def gelu(x):
        # NumPy has no erf: the usual approximation by tanh.
        return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


class OfTorch:
    @staticmethod
    def mod(x, y):
        return torch.remainder(x, y)

    @staticmethod
    def clip(x, low, high):
        return torch.clamp(x, low, high)

    @staticmethod
    def gelu(x):
        return torch.nn.functional.gelu(x)


class OfResidue:
    mod, clip, gelu = residue.mod_floor, residue.clip, residue.gelu


# Name: operations, type, the expression for us and numexpr, the same for NumPy and PyTorch (np or torch is `m`).
CASES = {
    "2 a + 3 b": (3, "f8", "2*a + 3*b", lambda m, a, b: 2 * a + 3 * b),
    "polynomial": (8, "f8", "0.25*a**3 + 0.75*a**2 - 1.5*a - 2",
                   # NumPy's a ** 3 takes ten times as long as products.
                   lambda m, a, b: 0.25 * a * a * a + 0.75 * a * a - 1.5 * a - 2),
    "comparison": (5, "f8", "a * b - 4.1*a > 2.5*b", lambda m, a, b: a * b - 4.1 * a > 2.5 * b),
    "where": (6, "f8", "where(a < b, a*2 - b, b*3 + a)", lambda m, a, b: m.where(a < b, a * 2 - b, b * 3 + a)),
    "sin² + cos²": (5, "f4", "sin(a)**2 + cos(b)**2", lambda m, a, b: m.sin(a) ** 2 + m.cos(b) ** 2),
    "sin + arcsinh": (4, "f4", "sin(a) + arcsinh(a/b)", lambda m, a, b: m.sin(a) + m.arcsinh(a / b)),
}
REAL = "wrap, normalise, clip, gelu"


def numexpr_real(x, y):
    scaled = numexpr.evaluate("(((x - 360*floor(x/360)) - 180)*0.00555555555)*2 + y", casting="same_kind")
    clipped = numexpr.evaluate("where(scaled < -3, -3, where(scaled > 3, 3, scaled))", casting="same_kind")
    return numexpr.evaluate("0.5*clipped*(1 + tanh(0.7978845608*(clipped + 0.044715*clipped*clipped*clipped)))")


def calls_of(name, count):
    """{who: call} of one case, and our result for comparison."""
    random = np.random.default_rng(1)
    dtype = "f4" if name == REAL else CASES[name][1]
    low, high = (-3, 3) if name != REAL else (-2000, 2000)
    a = random.uniform(low, high, count).astype(dtype)
    b = random.uniform(1, 3, count).astype(dtype)
    ta, tb = (torch.from_numpy(x) for x in (a, b)) if torch else (None, None)
    if name == REAL:
        fused = residue.fuse(lambda x, y: wrap_and_activate(OfResidue, x, y))
        out = np.empty_like(a)
        calls = {"residue": lambda: fused(a, b, out=out), "numexpr": lambda: numexpr_real(a, b),
                 "NumPy": lambda: wrap_and_activate(OfNumpy, a, b)}
        if torch:
            calls["PyTorch"] = lambda: wrap_and_activate(OfTorch, ta, tb)
        return calls
    _, _, text, function = CASES[name]
    expression = residue.compile_expression(text)
    values = {"a": a, "b": b}
    arguments = [values[key] for key in expression.names]
    ours = expression(*arguments)
    theirs = np.empty_like(ours)
    calls = {"residue": lambda: expression(*arguments, out=ours),
             "numexpr": lambda: numexpr.evaluate(text, values, out=theirs, casting="same_kind"),
             "NumPy": lambda: function(np, a, b)}
    if torch:
        calls["PyTorch"] = lambda: function(torch, ta, tb)
    return calls


def check(name, calls):
    """Everybody computes the same, as far as their functions do; gelu by tanh is another function."""
    results = {who: np.asarray(call()) for who, call in calls.items()}
    tolerance = 1e-3 if name == REAL else 1e-5
    for who, result in results.items():
        if not np.allclose(result.astype("f8"), results["residue"].astype("f8"), rtol=tolerance, atol=tolerance):
            sys.exit(f"{name}: {who} computes something else")


def set_threads(count):
    residue.set_num_threads(count)
    numexpr.set_num_threads(count)
    if torch:
        torch.set_num_threads(count)


def medians(calls, rounds):
    times = {who: [] for who in calls}
    for _ in range(rounds):
        for who, call in calls.items():
            begin = time.perf_counter()
            call()
            times[who].append(time.perf_counter() - begin)
    return {who: statistics.median(values) for who, values in times.items()}


def draw(path, rows):
    """How many times longer the others take, from zero."""
    colours = {"numexpr": "#4c78a8", "NumPy": "#54a24b", "PyTorch": "#f58518"}
    width, left, top, bar = 760, 200, 70, 11
    step = bar * len(colours) + 10
    most = max(ratio for _, ratios in rows for ratio in ratios.values()) * 1.08
    scale = (width - left - 60) / most
    height = top + step * len(rows) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           '<text x="16" y="24" font-size="15">How many times as long as residue.fuse, 256 MiB, one thread</text>']
    x = 16
    for name, colour in colours.items():
        out += [f'<rect x="{x}" y="36" width="12" height="12" fill="{colour}"/>', f'<text x="{x + 18}" y="47">{name}</text>']
        x += 90
    bottom = top + step * len(rows)
    for times in range(0, int(most) + 1, 2 if most < 20 else 5):
        at = left + times * scale
        out += [f'<line x1="{at:.1f}" y1="{top - 4}" x2="{at:.1f}" y2="{bottom}" stroke="#dddddd"/>',
                f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{times}</text>']
    at = left + scale
    out.append(f'<line x1="{at:.1f}" y1="{top - 4}" x2="{at:.1f}" y2="{bottom}" stroke="#888888" stroke-dasharray="4 3"/>')
    for i, (name, ratios) in enumerate(rows):
        y = top + i * step
        out.append(f'<text x="{left - 8}" y="{y + bar * 2}" text-anchor="end">{name}</text>')
        for k, (who, colour) in enumerate(colours.items()):
            if who in ratios:
                out.append(f'<rect x="{left}" y="{y + k * bar}" width="{ratios[who] * scale:.1f}" height="{bar - 1}" '
                           f'fill="{colour}"/>')
    path.write_text("\n".join(out + ["</svg>"]) + "\n")


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", default="1,16,256")
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    header = ["", "operations", "MiB", "ns, 1 thread", "numexpr", "NumPy", "PyTorch", "ns, 2 threads", "numexpr", "PyTorch"]
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    drawn = []
    for name in [*CASES, REAL]:
        operations = 6 if name == REAL else CASES[name][0]
        for size in sizes:
            count = (size << 20) // (4 if name == REAL else np.dtype(CASES[name][1]).itemsize)
            progress(f"{name}, {size} MiB")
            calls = calls_of(name, count)
            set_threads(1)
            check(name, calls)
            rounds = options.rounds * (20 if size <= 1 else 3 if size <= 16 else 1)
            one = medians(calls, rounds)
            set_threads(2)
            two = medians({who: call for who, call in calls.items() if who != "NumPy"}, rounds)

            def times(measured, who):
                return f"{measured[who] / measured['residue']:.1f}x" if who in measured else "-"

            lines.append("| " + " | ".join(
                [name, str(operations), str(size), f"{one['residue'] * 1e9 / count:.2f}", times(one, "numexpr"),
                 times(one, "NumPy"), times(one, "PyTorch"), f"{two['residue'] * 1e9 / count:.2f}", times(two, "numexpr"),
                 times(two, "PyTorch")]) + " |")
            if size == sizes[-1]:
                drawn.append((name, {who: one[who] / one["residue"] for who in one if who != "residue"}))
    progress("")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.into:
        put_table(options.into, "fused", text)
    if options.svg:
        draw(options.svg, drawn)


if __name__ == "__main__":
    main()
