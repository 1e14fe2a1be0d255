"""The reference: C and C++ from the headers, Python from the package, the command from what it prints."""
import importlib
import inspect
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def write_c(path):
    path.write_text("""# C reference

```c
#include <residue/residue.h>
```

Link with `-lresidue`, or `residue::residue` from CMake. The header is C99, and C++ may include it too. No function
throws, prints or ends the program.

```{eval-rst}
.. doxygenfile:: residue.h
```
""", encoding="utf-8")


# Header, heading, what it is for.
HEADERS = [
    ("operators.hpp", "Operators", "The functions that compute, with an output or as a value."),
    ("view.hpp", "Views", "Strided memory of any number of dimensions."),
    ("plan.hpp", "Plans", "A layout that is analysed once and run many times."),
    ("graph.hpp", "Graphs", "A formula on tensors, computed in one pass over memory."),
    ("graph_binding.hpp", "Memory of graphs", "What a run of a graph reads and writes."),
    ("result.hpp", "Results", "What was refused, and why."),
    ("element.hpp", "Elements", "Which types elements may have."),
]


def _describe(header, members, classes):
    """Breathe's directives for everything that a header declares, in the order of its lines."""
    found = []
    for member in members:
        place = member.find("location")
        if not place.get("file").endswith(f"/{header}"):
            continue
        kind, name = member.get("kind"), member.findtext("qualifiedname")
        if kind == "function":
            types = ["".join(parameter.find("type").itertext()) for parameter in member.findall("param")]
            found.append((int(place.get("line")), "doxygenfunction", f"{name}({', '.join(types)})"))
        elif kind in ("typedef", "variable"):
            found.append((int(place.get("line")), f"doxygen{kind}", name))
    for compound in classes:
        place = compound.find("location")
        if place.get("file").endswith(f"/{header}"):
            found.append((int(place.get("line")), f"doxygen{compound.get('kind')}", compound.findtext("compoundname")))
    return [(directive, name) for _, directive, name in sorted(found)]


def write_cpp(path, xml):
    parts = ["""# C++ reference

```cpp
#include <residue/residue.hpp>
```

C++20. Everything is in the namespace `residue`; `residue.hpp` includes the headers below. The guide is
[C++](../docs/guides/cpp.md).
"""]
    namespace = ElementTree.parse(xml / "namespaceresidue.xml")
    compounds = [ElementTree.parse(xml / f"{inner.get('refid')}.xml").find("compounddef")
                 for inner in namespace.iter("innerclass")]
    for header, heading, purpose in HEADERS:
        parts.append(f"\n## {heading}\n\n{purpose}\n\n```{{eval-rst}}\n")
        for directive, name in _describe(header, namespace.iter("memberdef"), compounds):
            members = "   :members:\n" if directive in ("doxygenclass", "doxygenstruct") else ""
            parts.append(f".. {directive}:: {name}\n{members}\n")
        parts.append("```\n")
    path.write_text("".join(parts), encoding="utf-8")


def write_python(path, package_folder):
    """`package_folder` has the package as it is installed."""
    sys.path.insert(0, str(package_folder))
    residue = importlib.import_module("residue")
    parts = ["# Python reference\n\n```python\nimport residue\n```\n\nThe guide is [Python](../docs/guides/python.md).\n"]
    for name in residue.__all__:
        thing = getattr(residue, name)
        if name.startswith("__"):
            parts.append(f"\n## residue.{name}\n\nThe version, `{thing!r}`.\n")
            continue
        text = inspect.getdoc(thing) or ""
        if type(thing).__name__ == "ufunc":  # NumPy puts the signature first
            head, _, text = text.partition("\n\n")
            signature = head[head.index("("):]
        else:
            is_exception = isinstance(thing, type) and issubclass(thing, Exception)
            signature = "" if is_exception else str(inspect.signature(thing))
        parts.append(f"\n## residue.{name}\n\n```python\nresidue.{name}{signature}\n```\n\n```text\n{text}\n```\n")
    path.write_text("".join(parts), encoding="utf-8")


def write_command(path, command):
    def ask(*arguments):
        return subprocess.run([command, *arguments], check=True, capture_output=True, text=True).stdout

    names = re.findall(r"^  (\w+) ", ask("help").partition("Subcommands:")[2], re.MULTILINE)
    parts = ["# Command reference\n\nWhat `residue help` prints. The guide is [the command](../docs/guides/command.md).\n"]
    parts.append(f"\n```text\n{ask('help')}```\n")
    for name in names:
        parts.append(f"\n## residue {name}\n\n```text\n{ask('help', name)}```\n")
    path.write_text("".join(parts), encoding="utf-8")
