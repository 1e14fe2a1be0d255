"""The museum of bugs as a page: what others answered, and what is right."""
import html
import json

COLUMNS = ("Runtime", "Input", "Its answer", "Right", "Source", "Lesson")
FEW = 4  # operands that are shown of a long list


def _list(values):
    shown = ", ".join(map(str, values[:FEW]))
    return shown if len(values) <= FEW else f"{shown}, … ({len(values)})"


def _right(right):
    names = {"floor": "FLOOR", "trunc": "TRUNCATE"}
    answers = [f"{names.get(key, key)} {_list(values)}" for key, values in right.items() if not key.endswith("_bits")]
    return "; ".join(answers)


def _source(source):
    """A link if it names a place on GitHub, as owner/name#number does."""
    first = source.split()[0].rstrip(",;")
    owner, mark, number = first.partition("#")
    if mark and number.isdigit() and owner.count("/") == 1:
        return f'<a href="https://github.com/{owner}/issues/{number}">{html.escape(source)}</a>'
    return html.escape(source)


def write(museum, path):
    entries = json.loads(museum.read_text(encoding="utf-8"))["entries"]
    others = [entry for entry in entries if not entry["runtime"].lower().startswith("residue")]
    own = len(entries) - len(others)
    rows = []
    for entry in entries:
        inputs = entry["inputs"]
        operands = " mod ".join(_list(inputs[key]) for key in ("a", "b") if key in inputs)
        cells = [html.escape(entry["runtime"]), html.escape(f"{entry['dtype']}: {operands}"),
                 html.escape(str(entry["wrong"])), html.escape(_right(entry["right"])), _source(entry["source"]),
                 html.escape(entry["lesson"])]
        rows.append(f'<tr id="{html.escape(entry["id"])}">' + "".join(
            f'<td data-name="{name}">{cell}</td>' for name, cell in zip(COLUMNS, cells)) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    path.write_text(f"""# The museum of bugs

{len(others)} wrong results of others, and {own} of our own, each with its source. Every one is a test: Residue's answer is the
right one on every instruction set. `residue verify` runs them all.

<p><label>Filter: <input class="museum-filter" type="search" placeholder="numpy int64, crash, nan …"></label>
<span class="museum-count">{len(entries)} of {len(entries)}</span></p>

<div class="museum"><table><thead><tr>{head}</tr></thead><tbody>
{chr(10).join(rows)}
</tbody></table></div>
<script src="../_static/museum.js"></script>
""", encoding="utf-8")
