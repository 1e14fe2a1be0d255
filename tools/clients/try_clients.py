#!/usr/bin/env python3
"""How far do public DirectML programs get? Compiles each unmodified, for Linux, and runs it on our libraries.

usage: try_clients.py FOLDER LIBRARIES [--headers ROOT] [--write]

FOLDER has a clone of each program, under the names of the list below; one that is missing is skipped. LIBRARIES is the
folder of libdirectml.so, and ROOT the project whose compat/ and include/ are used (this one, unless another version is
to be compared). --write puts the table into docs/guides/porting.md. Exit 1 if a program gets less far than the list says.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/guides/porting.md"
STEPS = ["does not compile", "compiles", "makes a device", "runs"]
# folder, repository, sources, flags, arguments, what it prints once it has a device, how far it must get, what stops it
CLIENTS = [
    ("DirectML_Sample", "igaspard/DirectML_Sample", ["hello_dml.cpp", "DirectMLProcessor.cpp"], ["-std=c++17"], ["Residue"],
     "DirectML device created", 2, "its sums are right; then an operator that is not there"),
    ("DirectMLLib", "WindowsNT/DirectMLLib", ["test.cpp", "dmllib.cpp"], ["-std=c++20"], [], "CreateOperator", 2,
     "its graph of sines and cosines runs; then an operator that is not there"),
    ("test-DirectML", "jb2020-super/test-DirectML", ["TestDirectML/DMLInferer.cpp", "TestDirectML/common.cpp"], ["-std=c++20"],
     [], "", 0, "winrt"),
    ("PyDirectML", "microsoft/DirectML, Python", ["Python/src/device.cpp", "Python/src/util.cpp"], ["-std=c++20"], [], "", 0,
     "gpgmm and pybind11"),
]


def output(command: list) -> tuple:
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def commit(folder: pathlib.Path) -> str:
    code, text = output(["git", "-C", folder, "rev-parse", "--short", "HEAD"])
    return text.strip() if code == 0 else "unknown"


def try_one(client: tuple, given, work: pathlib.Path) -> tuple:
    folder, _, sources, flags, arguments, device, _, _ = client
    source = given.folder / folder
    _, headers = output(["pkg-config", "--cflags", "DirectX-Headers"])
    program = work / folder
    code, text = output(["clang++", "-w", "-Wno-address-of-temporary", *flags, f"-I{given.headers}/compat",
                         f"-I{given.headers}/include", *headers.split(), f"-I{source}", f"-I{given.directmlx}",
                         *(source / name for name in sources), f"-L{given.libraries}", "-ldirectml", "-lresidue_d3d12",
                         "-lDirectX-Guids", f"-Wl,-rpath,{given.libraries}", "-o", program])
    if code != 0:
        first = re.search(r"error: (.*)", text)
        return 0, first.group(1) if first else text[-200:]
    code, text = output([program, *arguments])
    if code == 0:
        return 3, ""
    return (2 if device and device in text else 1), text.strip().splitlines()[-1] if text.strip() else ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("libraries", type=pathlib.Path)
    parser.add_argument("--headers", type=pathlib.Path, default=ROOT)
    parser.add_argument("--directmlx", type=pathlib.Path, default=ROOT.parent / "shared/clients/microsoft-directml/Libraries")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    given.libraries = given.libraries.resolve()
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as work:
        for client in CLIENTS:
            if not (given.folder / client[0]).exists():
                print(f"skipped: {client[0]}")
                continue
            step, stop = try_one(client, given, pathlib.Path(work))
            rows.append(f"| {client[1]} | {commit(given.folder / client[0])} | {STEPS[step]} | {client[7]} |")
            print(f"{client[0]}: {STEPS[step]}; {stop}")
            if step < client[6]:
                wrong.append(f"{client[0]} {STEPS[step]}, but must be one that {STEPS[client[6]]}: {stop}")
    if given.write and not wrong:
        table = "\n".join(["| program | commit | how far | what stops it |", "|---|---|---|---|", *rows])
        before, rest = PAGE.read_text().split("<!-- clients -->\n")
        _, after = rest.split("<!-- end of clients -->")
        PAGE.write_text(f"{before}<!-- clients -->\n{table}\n<!-- end of clients -->{after}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
