#!/usr/bin/env python3
"""What the inner loop of a row asks of the processor's ports, by llvm-mca.

usage: ports.py OBJECT TARGET FUNCTOR [--mcpu NAME]
e.g.   bench/ports.py build/release/src/CMakeFiles/residue_objects.dir/cpu/rows/narrow_integer_rows.cc.o \\
           AVX2 'ModulusFloor<signed char>'

Takes the loop of RunVectors<FUNCTOR, false> out of the object file and prints the cycles of one turn, the bytes that
it reads and writes, and the busiest ports. Memory is assumed to answer from the first cache.
"""
import argparse
import re
import subprocess

WIDTH = {"x": 16, "y": 32, "z": 64}
STORE = re.compile(r"vmov\w+ %([xyz])mm\d+,(-?0x[0-9a-f]+)?\(%r(?!sp|bp)")


def instructions(object_file, target, functor):
    """Address and text of the largest function of that name: smaller ones are copies for a single vector."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-C", object_file], capture_output=True, text=True,
                          check=True).stdout
    name = f"residue::N_{target}::RunVectors<residue::N_{target}::{functor}, false"
    functions = [block for block in text.split("\n\n") if name in block.split("\n", 1)[0]]
    if not functions:
        raise SystemExit(f"{object_file} has no {name}")
    lines = re.findall(r"^\s*([0-9a-f]+):\s+(\S.*)$", max(functions, key=len), re.M)
    return [(int(address, 16), code) for address, code in lines]


def inner_loop(code):
    """The shortest loop that stores vectors and calls nothing: what calls is the way back from a slow path."""
    place = {address: i for i, (address, _) in enumerate(code)}
    loops = []
    for i, (_, text) in enumerate(code):
        jump = re.match(r"j\w+\s+([0-9a-f]+)", text)
        start = place.get(int(jump.group(1), 16)) if jump else None
        if start is not None and start <= i:
            body = [line for _, line in code[start:i + 1]]
            if any(STORE.match(line) for line in body) and not any(line.startswith("call") for line in body):
                loops.append(body)
    return min(loops, key=len)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("object")
    parser.add_argument("target")
    parser.add_argument("functor")
    parser.add_argument("--mcpu", default="icelake-server")
    arguments = parser.parse_args()
    body = inner_loop(instructions(arguments.object, arguments.target, arguments.functor))
    stored = sum(WIDTH[STORE.match(line).group(1)] for line in body if STORE.match(line))
    # Branches and calls are not modelled.
    plain = [re.sub(r"\s*[#<].*", "", line) for line in body if not re.match(r"(j|call|nop|data16|cs|xchg)", line)]
    turns = 200
    report = subprocess.run(["llvm-mca", f"-mcpu={arguments.mcpu}", f"-iterations={turns}"], input="\n".join(plain),
                            capture_output=True, text=True, check=True).stdout
    cycles = int(re.search(r"Total Cycles:\s+(\d+)", report).group(1)) / turns
    uops = int(re.search(r"Total uOps:\s+(\d+)", report).group(1)) / turns
    names = re.findall(r"^\[\d+\]\s+- (\S+)$", report, re.M)
    pressure = re.search(r"Resource pressure per iteration:\n.*\n(.*)\n", report).group(1).split()
    ports = sorted(((float(value), name) for name, value in zip(names, pressure) if value != "-"), reverse=True)
    print(f"{arguments.functor}@{arguments.target}: {uops:.0f} micro-operations and {cycles:.1f} cycles for {3 * stored} "
          f"bytes: {3 * stored / cycles:.2f} bytes per cycle, {9 * stored / cycles:.1f} GB/s at 3 GHz")
    print("busiest ports: " + ", ".join(f"{name} {value:.1f}" for value, name in ports[:4]))


if __name__ == "__main__":
    main()
