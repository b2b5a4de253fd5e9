#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes src/core/unicode-tables.c from the Unicode Character Database.

    tests/tools/make-unicode-tables.py [UCD_FOLDER] > src/core/unicode-tables.c

UCD_FOLDER holds UnicodeData.txt and DerivedAge.txt of Unicode 15.0 (Debian package unicode-data,
/usr/share/unicode). The tables describe what the published fast BERT tokenizer does: its sets of
control, punctuation and accent characters are those of Unicode 8.0, its decompositions and
combining classes those of 9.0, its lower case that of 17.0. Every code point was compared with tokenizers 0.23.3.
"""
import os
import sys

CATEGORY_VERSION = (8, 0)
DECOMPOSITION_VERSION = (9, 0)

# Characters of Unicode 8.0 that have another general category since.
CATEGORY_IN_8_0 = {0x166D: "Po", 0x1734: "Mn", 0x1885: "Lo", 0x1886: "Lo", 0xA9BD: "Mc", 0x111C9: "Po"}

# Lower case of characters that came after 15.0: first, last, step, distance.
LOWER_SINCE_16_0 = [
    (0x1C89, 0x1C89, 1, 1), (0xA7CB, 0xA7CB, 1, 0x264 - 0xA7CB), (0xA7CC, 0xA7CE, 2, 1), (0xA7D2, 0xA7D4, 2, 1),
    (0xA7DA, 0xA7DA, 1, 1), (0xA7DC, 0xA7DC, 1, 0x19B - 0xA7DC), (0x10D50, 0x10D65, 1, 32), (0x16EA0, 0x16EB8, 1, 27),
]

# The property White_Space above ASCII, closed for practical purposes since 6.3.
WHITE = [0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]

# What counts as an ideograph; the fast tokenizer begins extension E at 2B920, not at 2B820.
IDEOGRAPHS = [
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
]

HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)


def read_ucd(folder):
    """code point -> fields of UnicodeData.txt, code point -> version it came with"""
    fields, first = {}, None
    with open(os.path.join(folder, "UnicodeData.txt"), encoding="ascii") as file:
        for line in file:
            row = line.rstrip("\n").split(";")
            code = int(row[0], 16)
            if row[1].endswith(", First>"):
                first = code
            for c in range(first if row[1].endswith(", Last>") else code, code + 1):
                fields[c] = row
    age = {}
    with open(os.path.join(folder, "DerivedAge.txt"), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                span, version = (part.strip() for part in line.split(";"))
                ends = [int(end, 16) for end in span.split("..")]
                for c in range(ends[0], ends[-1] + 1):
                    age[c] = tuple(int(part) for part in version.split("."))
    return fields, age


def flags_of(fields, age):
    """ASCII is left out: attn_char_get_flags() tells it without a table."""
    flags = {}

    def add(code, name):
        flags.setdefault(code, []).append(name)

    for code, row in sorted(fields.items()):
        if code < 0x80 or 0xD800 <= code < 0xE000:
            continue
        category = CATEGORY_IN_8_0.get(code, row[2])
        if age[code] <= CATEGORY_VERSION:
            if category in ("Cc", "Cf", "Co") or code == 0xFFFD:
                add(code, "CONTROL")
            if category[0] == "P":
                add(code, "PUNCTUATION")
            if category == "Mn":
                add(code, "ACCENT")
        if age[code] <= DECOMPOSITION_VERSION:
            if row[5] and not row[5].startswith("<") or code in HANGUL_SYLLABLES:
                add(code, "DECOMPOSES")
            if row[3] != "0":
                add(code, "REORDERS")
    for code in WHITE:
        add(code, "WHITE")
    for first, last in IDEOGRAPHS:
        for code in range(first, last + 1):
            add(code, "IDEOGRAPH")
    return flags


def flag_ranges(flags):
    ranges = []
    for code in sorted(flags):
        names = " | ".join(flags[code])
        if ranges and ranges[-1][1] == code - 1 and ranges[-1][2] == names:
            ranges[-1][1] = code
        else:
            ranges.append([code, code, names])
    return ranges


def lower_ranges(fields):
    """Runs of capitals with one distance to their small letters, each or every second code point"""
    lower = {code: int(row[13], 16) - code for code, row in fields.items() if row[13] and code >= 0x80}
    for first, last, step, distance in LOWER_SINCE_16_0:
        lower.update((code, distance) for code in range(first, last + 1, step))
    ranges = []
    for code in sorted(lower):
        if ranges and ranges[-1][3] == lower[code]:
            first, last, step, _ = ranges[-1]
            if code - last == step or first == last and code - last <= 2:
                ranges[-1][1:3] = [code, code - last]
                continue
        ranges.append([code, code, 1, lower[code]])
    return ranges


def print_rows(rows):
    line = " "
    for row in rows:
        if len(line) + len(row) + 2 > 100:
            print(line)
            line = " "
        line += " " + row + ","
    print(line)


def main():
    fields, age = read_ucd(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    print("/* SPDX-License-Identifier: MIT */")
    print("/* Character properties as the fast tokenizers know them, and lower case. Written by")
    print(" * tests/tools/make-unicode-tables.py; change that, not this. */")
    print('#include "unicode-tables.h"\n')
    print("#define CONTROL ATTN_CHAR_CONTROL\n#define WHITE ATTN_CHAR_WHITE\n#define PUNCTUATION ATTN_CHAR_PUNCTUATION")
    print("#define ACCENT ATTN_CHAR_ACCENT\n#define IDEOGRAPH ATTN_CHAR_IDEOGRAPH")
    print("#define DECOMPOSES ATTN_CHAR_DECOMPOSES\n#define REORDERS ATTN_CHAR_REORDERS\n")
    print("/* clang-format off */")
    print("const AttnCharRange attn_char_ranges[] = {")
    ranges = flag_ranges(flags_of(fields, age))
    print_rows(f"{{0x{first:04X}, 0x{last:04X}, {names}}}" for first, last, names in ranges)
    print("};\nconst size_t attn_n_char_ranges = G_N_ELEMENTS (attn_char_ranges);\n")
    print("const AttnLowerRange attn_lower_ranges[] = {")
    print_rows(f"{{0x{first:04X}, 0x{last:04X}, {step}, {distance}}}" for first, last, step, distance in lower_ranges(fields))
    print("};\nconst size_t attn_n_lower_ranges = G_N_ELEMENTS (attn_lower_ranges);")


main()
