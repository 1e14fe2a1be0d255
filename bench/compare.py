#!/usr/bin/env python3
"""Two builds side by side: the benchmarks of both take turns, and each row is the median of the turns' ratios.

usage: compare.py BEFORE AFTER [--program NAME] [--filter REGEX] [--rounds N] [--least RATIO]

BEFORE and AFTER are folders with the programs of bench/ (build/release/bench). Rows that only one of them has are left out.
Prints, for each group of rows, how many there are and how fast AFTER is compared with BEFORE: the median, the least, and every
row below --least (0.97). Use the machine for nothing else meanwhile.
"""
import argparse
import collections
import json
import pathlib
import statistics
import subprocess

TYPES = ["f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
PROGRAMS = {  # and the rows that are measured at once; the shorter a turn, the less the machine changes meanwhile
    "bench_calls": ["."],
    "bench_layouts": [f"^modulus.*/{type}/" for type in ("u8", "i16", "f32", "f64")],
    "bench_modulus": [f"^residue/.*/{type}/" for type in TYPES],
}


def run(folder, program, pattern):
    """The time of each row that the program measures and the pattern fits."""
    done = subprocess.run(
        [folder / program, f"--benchmark_filter={pattern}", "--benchmark_min_time=0.01", "--benchmark_format=json"],
        check=True, capture_output=True, text=True)
    return {row["name"]: row["real_time"] for row in json.loads(done.stdout)["benchmarks"]}


def group_of(program, name):
    parts = name.split("/")
    if program == "bench_modulus":  # operator, type, form, class, bytes, threads
        return f"modulus, {int(parts[5]) >> 10} KiB, {parts[3]}, {parts[6]} thread{'s' if parts[6] != '1' else ''}"
    return f"layouts, {parts[1]}" if program == "bench_layouts" else f"calls, {parts[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--filter", help="instead of every row")
    parser.add_argument("--program", choices=PROGRAMS, help="one of them alone")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--least", type=float, default=0.97)
    arguments = parser.parse_args()
    ratios = collections.defaultdict(list)  # (program, name) -> how fast AFTER was compared with BEFORE, turn by turn
    for turn in range(arguments.rounds):
        for program, patterns in PROGRAMS.items():
            if arguments.program not in (None, program):
                continue
            for pattern in [arguments.filter] if arguments.filter else patterns:
                folders = [arguments.before, arguments.after]
                times = {folder: run(folder, program, pattern) for folder in folders[:: -1 if turn % 2 else 1]}
                for name, time in times[arguments.before].items():
                    if name in times[arguments.after]:
                        ratios[program, name].append(time / times[arguments.after][name])
    groups = collections.defaultdict(list)
    for (program, name), turns in ratios.items():
        groups[group_of(program, name)].append((statistics.median(turns), name))
    print(f"| rows | how many | median | least | below {arguments.least} |\n| --- | --- | --- | --- | --- |")
    slow = []
    for group, rows in groups.items():
        below = [row for row in rows if row[0] < arguments.least]
        slow += below
        print(f"| {group} | {len(rows)} | {statistics.median(row[0] for row in rows):.2f} | {min(rows)[0]:.2f} | {len(below)} |")
    for ratio, name in sorted(slow):
        print(f"{ratio:.2f} {name}")


if __name__ == "__main__":
    main()
