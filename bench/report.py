#!/usr/bin/env python3
"""Tables and pictures from benchmark runs.

usage: report.py RUN.json [PEERS.json...] [--markdown FILE] [--svg FOLDER]

RUN.json is what bench_modulus --benchmark_out writes, PEERS.json what peers.py writes. Only ratios within one file
or one session mean anything; the machine is in the file. Several repetitions become their median.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys

OPERATORS = ("modulus_floor", "modulus_truncate")
TYPES = ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")

Key = collections.namedtuple("Key", "who operator type form data bytes threads")


def read(paths):
    """Median seconds and GB/s by Key."""
    rates = collections.defaultdict(list)
    context = {}
    for path in paths:
        content = json.loads(path.read_text())
        context.update(content.get("context", {}))
        for row in content["benchmarks"]:
            if row.get("run_type", "iteration") != "iteration" or "bytes_per_second" not in row:
                continue
            parts = row["run_name"].split("/")
            rates[Key(*parts[:5], int(parts[5]), int(parts[6]))].append(row["bytes_per_second"] / 1e9)
    return {key: statistics.median(values) for key, values in rates.items()}, context


def limit(rates, key):
    """The better of plain and streaming stores on the same bytes."""
    both = [rates.get(key._replace(who=who)) for who in ("limit_plain", "limit_stream")]
    return max((value for value in both if value), default=None)


def size_name(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def ratio_table(rates, form, threads):
    """Ours as a fraction of the limit, types down, sizes across."""
    sizes = sorted({key.bytes for key in rates if key.who == "residue" and key.data == "typical"})
    lines = ["| type | operator | " + " | ".join(size_name(size) for size in sizes) + " |",
             "|---|---|" + "---|" * len(sizes)]
    for kind in TYPES:
        for operator in OPERATORS:
            cells = []
            for size in sizes:
                key = Key("residue", operator, kind, form, "typical", size, threads)
                bound = limit(rates, key)
                ours = rates.get(key)
                cells.append(f"{ours:.1f} GB/s, {ours / bound:.2f}" if ours and bound else "-")
            if any(cell != "-" for cell in cells):
                lines.append(f"| {kind} | {operator} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def peer_table(rates, size):
    peers = sorted({key.who for key in rates} - {"residue", "limit_plain", "limit_stream"})
    lines = ["| type | operator | ours, GB/s | " + " | ".join(f"{peer}, GB/s (ours is)" for peer in peers) + " |",
             "|---|---|---|" + "---|" * len(peers)]
    for kind in TYPES:
        for operator in OPERATORS:
            key = Key("residue", operator, kind, "vv", "typical", size, 1)
            ours = rates.get(key)
            if not ours:
                continue
            cells = []
            for peer in peers:
                theirs = rates.get(key._replace(who=peer))
                cells.append(f"{theirs:.2f} ({ours / theirs:.0f}x)" if theirs else "-")
            lines.append(f"| {kind} | {operator} | {ours:.1f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def data_table(rates, size):
    """Nanoseconds per element of every class of float data."""
    sets = ("typical", "small", "wide", "huge", "subnormal", "zeros")
    width = {"f16": 2, "f32": 4, "f64": 8}
    lines = ["| type | operator | who | " + " | ".join(sets) + " |", "|---|---|---|" + "---|" * len(sets)]
    for kind, size_of in width.items():
        for operator in OPERATORS:
            for who in ("residue", "sleef", "c_loop"):
                cells = []
                for name in sets:
                    rate = rates.get(Key(who, operator, kind, "vv", name, size, 1))
                    cells.append(f"{3 * size_of / rate:.2f}" if rate else "-")
                if any(cell != "-" for cell in cells):
                    lines.append(f"| {kind} | {operator} | {who} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def bar_chart(title, rows, unit):
    """rows: (label, [(name, value, color)]); a bar per value, the number behind it."""
    height = sum(14 * len(bars) + 12 for _, bars in rows) + 50
    largest = max(value for _, bars in rows for _, value, _ in bars)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="820" height="{height}" font-family="sans-serif" font-size="11">',
           f'<text x="10" y="20" font-size="15">{title}</text>']
    y = 40
    for label, bars in rows:
        out.append(f'<text x="10" y="{y + 10}">{label}</text>')
        for name, value, color in bars:
            length = 520 * value / largest
            out.append(f'<rect x="190" y="{y}" width="{length:.1f}" height="12" fill="{color}"/>')
            out.append(f'<text x="{195 + length:.1f}" y="{y + 10}">{name} {value:.3g} {unit}</text>')
            y += 14
        y += 12
    out.append("</svg>\n")
    return "\n".join(out)


COLORS = {"residue": "#2a6f97", "limit": "#c9c9c9", "c_loop": "#e07a5f", "sleef": "#81b29a"}


def roofline(rates, size):
    rows = []
    for kind in TYPES:
        key = Key("residue", "modulus_floor", kind, "vv", "typical", size, 1)
        bound, ours = limit(rates, key), rates.get(key)
        if not (bound and ours):
            continue
        bars = [("limit", bound, COLORS["limit"]), ("Residue", ours, COLORS["residue"])]
        for who in ("c_loop", "sleef"):
            if rates.get(key._replace(who=who)):
                bars.append((who, rates[key._replace(who=who)], COLORS[who]))
        rows.append((kind, bars))
    return bar_chart(f"MODULUS_FLOOR, {size_name(size)} per tensor, one thread", rows, "GB/s") if rows else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=pathlib.Path, nargs="+")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    arguments = parser.parse_args()
    rates, context = read(arguments.runs)
    if not rates:
        sys.exit("no benchmark with bytes_per_second in " + ", ".join(map(str, arguments.runs)))
    parts = [f"Machine: {context.get('num_cpus', '?')} CPUs at {context.get('mhz_per_cpu', '?')} MHz, "
             f"{context.get('date', '')}."]
    for form, text in (("vv", "two tensors"), ("vs", "one divisor")):
        for threads in (1, 2):
            parts += [f"### {text}, {threads} thread{'s' if threads > 1 else ''}: GB/s and fraction of the limit", "",
                      ratio_table(rates, form, threads), ""]
    for size in (512 << 10, 16 << 20):
        parts += [f"### against others, {size_name(size)} per tensor, one thread", "", peer_table(rates, size), ""]
    parts += ["### classes of data, 512 KiB per tensor, ns per element", "", data_table(rates, 512 << 10), ""]
    text = "\n".join(parts)
    if arguments.markdown:
        arguments.markdown.write_text(text)
    else:
        print(text)
    if arguments.svg:
        arguments.svg.mkdir(parents=True, exist_ok=True)
        for size in (512 << 10, 256 << 20):
            picture = roofline(rates, size)
            if picture:
                (arguments.svg / f"modulus_floor_{size >> 10}k.svg").write_text(picture)


if __name__ == "__main__":
    main()
