#!/usr/bin/env python3
"""Breaks the library on purpose, one small change at a time, and sees whether the tests notice.

usage: mutate.py [--count N] [--seed N] [--only WORD] [--workers N] [--chosen] [--list] [--resume]

The mutants are those of tools/quality/chosen_mutants.py and a seeded sample (--count, 210 unless told) of small changes: comparisons,
operators, constants, masks, guards, statements left out, in the folders that FOLDERS lists. Each is built in a copy of
the tree (build/mutation) and given to the tests that fit its folder, at their quick size; unchanged, it must pass them. What
is compiled once for each vector target is compiled for one of them and portable code at first, and what survives that for
all. A change of the sample that does not compile counts as none and the next takes its place. Survivors must be explained in
tests/equivalent_mutants.txt. Exit 1 if less than 95% are killed, a survivor is unexplained, or an explanation fits no line.

Verdicts are kept in build/mutation/verdicts.txt. With --resume those that were killed are not tried again (tests only ever
get stricter), so that a run that was cut off goes on, and new tests are tried on the survivors alone.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys

import chosen_mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPLAINED = ROOT / "tests/equivalent_mutants.txt"
VERDICTS = ROOT / "build/mutation/verdicts.txt"
LEAST_KILLED = 0.95
MOST_SECONDS = 300  # for one test; longer is a hang

# How many of every hundred mutants a folder gets, and the tests that must notice; the likeliest first.
FOLDERS = {
    "src/cpu/rows": (22, ("museum_test", "rows_test", "exhaustive_test", "oracle_test")),
    "src/cpu/access": (4, ("rows_test", "engine_test")),
    "src/cpu/engine": (14, ("engine_test", "c_api_test", "rows_test")),
    "src/graph": (10, ("c_api_test", "contract_test")),
    "src/layout": (12, ("layout_test", "engine_test", "c_api_test", "contract_test")),
    "src/c_api": (6, ("c_api_test",)),
    "src/directml": (32, ("contract_test", "directml_test", "faults_test")),
}
OTHER_TESTS = {"src/com": ("contract_test", "d3d12_test"), "src/d3d12": ("d3d12_test", "contract_test"),
               "src/cpu/backend": ("contract_test", "d3d12_test", "faults_test"),
               "src/real": ("rows_test", "oracle_test"),
               "src/core": ("core_test", "layout_test", "rows_test", "engine_test", "contract_test")}

# These are compiled once for each vector target, which takes most of the time. One target notices most mutants.
BY_TARGET = ("src/cpu/rows", "src/cpu/access")
FIRST_TARGETS = "(HWY_AVX3|HWY_SSE4)"  # left out: AVX2 and portable code stay, or NEON or SVE
ALL_TARGETS = "0"

# What is looked for in a line of code, and what replaces it.
CHANGES = [
    (r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" / ", " * "),
    (r" << ", " >> "), (r" >> ", " << "), (r" \| ", " & "), (r" & ", " | "), (r"\+\+(?=\w)", "--"), (r" \+= ", " -= "),
    (r" \|= ", " &= "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bif \((?!constexpr)(?=[^;]*\) (?:return|continue|\{))", "if (!"),
    (r"(?<![\w.'x])([0-9]{1,3})(?![\w.'])", lambda match: str(int(match.group(1)) + 1)),
    (r"hn::And\(", "hn::Or("), (r"hn::Or\(", "hn::And("), (r"hn::Lt\(", "hn::Le("), (r"hn::Gt\(", "hn::Ge("),
    (r"hn::Ge\(", "hn::Gt("), (r"hn::Eq\(", "hn::Ne("), (r"hn::Ne\(", "hn::Eq("), (r"hn::Add\(", "hn::Sub("),
    (r"hn::Sub\(", "hn::Add("), (r"hn::AndNot\(", "hn::And("), (r"hn::Min\(", "hn::Max("), (r"hn::Max\(", "hn::Min("),
    (r"hn::IfThenZeroElse\(", "hn::IfThenElseZero("), (r"hn::IfThenElseZero\(", "hn::IfThenZeroElse("),
    (r"std::min", "std::max"), (r"std::max", "std::min"),
    (r"^(\s+)[\w.>-]+\([^;]*\);$", r"\1;"),  # a call that is a statement
]
# Lines that say nothing at run time, only something for people, or how fast it goes.
SKIPPED = re.compile(r"^\s*(//|#|\*|static_assert|using |template|namespace|case |class |struct |friend|\"|return Refuse|Refuse\()"
                     r"|HWY_INLINE|noexcept;|operator|Refuse\(|constexpr const char|snprintf|= default|= delete|[pP]refetch|HWY_UNROLL")


class Mutant:
    def __init__(self, name, file, before, after):
        self.name, self.file, self.before, self.after = name, file, before, after

    def folder(self):
        return str(pathlib.Path(self.file).parent)

    def tests(self):
        return FOLDERS[self.folder()][1] if self.folder() in FOLDERS else OTHER_TESTS[self.folder()]


def candidates(folder):
    """Every change the list above can make in a folder, in a fixed order."""
    found = []
    for path in sorted([*(ROOT / folder).glob("*.h"), *(ROOT / folder).glob("*.cc")]):
        source = path.read_text()
        name = str(path.relative_to(ROOT))
        position = 0
        for number, line in enumerate(source.splitlines(keepends=True), 1):
            if not SKIPPED.search(line):
                code = line.split("//")[0].rstrip()
                bare = re.sub(r"\"[^\"]*\"|<[^<>]*>", lambda match: "\0" * len(match.group()), code)
                for pattern, replacement in CHANGES:
                    for match in re.finditer(pattern, bare):
                        new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
                        if replacement == "if (!":  # the whole condition
                            changed = negate(code, match.start())
                        else:
                            changed = code[:match.start()] + new + code[match.end():]
                        if changed is None or changed == code:
                            continue
                        mutated = source[:position] + changed + line[len(code):] + source[position + len(line):]
                        found.append(Mutant(f"{name}:{number}: {code.strip()} -> {changed.strip()}", name, None, mutated))
            position += len(line)
    return found


def negate(code, start):
    opening = code.index("(", start)
    depth = 0
    for i in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            condition = code[opening + 1:i]
            if ";" in condition:
                head, _, last = condition.rpartition("; ")
                return f"{code[:opening + 1]}{head}; !({last}){code[i:]}"
            return f"{code[:opening + 1]}!({condition}){code[i:]}"
    return None  # goes on in the next line


def sample(count, seed):
    """For each folder its share, with enough in reserve for those that do not compile. Drawn by a hash of what is changed, so
    that an edit of the sources draws few others."""
    chosen = []
    for folder, (share, _) in FOLDERS.items():
        seen = collections.Counter()
        drawn = []
        for mutant in candidates(folder):
            text = without_number(mutant.name)
            seen[text] += 1
            drawn.append((hashlib.sha256(f"{seed} {seen[text]} {text}".encode()).digest(), mutant))
        drawn.sort(key=lambda pair: pair[0])
        chosen.append((round(count * share / 100), [mutant for _, mutant in drawn]))
    return chosen


def by_hand():
    mutants = []
    for name, file, before, after in chosen_mutants.MUTANTS:
        source = (ROOT / file).read_text()
        if before not in source:
            sys.exit(f"{name}: {file} no longer has the line to break")
        mutants.append(Mutant(name, file, before, source.replace(before, after)))
    return mutants


def run(command, directory, seconds, **options):
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=seconds, check=False,
                              errors="replace", **options)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 1, "timeout"


def every_test():
    folders = [tests for _, tests in FOLDERS.values()] + list(OTHER_TESTS.values())
    return sorted({test for tests in folders for test in tests})


class Worker:
    """A copy of the tree with a build of its own."""

    def __init__(self, number):
        self.tree = ROOT / "build" / "mutation" / str(number)
        self.tree.mkdir(parents=True, exist_ok=True)
        self.clean = self.tree / "clean"
        self.mend()  # an earlier run may have been cut off
        tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in tracked.splitlines():
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
                shutil.copy(ROOT / name, target)
        self.build(FIRST_TARGETS)

    def build(self, left_out):
        """Everything, with all vector targets that are not left out; and a copy, which mends what a mutant breaks."""
        self.must(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                   "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -D_GLIBCXX_ASSERTIONS", "-DRESIDUE_BUILD_EXAMPLES=OFF", "-DRESIDUE_BUILD_COMMAND=OFF",
                   "-DRESIDUE_BUILD_ONNXRUNTIME=OFF", f"-DRESIDUE_DISABLED_TARGETS={left_out}"])
        self.must(["cmake", "--build", "build", "--target", *every_test()])
        shutil.rmtree(self.clean, ignore_errors=True)
        shutil.copytree(self.tree / "build", self.clean, symlinks=True)

    def mend(self):
        """The build is as it was before the mutant, times too. To compile again takes as long as the mutant did."""
        for folder, _, names in os.walk(self.clean):
            for name in names:
                kept = pathlib.Path(folder, name)
                if kept.is_symlink():
                    continue
                used = self.tree / "build" / kept.relative_to(self.clean)
                if not used.exists() or used.stat().st_mtime_ns != kept.stat().st_mtime_ns:
                    shutil.copy2(kept, used)

    def must(self, command):
        code, output = run(command, self.tree, 3600)
        if code:
            sys.exit(output[-4000:])

    def test(self, test):
        return run([f"build/tests/{test}", "--gtest_fail_fast", "--gtest_brief=1"], self.tree, MOST_SECONDS,
                   env=dict(os.environ, RESIDUE_TIER="quick"))

    def require_sound(self):
        """What is not broken must pass, or everything would count as killed."""
        for test in every_test():
            code, output = self.test(test)
            if code:
                sys.exit(f"{test} fails without any change:\n{output[-4000:]}")

    def try_mutant(self, mutant):
        path = self.tree / mutant.file
        time = path.stat()
        before = path.read_text()  # which the objects were made of, whatever becomes of the source meanwhile
        try:
            path.write_text(mutant.after)
            for test in mutant.tests():
                # One job each: the workers share the machine. And one test after the other: the first kills most.
                code, _ = run(["cmake", "--build", "build", "-j1", "--target", test], self.tree, 1200)
                if code:
                    return "does not compile"
                code, output = self.test(test)
                if code:
                    failed = re.search(r"\[  FAILED  \] ([^\s,]+)", output)
                    return f"killed by {failed.group(1) if failed else test + (' (hang)' if output == 'timeout' else ' (crash)')}"
            return "SURVIVED"
        finally:
            path.write_text(before)
            os.utime(path, ns=(time.st_atime_ns, time.st_mtime_ns))
            self.mend()


def explanations():
    """Lines "mutant" followed by an indented reason."""
    reasons = {}
    name = None
    for line in EXPLAINED.read_text().splitlines() if EXPLAINED.exists() else []:
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" "):
            reasons[name] = line.strip()
        else:
            name = line
    return reasons


def kept_verdicts():
    """What an earlier run found out and new tests cannot change."""
    kept = {}
    for line in VERDICTS.read_text().splitlines() if VERDICTS.exists() else []:
        name, _, verdict = line.rpartition(": ")
        if verdict != "SURVIVED":
            kept[name] = verdict
    return kept


def without_number(name):
    return re.sub(r"^([^:]+):\d+: ", r"\1: ", name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=210, help="size of the sample")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="", help="only mutants whose name contains this")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--chosen", action="store_true", help="only those chosen by hand")
    parser.add_argument("--list", action="store_true", help="print the sample and stop")
    parser.add_argument("--resume", action="store_true", help="keep what an earlier run killed")
    arguments = parser.parse_args()

    # Each group: how many verdicts are wanted, and the mutants that may give them.
    groups = [(len(by_hand()), by_hand())] + ([] if arguments.chosen else sample(arguments.count, arguments.seed))
    groups = [(wanted, [m for m in mutants if arguments.only in m.name]) for wanted, mutants in groups]
    if arguments.list:
        for wanted, mutants in groups:
            print("\n".join(mutant.name for mutant in mutants[:wanted]))
        return 0

    kept = kept_verdicts() if arguments.resume else {}
    VERDICTS.parent.mkdir(parents=True, exist_ok=True)
    workers = queue.Queue()
    journal = VERDICTS.open("a" if arguments.resume else "w")
    with journal, concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        for worker in pool.map(Worker, range(arguments.workers)):
            workers.put(worker)
        worker.require_sound()
        verdicts = {}

        def try_mutant(mutant):
            if mutant.name in kept:
                return mutant.name, kept[mutant.name]
            worker = workers.get()
            try:
                verdict = worker.try_mutant(mutant)
            finally:
                workers.put(worker)
            print(f"{mutant.name}: {verdict}", flush=True)
            print(f"{mutant.name}: {verdict}", file=journal, flush=True)
            return mutant.name, verdict

        for wanted, mutants in groups:
            rest = iter(mutants)
            missing = min(wanted, len(mutants))
            while missing > 0:
                batch = [mutant for mutant, _ in zip(rest, range(missing))]
                if not batch:
                    break
                for name, verdict in pool.map(try_mutant, batch):
                    if verdict != "does not compile":
                        verdicts[name] = verdict
                        missing -= 1
            if missing > 0 and not arguments.only:
                sys.exit(f"{missing} mutants fewer than wanted compile, of those that begin with {mutants[0].name}")

        again = [mutant for _, mutants in groups for mutant in mutants
                 if verdicts.get(mutant.name) == "SURVIVED" and mutant.folder() in BY_TARGET]
        if again:
            print(f"\n{len(again)} that survived, on all targets:", flush=True)
            for worker in list(workers.queue):
                worker.build(ALL_TARGETS)
            worker.require_sound()
            for name, verdict in pool.map(try_mutant, again):
                if verdict == "does not compile":  # for a target that was left out
                    del verdicts[name]
                else:
                    verdicts[name] = verdict

    reasons = explanations()
    possible = {without_number(mutant.name) for folder in FOLDERS for mutant in candidates(folder)}
    possible |= {mutant.name for mutant in by_hand()}
    stale = [name for name in reasons if name not in possible]
    survivors = [name for name, verdict in verdicts.items() if verdict == "SURVIVED"]
    unexplained = [name for name in survivors if without_number(name) not in reasons]
    killed = len(verdicts) - len(survivors)
    print("\nsurvivors:")
    for name in survivors:
        print(f"  {name}\n      {reasons.get(without_number(name), 'UNEXPLAINED')}")
    for name in stale:
        print(f"{EXPLAINED.relative_to(ROOT)} explains what the sources no longer have:\n  {name}")
    score = killed / max(1, len(verdicts))
    print(f"mutants {len(verdicts)}, killed {killed} ({100 * score:.1f}%), explained {len(survivors) - len(unexplained)}, "
          f"unexplained {len(unexplained)}")
    if "RESIDUE_FIGURES" in os.environ:
        with open(os.environ["RESIDUE_FIGURES"], "a") as file:
            file.write(f"mutants {len(verdicts)}\nmutants.killed {killed}\n")
    return 1 if unexplained or stale or score < LEAST_KILLED else 0


if __name__ == "__main__":
    sys.exit(main())
