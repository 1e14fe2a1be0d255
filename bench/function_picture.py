#!/usr/bin/env python3
"""How many results of NumPy, PyTorch and SLEEF are not the nearest number, as a picture, from the table of docs/functions.md.

usage: function_picture.py docs/functions.md docs/performance/function_errors.svg
"""
import pathlib
import re
import sys

LIBRARIES = (("NumPy", 4, "#4c78a8"), ("PyTorch", 6, "#f58518"), ("SLEEF", 8, "#81b29a"))
WIDTH, LEFT, TOP, BAR = 760, 110, 64, 8


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = []
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10 and re.fullmatch(r"[0-9.]+", cells[1]):
            rows.append((cells[0], [cells[column].rstrip("%") for _, column, _ in LIBRARIES]))
    most = 70
    scale = (WIDTH - LEFT - 60) / most
    step = BAR * len(LIBRARIES) + 6
    height = TOP + step * len(rows) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           '<text x="16" y="24" font-size="15">Results that are not the nearest float32 number, in percent; Residue: none</text>']
    x = 16
    for name, _, colour in LIBRARIES:
        out += [f'<rect x="{x}" y="36" width="12" height="12" fill="{colour}"/>', f'<text x="{x + 18}" y="47">{name}</text>']
        x += 90
    bottom = TOP + step * len(rows)
    for percent in range(0, most + 1, 10):
        at = LEFT + percent * scale
        out += [f'<line x1="{at:.1f}" y1="{TOP - 4}" x2="{at:.1f}" y2="{bottom}" stroke="#dddddd"/>',
                f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{percent}</text>']
    for i, (function, shares) in enumerate(rows):
        top = TOP + i * step
        out.append(f'<text x="{LEFT - 8}" y="{top + BAR + 4}" text-anchor="end">{function}</text>')
        for k, share in enumerate(shares):
            if share:
                out.append(f'<rect x="{LEFT}" y="{top + k * BAR}" width="{float(share) * scale:.1f}" height="{BAR - 1}" '
                           f'fill="{LIBRARIES[k][2]}"/>')
    pathlib.Path(sys.argv[2]).write_text("\n".join(out + ["</svg>"]) + "\n")


if __name__ == "__main__":
    main()
