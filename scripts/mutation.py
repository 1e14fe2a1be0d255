#!/usr/bin/env python3
"""Breaks the library on purpose, one line at a time, and shows which test notices.

usage: mutation.py [--only WORD]... [--tests REGEX] [--build DIR]

Works on a copy of the tree in DIR (default build/mutation), so the checkout stays as it is. Every mutant must be
caught by the quick tests; exit 1 if one survives.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# name, file, what is there, what the mutant has instead
MUTANTS = [
    ("zero rule, kernels", "src/kernels/modulus_int-inl.h",
     "const V one = hn::Set(d, T{1});", "const V one = hn::Set(d, T{2});"),
    ("zero rule, judge", "src/kernels/reference.cc",
     "constexpr T kModulusByZero = 0;", "constexpr T kModulusByZero = 1;"),
    ("MIN and -1 guard, judge", "src/kernels/reference.cc", "if (b == -1) return 0;", "if (b == -2) return 0;"),
    ("divisor 1, and with it MIN and -1, kernels", "src/kernels/modulus_int-inl.h",
     "a = hn::IfThenZeroElse(hn::Eq(b, hn::Set(DU(), 1u)), a);", ";"),
    ("floor fix-up, wide integers", "src/kernels/modulus_int-inl.h",
     "hn::IfThenElse(fix, hn::Sub(divisor, remainder), remainder)", "remainder"),
    ("floor fix-up, narrow integers", "src/kernels/modulus_narrow-inl.h",
     "constexpr Rounding kMode = std::is_signed_v<T> ? kRounding : Rounding::kTruncate;",
     "constexpr Rounding kMode = Rounding::kTruncate;"),
    ("rounding down by the nearest, narrow integers", "src/kernels/modulus_narrow-inl.h",
     "hn::MulSub(half, hn::Abs(reciprocal), half)", "hn::Mul(half, hn::Abs(reciprocal))"),
    ("small integers: the step back", "src/kernels/modulus_int-inl.h",
     "const VF step = hn::Or(hn::Abs(divisor), sign);", "const VF step = hn::Zero(df);"),
    ("small integers: which are small", "src/kernels/modulus_int-inl.h",
     "sizeof(T) == 4 ? 20 : 50;", "sizeof(T) == 4 ? 24 : 54;"),
    ("floor fix-up, floats", "src/kernels/modulus_float-inl.h",
     "kRounding == Rounding::kFloor ? hn::Xor(r, sign_of_product) : r", "r"),
    ("floor fix-up, judge", "src/kernels/reference.cc", "r != 0 && signs_differ ?", "signs_differ ?"),
    ("reciprocal bias", "src/kernels/modulus_int-inl.h", "Float(1) - Float(0x1p-50)", "Float(1)"),
    ("last conditional subtraction", "src/kernels/modulus_int-inl.h",
     "hn::Min(r1, hn::Sub(r1, b))", "r1"),
    ("half a unit", "src/kernels/modulus_narrow-inl.h", "hn::Set(df, 0.5f)", "hn::Set(df, 0.0f)"),
    ("tail: one element short", "src/kernels/tile_loop-inl.h",
     "StorePart(d, tail_a, rest, out + whole);", "StorePart(d, tail_a, rest - 1, out + whole);"),
    ("tail: a whole vector is written", "src/kernels/tile_loop-inl.h",
     "StorePart(d, tail_a, rest, out + whole);", "StorePart(d, tail_a, hn::Lanes(d), out + whole);"),
    ("tail: a whole vector is read", "src/kernels/tile_loop-inl.h",
     "LoadPart(d, a + whole, rest, T{0}, tail_a);", "LoadPart(d, a + whole, hn::Lanes(d), T{0}, tail_a);"),
    ("streaming: the second page", "src/kernels/tile_loop-inl.h",
     "page < kStreamWindow<T>; page += kPage", "page < kPage; page += kPage"),
    ("streaming: the unaligned beginning", "src/kernels/tile_loop-inl.h",
     "const size_t rest = head + streamed;", "const size_t rest = streamed;"),
    ("scalar dividend: the second block", "src/kernels/tile_loop-inl.h",
     "RunPacked<Math, false>(math, a, b + i, out + i,", "RunPacked<Math, false>(math, a, b, out + i,"),
    ("pairs: the long division of the second", "src/kernels/tile_loop-inl.h", "result1 = long1;", ""),
    ("half lanes: large divisors", "src/kernels/modulus_fp16-inl.h",
     "const __mmask32 bad = large | ", "const __mmask32 bad = "),
    ("half lanes: eight bits of the quotient", "src/kernels/modulus_fp16-inl.h",
     "hn::Set(d, 0xFFF8u)", "hn::Set(d, 0xFFFFu)"),
    ("transposition: the odd columns", "src/kernels/transpose-inl.h",
     "for (size_t column = square_columns; column < columns; ++column) {",
     "for (size_t column = square_columns + 1; column < columns; ++column) {"),
    ("reversed gather", "src/kernels/gather-inl.h", "from - i - (lanes - 1)", "from - i - lanes"),
    ("short rows: one buffer for rows alike", "src/kernels/strided_loop-inl.h",
     "if (row == 0 || from.row_stride != 0) Gather", "if (row == 0) Gather"),
    ("exchanged loop comes second", "src/plan/layout.cc", "return std::swap(layout->loops[1], layout->loops[i]);", "return;"),
    ("float test for the long division", "src/kernels/modulus_float-inl.h",
     "return hn::AllTrue(d, hn::Lt(hn::Abs(r), b_magnitude));", "return true;"),
    ("infinite divisor of half", "src/kernels/modulus_half-inl.h", "hn::Set(DF(), 0x1p17f)", "hn::Set(DF(), 0x1p16f)"),
    ("steps of the long division", "src/kernels/long_remainder-inl.h", "constexpr int kStep = 50;",
     "constexpr int kStep = 53;"),
    ("sorting of loops", "src/plan/layout.cc", "  SortLoops(layout);\n", ""),
    ("output overlap test", "src/plan/layout.cc", "if (OutputOverlapsItself(", "if (false && OutputOverlapsItself("),
    ("partial overlap is copied", "src/exec/run.cc", "if (copy_a || copy_b) return", "if (copy_a) return"),
    ("floating-point environment", "src/exec/job.cc", "const ScopedFloatEnvironment environment;", ""),
    ("rows of a tile", "src/exec/tile_walk.h", "rows.size - row) : 0", "rows.size) : 0"),
    ("scale and bias, half", "src/kernels/identity-inl.h", "hn::Or(rounded, sum_sign)", "rounded"),
    ("directml: minimum size", "src/schema/tensor_desc.cc", "element_size + 3) / 4 * 4", "element_size)"),
    ("directml: alignment is a power of two", "src/schema/tensor_desc.cc", "|| !std::has_single_bit(alignment)", ""),
    ("directml: equal sizes", "src/schema/operator_desc.cc", "if (tensor.sizes[d] != first.sizes[d]) {", "if (false) {"),
    ("directml: type table", "src/schema/operator_desc.cc", "if ((support.types & SetOf(tensor.type)) == 0) {",
     "if (false) {"),
    ("directml: later entries of the table", "src/schema/operator_schema.cc", "if (support.since <= level) newest",
     "if (support.since <= level && newest == nullptr) newest"),
    ("directml: owned outputs", "src/schema/operator_desc.cc", "if (request.output().owned_by_dml) {", "if (false) {"),
    ("directml: output overlap", "src/schema/operator_desc.cc", "return CheckOutputLayout(*request);", "return {};"),
    ("directml: cycles", "src/schema/graph_edges.cc", "if (missing[n] != 0) {", "if (false) {"),
    ("directml: largest reader of a graph input", "src/schema/graph.cc",
     "requirement.bytes = std::max(requirement.bytes, tensor.total_bytes);", "requirement.bytes = tensor.total_bytes;"),
    ("directml: persistent offset", "src/schema/graph.cc", "input.persistent_offset = AlignUp(compiled->persistent_bytes);",
     "input.persistent_offset = 0;"),
    ("directml: temporary places", "src/schema/graph.cc", "program->temporary_bytes = offset + nodes",
     "program->temporary_bytes = 0 * nodes"),
    ("directml: copies of one result", "src/schema/graph.cc", "result.space == Space::kOutput && result.index == i",
     "result.space == Space::kOutput"),
    ("directml: range of a binding", "src/api/bindings.cc", "binding.SizeInBytes > width - binding.Offset",
     "binding.SizeInBytes > width"),
    ("directml: unordered access", "src/api/bindings.cc", "(host.flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0",
     "false"),
    ("directml: identical regions", "src/api/bindings.cc", "!(in_place && Identical(input, output))", "!in_place"),
    ("directml: temporary and persistent", "src/api/bindings.cc", "if (Overlap(bindings.temporary, bindings.persistent)) {",
     "if (false) {"),
    ("directml: initialization in one resource", "src/api/bindings.cc",
     "if (target.is_initializer && SameResource(input, output)) {", "if (false) {"),
    ("directml: owned input at execution", "src/api/binding_table.cc",
     "compiled.inputs[i].owned_by_dml && input.bound()", "false"),
    ("directml: uninitialized execution", "src/api/dispatch.cc", "if (must_be_initialized && !state.initialized.load()) {",
     "if (false) {"),
    ("directml: removed devices run nothing", "src/api/dispatch.cc",
     "void DispatchWork::Run() noexcept {\n  if (state_->IsRemoved()) return;",
     "void DispatchWork::Run() noexcept {"),
    ("directml: volatile bindings", "src/api/command_recorder.cc", "->descriptors_volatile) {", "->descriptors_volatile && false) {"),
    ("d3d12: reference counts", "src/com/com_object.h", "if (left == 0) delete this;", "if (left == 1) delete this;"),
    ("d3d12: order of a queue", "src/host_d3d12/command_queue.cc",
     "item = std::move(items_.front());\n      items_.pop_front();",
     "item = std::move(items_.back());\n      items_.pop_back();"),
    ("d3d12: stray event handles", "src/host_d3d12/fence.cc", "if (!IsEventDescriptor(descriptor)) {", "if (false) {"),
    ("d3d12: room for a copy", "src/host_d3d12/command_list.cc", "offset <= width && size <= width - offset",
     "offset <= width"),
    ("exceptions: the divisors of the end", "src/kernels/examine-inl.h",
     "const auto end_b = LoadFew(d, b.single ? b.elements : b.elements + i, b.single, count - i);",
     "const auto end_b = one_b;"),
    ("exceptions: signalling NaN", "src/kernels/examine-inl.h",
     "hn::Or(signalling, hn::Or(infinite, by_zero))", "hn::Or(infinite, by_zero)"),
    ("exceptions: infinity by NaN", "src/kernels/examine-inl.h",
     "hn::AndNot(y_is_nan, hn::Eq(x, infinity))", "hn::Eq(x, infinity)"),
    ("exceptions: looked for before the results are there", "src/exec/examined_tile.cc",
     "if (tile.stream) {", "if (true) {"),
    ("exceptions: the second piece", "src/exec/examined_tile.cc",
     "found |= RunPiece(kernel, tile);\n    Advance(tile.column_stride", "found = RunPiece(kernel, tile);\n    Advance(tile.column_stride"),
    ("exceptions: of other threads", "src/exec/job.cc",
     "found_.fetch_or(found, std::memory_order_relaxed);", ";"),
    ("in order: turned round", "src/plan/layout.cc",
     "request.strides[kOperandOut][i] < 0 && !request.in_order", "request.strides[kOperandOut][i] < 0"),
    ("short rows: overlap", "src/exec/short_row.h",
     "(from > to ? from - to : to - from) >= bytes", "true"),
    ("idle lanes against the one operand", "src/kernels/examine-inl.h",
     "hn::MaskedLoad(mask, d, from), hn::Set(d, LoadScalar(from)))", "hn::MaskedLoad(mask, d, from), hn::Set(d, T{1}))"),
    ("in order: all at once", "src/exec/job.cc",
     "if (manner.in_order) return RunInOrder(plan.kernel, tile);", ""),
]


def run(command, directory, seconds):
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=seconds, check=False)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 1, "timeout"


def first_failures(output):
    names = [name.split("<")[0] for name, how in re.findall(r"^\s*\d+ - (.+) \((\w+)\)$", output, re.M)
             if how != "Skipped"]
    distinct = list(dict.fromkeys(names))
    return f"{len(names)} tests, " + ", ".join(distinct[:6]) + (", ..." if len(distinct) > 6 else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", help="only mutants whose name contains this; may be repeated")
    parser.add_argument("--tests", default="", help="only tests whose name matches this")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "mutation")
    arguments = parser.parse_args()

    tree = arguments.build.resolve()
    tree.mkdir(parents=True, exist_ok=True)
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.splitlines():
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
            shutil.copy2(ROOT / name, target)
    code, output = run(["cmake", "--preset", "release", "-DRESIDUE_BUILD_EXAMPLES=OFF",
                         "-DRESIDUE_WARNINGS_AS_ERRORS=OFF"], tree, 300)
    if code:
        sys.exit(output)

    survivors = []
    for name, file, original, mutant in MUTANTS:
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        path = tree / file
        source = (ROOT / file).read_text()
        if original not in source:
            sys.exit(f"{name}: {file} no longer has the line to break")
        path.write_text(source.replace(original, mutant))
        code, output = run(["cmake", "--build", "--preset", "release"], tree, 1200)
        if code:
            verdict = "caught by the compiler"
        else:
            code, output = run(["ctest", "--preset", "release", "-j2", "--timeout", "120", "-R", arguments.tests or "."], tree, 1800)
            verdict = f"caught by {first_failures(output)}" if code else "SURVIVED"
        if verdict == "SURVIVED":
            survivors.append(name)
        print(f"{name}: {verdict}", flush=True)
        path.write_text(source)
    print(f"{len(survivors)} mutants survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
