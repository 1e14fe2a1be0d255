#!/usr/bin/env python3
"""Compares two builds, which take turns: each row is the median of the turns' ratios.

usage: compare.py BEFORE AFTER [--program NAME] [--filter REGEX] [--rounds N] [--least RATIO]

BEFORE and AFTER are build folders (build/release). Rows of residue_run_strided are measured in one process that has both
libraries loaded (bench_side_by_side), so a turn is a tenth of a millisecond. The other programs of bench/ take turns as
processes, which a machine with changing speed disturbs more: give them --rounds. Rows that only one build has are left out.
Prints, for each group of rows, how many there are and how fast AFTER is compared with BEFORE: the median, the least, and every
row below --least (0.97). Use the machine for nothing else meanwhile.
"""
import argparse
import collections
import json
import pathlib
import statistics
import subprocess

PROGRAMS = {  # and the rows that are measured at once; the shorter a turn, the less the machine changes meanwhile
    "bench_calls": ["."],
    "bench_layouts": [f"^modulus.*/{type}/" for type in ("u8", "i16", "f32", "f64")],
}
SIDE_BY_SIDE = "bench_side_by_side"


def run(folder, program, pattern):
    """The time of each row that the program measures and the pattern fits."""
    done = subprocess.run(
        [folder / "bench" / program, f"--benchmark_filter={pattern}", "--benchmark_min_time=0.01", "--benchmark_format=json"],
        check=True, capture_output=True, text=True)
    if not done.stdout:  # no row fits
        return {}
    return {row["name"]: row["real_time"] for row in json.loads(done.stdout)["benchmarks"]}


def take_turns(before, after, program, patterns, rounds):
    """The median ratio of each row, with programs that each know one build."""
    ratios = collections.defaultdict(list)
    for turn in range(rounds):
        for pattern in patterns:
            first, second = (before, after) if turn % 2 == 0 else (after, before)
            times = {first: run(first, program, pattern), second: run(second, program, pattern)}
            for name in times[before].keys() & times[after].keys():
                ratios[name].append(times[before][name] / times[after][name])
    return {name: statistics.median(turns) for name, turns in sorted(ratios.items())}


def side_by_side(before, after, pattern):
    """The same with the program that knows both."""
    libraries = [folder / "src" / "libresidue.so" for folder in (before, after)]
    done = subprocess.run([after / "bench" / SIDE_BY_SIDE, *libraries, pattern], check=True, stdout=subprocess.PIPE, text=True)
    return {name: float(ratio) for name, ratio in map(str.split, done.stdout.splitlines())}


def group_of(program, name):
    parts = name.split("/")
    if program == SIDE_BY_SIDE:  # operator, type, form, class, bytes, threads
        size = f"{int(parts[4]) >> 10} KiB" if int(parts[4]) >= 1024 else f"{parts[4]} bytes"
        if parts[3] != "typical":
            return f"modulus, {size}, {parts[3]}"
        return f"modulus, {size}, {parts[2]}, {parts[5]} thread{'s' if parts[5] != '1' else ''}"
    return f"layouts, {parts[1]}" if program == "bench_layouts" else f"calls, {parts[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--filter", help="instead of every row")
    parser.add_argument("--program", choices=[*PROGRAMS, SIDE_BY_SIDE], help="one of them alone")
    parser.add_argument("--rounds", type=int, default=20)  # even, so that both come first equally often
    parser.add_argument("--least", type=float, default=0.97)
    arguments = parser.parse_args()
    groups = collections.defaultdict(list)
    for program in [arguments.program] if arguments.program else [SIDE_BY_SIDE, *PROGRAMS]:
        if program == SIDE_BY_SIDE:
            rows = side_by_side(arguments.before, arguments.after, arguments.filter or ".")
        else:
            patterns = [arguments.filter] if arguments.filter else PROGRAMS[program]
            rows = take_turns(arguments.before, arguments.after, program, patterns, arguments.rounds)
        for name, ratio in rows.items():
            groups[group_of(program, name)].append((ratio, name))
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
