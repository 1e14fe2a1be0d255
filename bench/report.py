#!/usr/bin/env python3
"""Tables and pictures from the JSON that bench/run.sh leaves.

usage: report.py FOLDER [--into FILE.md] [--svg FOLDER]

Prints Markdown, or puts it into FILE.md between the lines <!-- tables --> and <!-- end of tables -->. Values are
medians of repetitions, and only ratios within one row mean anything: the machine is noisy, and a row's parts were
measured by turns.
"""
import argparse
import collections
import json
import math
import pathlib
import statistics
import sys
import textwrap

from page import put_table

OPERATORS = ("modulus_floor", "modulus_truncate")
SHORT = {"modulus_floor": "FLOOR", "modulus_truncate": "TRUNCATE"}
WIDTHS = {"f16": 2, "f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8}
LIMITS = ("limit_plain", "limit_stream", "limit_pages")
COLORS = {"limit": "#c9c9c9", "residue": "#2a6f97", "c_loop": "#e07a5f", "sleef": "#81b29a", "numpy": "#e9a820",
          "torch": "#b56576", "onnxruntime": "#6d597a"}
NAMES = {"limit": "memory limit", "residue": "Residue", "c_loop": "C loop", "sleef": "SLEEF", "numpy": "NumPy",
         "torch": "PyTorch", "onnxruntime": "ONNX Runtime"}

Key = collections.namedtuple("Key", "who operator type form data bytes threads")


def read(path):
    """The iterations of one file, and its context."""
    content = json.loads(path.read_text())
    rows = [row for row in content["benchmarks"] if row.get("run_type", "iteration") == "iteration"]
    return rows, content.get("context", {})


def rates(paths):
    """Median GB/s by Key."""
    values = collections.defaultdict(list)
    for path in paths:
        for row in read(path)[0]:
            parts = row["run_name"].split("/")
            values[Key(*parts[:5], int(parts[5]), int(parts[6]))].append(row["bytes_per_second"] / 1e9)
    return {key: statistics.median(found) for key, found in values.items()}


def limit(table, key):
    """The best of the additions on the same bytes."""
    return max((table[key._replace(who=who)] for who in LIMITS if key._replace(who=who) in table), default=None)


def size_name(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def markdown(header, rows):
    return "\n".join(["| " + " | ".join(cells) + " |" for cells in [header, ["---"] * len(header)] + rows]) + "\n"


def fractions(table, form, threads):
    """GB/s and fraction of the limit, types down, sizes across."""
    sizes = sorted({key.bytes for key in table if key.who == "residue" and key.data == "typical"})
    rows = []
    for kind in WIDTHS:
        for operator in OPERATORS:
            cells = []
            for size in sizes:
                key = Key("residue", operator, kind, form, "typical", size, threads)
                ours, bound = table.get(key), limit(table, key)
                cells.append(f"{ours:.1f} ({ours / bound:.2f})" if ours and bound else "")
            if any(cells):
                rows.append([kind, SHORT[operator]] + cells)
    return markdown(["type", "operator"] + [size_name(size) for size in sizes], rows)


def against(table, peers, size):
    """Our GB/s, and each peer's with the multiple that ours is."""
    rows = []
    for kind in WIDTHS:
        for operator in OPERATORS:
            key = Key("residue", operator, kind, "vv", "typical", size, 1)
            ours = table.get(key)
            if not ours:
                continue
            cells = []
            for peer in peers:
                theirs = table.get(key._replace(who=peer))
                cells.append(f"{theirs:.2f} ({ours / theirs:.1f}x)" if theirs else "")
            rows.append([kind, SHORT[operator], f"{ours:.1f}"] + cells)
    return markdown(["type", "operator", "Residue"] + [NAMES[peer] for peer in peers], rows)


def classes(table, size):
    """Nanoseconds per element of every class of float data."""
    sets = ("typical", "small", "wide", "huge", "all", "below", "above", "tiny_b", "tiny_a", "subnormal", "top", "zeros")
    rows = []
    for kind in ("f16", "f32", "f64"):
        for operator in OPERATORS:
            for who in ("residue", "sleef", "c_loop"):
                found = [table.get(Key(who, operator, kind, "vv", name, size, 1)) for name in sets]
                if any(found):
                    cells = [f"{3 * WIDTHS[kind] / rate:.2f}" if rate else "" for rate in found]
                    rows.append([kind, SHORT[operator], NAMES[who]] + cells)
    return markdown(["type", "operator", "who"] + list(sets), rows)


def layouts(path):
    values = collections.defaultdict(list)
    for row in sorted(read(path)[0], key=lambda row: row["family_index"]):  # repetitions took turns
        who, kind, shape = row["run_name"].split("/")[:3]
        values[who, kind, shape].append(1e9 / row["items_per_second"])
    medians = {key: statistics.median(found) for key, found in values.items()}
    kinds = sorted({key[1] for key in medians}, key=list(WIDTHS).index)
    rows = []
    for shape in dict.fromkeys(key[2] for key in medians):
        cells = []
        for kind in kinds:
            ours, plain = medians.get(("modulus_floor", kind, shape)), medians.get(("addition", kind, shape))
            cells.append(f"{ours:.3f} ({ours / plain:.2f})" if ours and plain else "")
        rows.append([shape.replace("_", " ")] + cells)
    return markdown(["layout"] + kinds, rows)


def calls(path):
    values = collections.defaultdict(list)
    for row in read(path)[0]:
        name, count = row["run_name"].split("/")[:2]
        values[name, int(count)].append(row["real_time"])
    functions = {"Run": "residue_run", "RunPlan": "residue_plan_run", "RunPacked": "residue_run_packed",
                 "RunStrided": "residue_run_strided", "RunCpp": "residue::ModulusFloor",
                 "RunLessThan": "residue_run_packed of LESS_THAN"}
    counts = sorted({key[1] for key in values})
    rows = []
    for name, function in functions.items():
        if (name, counts[0]) not in values:  # of a run before there was such a row
            continue
        found = [values[name, count] for count in counts]
        call, _, operator = function.partition(" of ")
        rows.append([f"`{call}`" + (f", {operator}" if operator else "")] + [f"{min(x):.0f} / {statistics.median(x):.0f}" for x in found])
    return markdown(["nanoseconds, least / median"] + [f"{count} element{'s' * (count > 1)}" for count in counts], rows)


def chains(path):
    """GB/s and fraction of the best loop for one node, sizes and numbers of nodes down."""
    values = collections.defaultdict(list)
    for row in read(path)[0]:
        who, nodes, size = row["run_name"].split("/")[:3]
        values[who, int(nodes), int(size)].append(row["bytes_per_second"] / 1e9)
    medians = {key: statistics.median(found) for key, found in values.items()}
    ways = {"graph": "`residue_graph`", "directml": "DirectML graph", "nodes": "node by node"}
    ways = {who: name for who, name in ways.items() if any(key[0] == who for key in medians)}
    rows = []
    for size in sorted({key[2] for key in medians}):
        bound = max(medians[who, 1, size] for who in LIMITS)
        for nodes in sorted({key[1] for key in medians}):
            found = [medians[who, nodes, size] for who in ways]
            rows.append([size_name(size), f"{nodes}", f"{bound:.1f}"] + [f"{x:.1f} ({x / bound:.2f})" for x in found])
    return markdown(["tensor", "nodes", "limit"] + list(ways.values()), rows)


def family(path):
    """The fraction of the limit for an operator's own bytes: operators down, types across; Cast apart, by result."""
    values = collections.defaultdict(list)
    for row in sorted(read(path)[0], key=lambda row: row["family_index"]):  # repetitions took turns
        who, operator, kind, result, sizes, size = row["run_name"].split("/")[:6]
        values[who, operator, kind, result, sizes, int(size)].append(row["bytes_per_second"])
    medians = {key: statistics.median(found) for key, found in values.items()}
    bounds = collections.defaultdict(float)
    for key, found in medians.items():
        if key[0] in LIMITS:
            bounds[key[4:]] = max(bounds[key[4:]], found)
    fractions_of = {key[1:]: found / bounds[key[4:]] for key, found in medians.items() if key[0] == "residue"}
    parts = []
    for size in sorted({key[4] for key in fractions_of}):
        ours = {key: found for key, found in fractions_of.items() if key[4] == size}
        parts.append(f"#### {size_name(size)}\n")
        parts.append(f"{len(ours)} rows, median {statistics.median(ours.values()):.2f}; "
                     f"{sum(found >= 0.9 for found in ours.values())} at 0.90 or more.\n")
        for by_result in (False, True):
            rows = []
            for operator in dict.fromkeys(key[0] for key in ours):
                several = len({key[2] for key in ours if key[0] == operator}) > 1
                is_mixed = several and operator in ("cast", "if", "sequence", "quantize_linear", "dequantize_linear")
                if is_mixed != by_result:
                    continue
                names = {(key[1], key[2]): found for key, found in ours.items() if key[0] == operator}
                for first in dict.fromkeys(name[0] for name in names) if is_mixed else [None]:
                    cells = []
                    for kind in WIDTHS:
                        found = [x for name, x in names.items() if (name[1] if is_mixed else name[0]) == kind
                                 and (first is None or name[0] == first)]
                        cells.append(f"{found[0]:.2f}" if found else "")
                    rows.append([operator if first is None else f"{operator} {first} to"] + cells)
            parts.append(markdown(["operator"] + list(WIDTHS), rows))
    return parts


def family_peers(path):
    """Our GB/s, and how many times each peer's that is: operators and types down."""
    table = rates([path])
    who = ("numpy", "torch", "onnxruntime")
    rows = []
    for key, ours in table.items():
        if key.who != "residue":
            continue
        others = [table.get(key._replace(who=peer)) for peer in who]
        rows.append([key.operator, key.type, f"{ours:.1f}"] + [f"{ours / x:.2f}x" if x else "" for x in others])
    return markdown(["operator", "type", "Residue"] + [NAMES[peer] for peer in who], rows)


def tick_step(largest):
    """A round step with four to ten ticks up to the largest value."""
    step = 10 ** math.floor(math.log10(largest))
    for divisor in (1, 2, 5, 10):
        if largest / (step / divisor) >= 4:
            return step / divisor
    return step / 10


def bar_chart(title, unit, rows):
    """rows: (label, [(who, value)], limit). Bars begin at zero, and the limit of a row is a line across them."""
    largest = max(value for _, bars, bound in rows for value in [bound, *(value for _, value in bars)])
    step = tick_step(largest)
    ticks = math.ceil(largest / step)  # the axis ends with a tick
    left, width, bar, gap, top = 60, 760, 15, 10, 62

    def place(value):
        return left + width * value / (ticks * step)

    height = top + sum(bar * len(bars) + gap for _, bars, _ in rows)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height + 30}" font-family="sans-serif" '
             f'font-size="12" role="img" aria-label="{title}">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="10" y="22" font-size="16">{title}</text>',
             '<line x1="11" y1="36" x2="11" y2="48" stroke="#000" stroke-width="2"/>',
             '<text x="18" y="46" fill="#333">the limit: an addition on the same memory</text>']
    for tick in range(ticks + 1):
        x = place(tick * step)
        parts.append(f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{height}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{height + 18}" text-anchor="middle">{tick * step:g} {unit}</text>')
    y = top
    for label, bars, bound in rows:
        parts.append(f'<text x="10" y="{y + bar * len(bars) / 2 + 4:.0f}">{label}</text>')
        begin = y
        for who, value in bars:
            parts.append(f'<rect x="{left}" y="{y}" width="{place(value) - left:.1f}" height="{bar - 3}" '
                         f'fill="{COLORS[who]}"/>')
            inside = place(value) - left > 300
            parts.append(f'<text x="{place(value) + (-6 if inside else 6):.1f}" y="{y + bar - 4}" '
                         f'text-anchor="{"end" if inside else "start"}" fill="{"white" if inside else "#333"}">'
                         f'{NAMES[who]} {value:.3g}</text>')
            y += bar
        parts.append(f'<line x1="{place(bound):.1f}" y1="{begin - 3}" x2="{place(bound):.1f}" y2="{y}" stroke="#000" '
                     'stroke-width="2"/>')
        y += gap
    parts.append("</svg>\n")
    return "\n".join(parts)


def chart(table, title, who, operator, size, kinds):
    """Bars of those in `who` that were measured, and the limit of the same run."""
    rows = []
    for kind in kinds:
        key = Key("residue", operator, kind, "vv", "typical", size, 1)
        bars = [(name, table[key._replace(who=name)]) for name in who if key._replace(who=name) in table]
        if bars and limit(table, key):
            rows.append((kind, bars, limit(table, key)))
    return bar_chart(title, "GB/s", rows)


def report(folder):
    table = rates(sorted(folder.glob("modulus.*.json")))
    context = read(next(iter(sorted(folder.glob("modulus.*.json")))))[1]
    parts = [f"Measured on {context['date'][:10]}: {context['num_cpus']} CPUs, "
             f"{context['caches'][-1]['size'] >> 20} MiB of last-level cache, targets {context['targets'].replace('+', ', ')}.\n"]
    for form, text in (("vv", "Two tensors"), ("vs", "One divisor for all")):
        for threads in (1, 2):
            parts += [f"### {text}, {threads} thread{'s' * (threads > 1)}\n", "GB/s, and the fraction of the limit.\n",
                      fractions(table, form, threads)]
    if (folder / "avx3.json").exists():
        parts += ["### Without AVX512-FP16\n", "`RESIDUE_MAX_TARGET=AVX3`, two tensors, one thread.\n",
                  fractions(rates([folder / "avx3.json"]), "vv", 1)]
    if (folder / "avx2.json").exists():
        parts += ["### Without AVX-512\n", "`RESIDUE_MAX_TARGET=AVX2`, two tensors, one thread; the limit keeps its "
                  "AVX-512.\n", fractions(rates([folder / "avx2.json"]), "vv", 1)]
    parts += ["### Classes of data\n", "Nanoseconds per element, 512 KiB per tensor, one thread.\n",
              classes(table, 512 << 10)]
    parts += ["### C loops and SLEEF\n", "GB/s at 512 KiB per tensor, and how many times that Residue is.\n",
              against(table, ("c_loop", "sleef"), 512 << 10)]
    if (folder / "peers.json").exists():
        peers = rates([folder / "peers.json"])
        versions = ", ".join(f"{name} {version}" for name, version in read(folder / "peers.json")[1].items())
        for size in sorted({key.bytes for key in peers}):
            parts += [f"### NumPy, PyTorch and ONNX Runtime, {size_name(size)}\n", f"One thread; {versions}.\n",
                      against(peers, ("numpy", "torch", "onnxruntime"), size)]
    if (folder / "layouts.json").exists():
        parts += ["### Layouts\n", "Nanoseconds per element at 64 MiB per tensor, one thread, and in brackets the ratio "
                  "to an addition through the same loops.\n", layouts(folder / "layouts.json")]
    if (folder / "calls.json").exists():
        parts += ["### Small calls\n", "float32 FLOOR, except where another operator is named.\n", calls(folder / "calls.json")]
    if (folder / "chains.json").exists():
        parts += ["### Chains\n", "Chains of x * scale + bias on float32: GB/s of the input and the output in processor "
                  "time, and in brackets the fraction of one scaled copy.\n", chains(folder / "chains.json")]
    if (folder / "pairs.json").exists():
        parts += ["### Graphs on two inputs\n", "ADD, MULTIPLY, MAX and SUBTRACT by turns on float32: GB/s of the two "
                  "inputs and the output, one thread, and in brackets the fraction of one addition.\n",
                  chains(folder / "pairs.json")]
    if (folder / "family.json").exists():
        parts += ["### Every operator\n", "The fraction of what moving the same bytes takes, one thread; the size is that "
                  "of the largest tensor. Functions are in functions.md.\n", *family(folder / "family.json")]
    if (folder / "family_peers.json").exists():
        parts += ["### Other operators against NumPy, PyTorch and ONNX Runtime\n", "GB/s of Residue at 16 MiB of each "
                  "input, one thread, and how many times that of others it is.\n",
                  family_peers(folder / "family_peers.json")]
    return "\n".join(part if part.startswith(("|", "#")) else textwrap.fill(part, 110) + "\n" for part in parts)


def write_pictures(folder, to):
    to.mkdir(parents=True, exist_ok=True)
    table = rates(sorted(folder.glob("modulus.*.json")))
    for size in (512 << 10, 256 << 20):
        title = f"FLOOR, {size_name(size)} per tensor, one thread"
        (to / f"limit_{size >> 10}k.svg").write_text(chart(table, title, ["residue"], "modulus_floor", size, WIDTHS))
    if (folder / "peers.json").exists():
        peers = rates([folder / "peers.json"])
        size = max(key.bytes for key in peers)
        who = ["residue", "torch", "onnxruntime", "numpy"]
        for operator in OPERATORS:
            title = f"{SHORT[operator]} against others, {size_name(size)} per tensor, one thread"
            (to / f"peers_{SHORT[operator].lower()}.svg").write_text(chart(peers, title, who, operator, size, WIDTHS))
        title = f"Modulus of two tensors (FLOOR), {size_name(size)} each, one thread"
        kinds = [kind for kind in ("f32", "f64", "i32", "i64") if kind in WIDTHS]
        (to / "readme.svg").write_text(chart(peers, title, who, "modulus_floor", size, kinds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    arguments = parser.parse_args()
    if not list(arguments.folder.glob("modulus.*.json")):
        sys.exit(f"no modulus.*.json in {arguments.folder}: run bench/run.sh first")
    text = report(arguments.folder)
    if arguments.svg:
        write_pictures(arguments.folder, arguments.svg)
    if arguments.into:
        put_table(arguments.into, "tables", text)
    else:
        print(text)


if __name__ == "__main__":
    main()
