#!/usr/bin/env python3
"""Compares functions with the exact ones on all their inputs, and keeps what was found.

usage: proofs.py [--command PATH] [FUNCTION...]

Runs `residue verify --exhaustive` (build/release/bin/residue, or PATH) for these functions, or for those whose rows have
changed since they were compared; FLOAT16 results of FLOAT32 numbers are functions of their own. Each takes minutes. What is
found is written at once, to docs/reference/function_proofs.tsv and from that to docs/functions.md: a run that is cut off is gone
on with. Exit 1 if a result is misrounded.
"""
import argparse
import csv
import dataclasses
import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROOFS = ROOT / "docs/reference/function_proofs.tsv"
DOCUMENT = ROOT / "docs/functions.md"
PAIRS = ("pow", "atan_yx")  # of which random pairs are compared; there are too many
# What the results of functions are made of.
ROWS = ("src/cpu/rows/function*", "src/cpu/rows/exponential-inl.h", "src/cpu/rows/logarithm-inl.h", "src/real")
sys.path.insert(0, str(ROOT / "bench"))
import page  # noqa: E402


@dataclasses.dataclass
class Proof:
    function: str
    results: str  # FLOAT32 or FLOAT16
    rows: str  # the commit that was the last to change them
    day: str
    inputs: int
    targets: str
    misrounded: int
    decided: int
    seconds: int


FIELDS = [field.name for field in dataclasses.fields(Proof)]


def read():
    """{(function, results): Proof}"""
    if not PROOFS.exists():
        return {}
    with PROOFS.open(newline="") as file:
        lines = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        proofs = [Proof(**{name: int(text) if text.isdigit() and name != "rows" else text for name, text in line.items()})
                  for line in lines]
    return {(proof.function, proof.results): proof for proof in proofs}


def write(proofs):
    with PROOFS.open("w", newline="") as file:
        file.write("# Made by tools/functions/proofs.py\n")
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(dataclasses.astuple(proof) for _, proof in sorted(proofs.items()))


def rows_of_today():
    return subprocess.run(["git", "log", "-1", "--format=%h", "--abbrev=7", "--", *ROWS], cwd=ROOT, check=True,
                          capture_output=True, text=True).stdout.strip()


def parse(output, results):
    """What `residue verify --exhaustive` printed of one function; None if it was cut off."""
    found = re.search(r"^(\w+) +(\d+) misrounded of (\d+) on each of (.*); (\d+) decided with 320 bits; (\d+) s of processor time$",
                      output, re.MULTILINE)
    if found is None:
        return None
    name, misrounded, inputs, targets, decided, seconds = found.groups()
    return Proof(name, results, rows_of_today(), datetime.date.today().isoformat(), int(inputs), targets.replace(",", ""),
                 int(misrounded), int(decided), int(seconds))


def of_today(proofs):
    """Those whose rows have not changed since."""
    rows = rows_of_today()
    return {key: proof for key, proof in proofs.items() if proof.rows == rows}


def figures():
    """The cells of the row in docs/testing.md: what was found, where, and when."""
    proofs = read()
    valid = of_today(proofs).values()
    if not valid:
        return "not run", "", ""
    wrong = sum(proof.misrounded for proof in valid)
    older = f"; {len(proofs) - len(valid)} more with older rows" if len(proofs) > len(valid) else ""
    targets = {target: None for proof in valid for target in proof.targets.split()}
    return (f"{len(valid)} functions and types, {wrong} misrounded{older}", " ".join(targets),
            f"{max(proof.day for proof in valid)}, {rows_of_today()}")


def table(proofs):
    lines = ["| function | results | inputs | misrounded on each target | decided with 320 bits | seconds | rows of |\n",
             "|---|---|---|---|---|---|---|\n"]
    for (function, results), proof in sorted(proofs.items()):
        lines.append(f"| {function} | {results} | {proof.inputs:,} | {proof.misrounded} on {proof.targets.replace(' ', ', ')} | "
                     f"{proof.decided:,} | {proof.seconds:,} | {proof.rows}, {proof.day} |\n")
    return "".join(lines)


def keep(proof):
    proofs = read()
    proofs[proof.function, proof.results] = proof
    write(proofs)
    page.put_table(DOCUMENT, "exhaustive", table(proofs))


def names_of(command, *options):
    """The functions that a quick comparison names."""
    printed = subprocess.run([*command, "--function", "all", *options], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^(\w+) +\d+ misrounded of ", printed, re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--command", default=str(ROOT / "build/release/bin/residue"))
    parser.add_argument("functions", nargs="*")
    options = parser.parse_args()
    command = [options.command, "verify"]
    wanted = [(name, "FLOAT32") for name in (*names_of(command), *PAIRS)]
    wanted += [(name, "FLOAT16") for name in names_of(command, "--halves")]
    unknown = set(options.functions) - {name for name, _ in wanted}
    if unknown:
        sys.exit(f"no function has the name {', '.join(sorted(unknown))}")
    valid = of_today(read())
    wrong = False
    for name, results in wanted:
        if name not in options.functions if options.functions else (name, results) in valid:
            continue
        halves = ["--halves"] if results == "FLOAT16" else []
        ran = subprocess.run([*command, "--exhaustive", "--function", name, *halves], capture_output=True, text=True)
        print(ran.stdout, end="", flush=True)
        proof = parse(ran.stdout, results)
        if proof is None:
            sys.exit(f"{name} was cut off: {ran.stderr.strip()}")
        keep(proof)
        wrong = wrong or proof.misrounded != 0
    print(" | ".join(figures()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
