#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/draw/color-map-tables.c: the 256 colours of each map. Needs matplotlib (its tables only).

Usage: make-color-maps.py | clang-format > src/draw/color-map-tables.c

YlGnBu is interpolated here, along CIELAB, through the nine colours ColorBrewer publishes, so that
equal steps of weight are equal steps of lightness within each class. The others are matplotlib's
published tables, rounded to 8 bits. Where that rounding stops lightness from rising strictly, the
later neighbour's channels move by at most 1/255, as few of them as will do.

The diverging tables, one for light and one for dark surroundings, are our own: from a neutral middle (entry 128)
purple and green part in CIELCh with equal steps of lightness, so that equal amounts more and less look equally
strong. The two hues stay apart for people who see red and green, or blue and yellow, alike, and both stay away from
the orange that marks what was picked; tests/draw/test-color-map.c measures it.
"""
import ast
import importlib.util
import itertools
import math
import os
import sys

YLGNBU = ["ffffd9", "edf8b1", "c7e9b4", "7fcdbb", "41b6c4", "1d91c0", "225ea8", "253494", "081d58"]
WHITE = (0.95047, 1.0, 1.08883)  # D65
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
FROM_XYZ = ((3.2404542, -1.5371385, -0.4985314), (-0.9692660, 1.8760108, 0.0415560), (0.0556434, -0.2040259, 1.0572252))


def linear(c):
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def encoded(c):
    c = min(max(c, 0.0), 1.0)
    return 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055


def product(m, v):
    return [sum(a * b for a, b in zip(row, v)) for row in m]


def to_lab(rgb):
    xyz = product(TO_XYZ, [linear(c / 255) for c in rgb])
    f = [t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (a / w for a, w in zip(xyz, WHITE))]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def from_lab(lab):
    fy = (lab[0] + 16) / 116
    f = (fy + lab[1] / 500, fy, fy - lab[2] / 200)
    xyz = [w * (t**3 if t**3 > 216 / 24389 else (116 * t - 16) * 27 / 24389) for t, w in zip(f, WHITE)]
    return [round(255 * encoded(c)) for c in product(FROM_XYZ, xyz)]


def brewer(stops):
    labs = [to_lab([int(s[i : i + 2], 16) for i in (0, 2, 4)]) for s in stops]
    table = []
    for i in range(256):
        place = i * (len(labs) - 1) / 255
        k = min(int(place), len(labs) - 2)
        table.append(from_lab([a + (place - k) * (b - a) for a, b in zip(labs[k], labs[k + 1])]))
    return table


PURPLE, GREEN = 315, 158  # hues, degrees
DIVERGING = [("LIGHT", 98, 30), ("DARK", 16, 82)]  # lightness in the middle and at the ends
FULL_CHROMA_AT = 0.6  # of an arm; from there on the colour is as vivid as it may be
MAX_CHROMA = 75
GAMUT_SHARE = 0.95


def find_chroma(lightness, hue):
    """The most vivid colour a screen can show, in whole steps."""
    chroma = 0
    while True:
        fy = (lightness + 16) / 116
        a, b = (chroma + 1) * math.cos(hue), (chroma + 1) * math.sin(hue)
        f = (fy + a / 500, fy, fy - b / 200)
        xyz = [w * (t**3 if t**3 > 216 / 24389 else (116 * t - 16) * 27 / 24389) for t, w in zip(f, WHITE)]
        if not all(-0.002 <= c <= 1.002 for c in product(FROM_XYZ, xyz)):
            return chroma
        chroma += 1


def arm(degrees, middle, end):
    """127 colours from beside the middle to the end."""
    hue = math.radians(degrees)
    table = []
    for i in range(1, 128):
        share = i / 127
        lightness = middle + (end - middle) * share
        vivid = MAX_CHROMA * min(share / FULL_CHROMA_AT, 1)
        chroma = min(vivid, GAMUT_SHARE * find_chroma(lightness, hue))
        table.append(from_lab((lightness, chroma * math.cos(hue), chroma * math.sin(hue))))
    return table


def diverging(middle, end):
    less, more = arm(GREEN, middle, end), arm(PURPLE, middle, end)
    neutral = from_lab((middle, 0, 0))
    return [less[-1], *strict([neutral, *less])[0][:0:-1], neutral, *strict([neutral, *more])[0][1:]]


def published(name):
    """The literal table in matplotlib's source, read without importing it (it would pull much in)."""
    folder = os.path.dirname(importlib.util.find_spec("matplotlib").origin)
    with open(os.path.join(folder, "_cm_listed.py"), encoding="utf-8") as f:
        tree = ast.parse(f.read())
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == f"_{name}_data":
            return [[round(255 * c) for c in rgb] for rgb in ast.literal_eval(node.value)]
    sys.exit(f"no table {name} in matplotlib")


def strict(table):
    up = 1 if to_lab(table[-1])[0] > to_lab(table[0])[0] else -1
    moves = sorted(itertools.product((-1, 0, 1), repeat=3), key=lambda d: sum(map(abs, d)))
    moved = 0
    for i in range(1, len(table)):
        before = to_lab(table[i - 1])[0]
        for move in moves:
            color = [min(max(c + d, 0), 255) for c, d in zip(table[i], move)]
            if up * (to_lab(color)[0] - before) > 1e-4:
                break
        else:
            sys.exit(f"entry {i} cannot be made strictly monotone")
        moved += any(move)
        table[i] = color
    return table, moved


def print_words(table):
    words = ["0xff%02x%02x%02x," % tuple(c) for c in table]
    for i in range(0, 256, 7):
        print("        " + " ".join(words[i : i + 7]))


def main():
    maps = [
        ("YLGNBU", brewer(YLGNBU)),
        ("VIRIDIS", published("viridis")),
        ("CIVIDIS", published("cividis")),
        ("MAGMA", published("magma")),
        ("GREY", [[255 - i] * 3 for i in range(256)]),
    ]
    print("/* SPDX-License-Identifier: MIT */")
    print("/* The colours of each map; written by tests/tools/make-color-maps.py, do not edit. */")
    print('#include "color-map-tables.h"\n')
    print("const uint32_t attn_draw_color_map_tables[ATTN_DRAW_N_COLOR_MAPS][256] = {")
    for name, table in maps:
        table, moved = strict(table)
        print(f"{name}: {moved} colours moved", file=sys.stderr)
        print(f"    [ATTN_DRAW_COLOR_MAP_{name}] = {{")
        print_words(table)
        print("    },")
    print("};")
    print("\nconst uint32_t attn_draw_diverging_tables[ATTN_DRAW_N_DIVERGING][256] = {")
    for name, middle, end in DIVERGING:
        print(f"    [ATTN_DRAW_DIVERGING_{name}] = {{")
        print_words(diverging(middle, end))
        print("    },")
    print("};")


main()
