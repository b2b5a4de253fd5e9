#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes src/core/unicode-tables.c and src/core/unicode-classes.c from the Unicode Character Database.

    tests/tools/make-unicode-tables.py tables > src/core/unicode-tables.c
    tests/tools/make-unicode-tables.py classes > src/core/unicode-classes.c

/usr/share/unicode holds the files of Unicode 15.0 (Debian package unicode-data). The tables describe what the
published fast tokenizers do, whose parts know different Unicode versions: their sets of control, punctuation and
accent characters are those of Unicode 8.0, their decompositions, combining classes and marks those of 9.0, the
letters, numbers and word characters of their patterns those of 16.0, their lower case, numeric characters and
grapheme clusters those of 17.0. Every code point was compared with tokenizers 0.23.3.
"""
import os
import sys

UCD = "/usr/share/unicode"

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

# Marks of Unicode 9.0 that have another general category since, and the other way round.
MARKS_IN_9_0 = {0x1CF2: True, 0x1CF3: True, 0x111C9: False}

# Characters that came with 15.1 and 16.0.
LETTERS_SINCE_15_1 = """1C89-1C8A A7CB-A7CD A7DA-A7DC 105C0-105F3 10D4A-10D65 10D6F-10D85 10EC2-10EC4 11380-11389
    1138B 1138E 11390-113B5 113B7 113D1 113D3 11BC0-11BE0 13460-143FA 16100-1611D 16D40-16D6C 18CFF 1E5D0-1E5ED 1E5F0
    2EBF0-2EE5D"""
NUMBERS_SINCE_15_1 = "10D40-10D49 116D0-116E3 11BF0-11BF9 16130-16139 16D70-16D79 1CCF0-1CCF9 1E5F1-1E5FA"
WORDS_SINCE_15_1 = """897 1C89-1C8A A7CB-A7CD A7DA-A7DC 105C0-105F3 10D40-10D65 10D69-10D6D 10D6F-10D85 10EC2-10EC4
    10EFC 11380-11389 1138B 1138E 11390-113B5 113B7-113C0 113C2 113C5 113C7-113CA 113CC-113D3 113E1-113E2 116D0-116E3
    11BC0-11BE0 11BF0-11BF9 11F5A 13460-143FA 16100-16139 16D40-16D6C 16D70-16D79 18CFF 1CCF0-1CCF9 1E5D0-1E5FA
    2EBF0-2EE5D"""

# And with 17.0.
NUMERIC_SINCE_16_0 = "11DE0-11DE9 16FF4-16FF6"
EXTENDING_SINCE_15_1 = """897 1ACF-1ADD 1AE0-1AEB 10D69-10D6D 10EFA-10EFC 113B8-113C0 113C2 113C5 113C7-113CA
    113CC-113D0 113D2 113E1-113E2 11B60-11B67 11F5A 1611E-1612F 1E5EE-1E5EF 1E6E3 1E6E6 1E6EE-1E6EF 1E6F5"""

# First code points of the scripts (Devanagari, Bengali, Gujarati, Oriya, Telugu, Malayalam) whose consonants form
# one cluster across their virama (rule GB9c), and these viramas.
CONJUNCT_BLOCKS = [0x900, 0x980, 0xA80, 0xB00, 0xC00, 0xD00]
CONJUNCT_LINKERS = [0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D]


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


def parse_ranges(text):
    codes = set()
    for part in text.split():
        ends = [int(end, 16) for end in part.split("-")]
        codes.update(range(ends[0], ends[-1] + 1))
    return codes


def read_property(name, values):
    """The code points of a property file whose value is among values, with the value"""
    found = {}
    with open(os.path.join(UCD, name), encoding="utf-8") as file:
        for line in file:
            fields = [part.strip() for part in line.split("#")[0].split(";")]
            if len(fields) >= 2 and fields[1] in values:
                ends = [int(end, 16) for end in fields[0].split("..")]
                found.update((code, fields[1]) for code in range(ends[0], ends[-1] + 1))
    return found


def compatibility_of(fields, age):
    """Characters whose full compatibility decomposition is not their canonical one"""
    own = {code: row[5] for code, row in fields.items() if row[5] and age[code] <= DECOMPOSITION_VERSION}

    def is_compatible(code):
        mapping = own.get(code, "")
        if mapping.startswith("<"):
            return True
        return any(is_compatible(int(part, 16)) for part in mapping.split())

    return {code for code in own if is_compatible(code)}


def classes_of(fields, age):
    """ASCII is left out here too."""
    sets = {
        "LETTER": {c for c, row in fields.items() if row[2][0] == "L"} | parse_ranges(LETTERS_SINCE_15_1),
        "NUMBER": {c for c, row in fields.items() if row[2][0] == "N"} | parse_ranges(NUMBERS_SINCE_15_1),
        "WORD": set(read_property("DerivedCoreProperties.txt", ("Alphabetic",)))
        | {c for c, row in fields.items() if row[2][0] == "M" or row[2] in ("Nd", "Pc")}
        | {0x200C, 0x200D}
        | parse_ranges(WORDS_SINCE_15_1),
        "MARK": {c for c, row in fields.items()
                 if MARKS_IN_9_0.get(c, row[2][0] == "M") and age[c] <= DECOMPOSITION_VERSION},
        "COMPATIBLE": compatibility_of(fields, age),
    }
    sets["NUMERIC"] = sets["NUMBER"] | parse_ranges(NUMERIC_SINCE_16_0)
    flags = {}
    for name in ("LETTER", "NUMBER", "NUMERIC", "WORD", "MARK", "COMPATIBLE"):
        for code in sets[name]:
            if code >= 0x80 and not 0xD800 <= code < 0xE000:
                flags.setdefault(code, []).append(name)
    return flags


def breaks_of():
    """The class that says where a grapheme cluster ends; LV and LVT are told by arithmetic."""
    names = {"Control": "CONTROL", "Extend": "EXTEND", "ZWJ": "ZWJ", "Regional_Indicator": "FLAG_LETTER",
             "Prepend": "PREPEND", "SpacingMark": "SPACING", "L": "HANGUL_L", "V": "HANGUL_V", "T": "HANGUL_T"}
    kinds = {code: names[value] for code, value in
             read_property("auxiliary/GraphemeBreakProperty.txt", names).items()}
    for code in read_property("emoji/emoji-data.txt", ("Extended_Pictographic",)):
        kinds.setdefault(code, "PICTURE")
    for code in read_property("IndicSyllabicCategory.txt", ("Consonant",)):
        if any(first <= code < first + 0x80 for first in CONJUNCT_BLOCKS):
            kinds.setdefault(code, "CONSONANT")
    for code in parse_ranges(EXTENDING_SINCE_15_1):
        kinds[code] = "EXTEND"
    for code in CONJUNCT_LINKERS:
        kinds[code] = "LINKER"
    return {code: [kind] for code, kind in kinds.items() if code >= 0x80 and not 0xD800 <= code < 0xE000}


def print_ranges(declaration, count, rows):
    print(f"const {declaration}[] = {{")
    print_rows(rows)
    print(f"}};\nconst size_t {count} = G_N_ELEMENTS ({declaration.split()[1]});")


def print_head(sentence):
    print("/* SPDX-License-Identifier: MIT */")
    print(f"/* {sentence} Written by")
    print(" * tests/tools/make-unicode-tables.py; change that, not this. */")
    print('#include "unicode-tables.h"\n')


def print_tables(fields, age):
    print_head("Character properties as the fast tokenizers know them, and lower case.")
    print("#define CONTROL ATTN_CHAR_CONTROL\n#define WHITE ATTN_CHAR_WHITE\n#define PUNCTUATION ATTN_CHAR_PUNCTUATION")
    print("#define ACCENT ATTN_CHAR_ACCENT\n#define IDEOGRAPH ATTN_CHAR_IDEOGRAPH")
    print("#define DECOMPOSES ATTN_CHAR_DECOMPOSES\n#define REORDERS ATTN_CHAR_REORDERS\n")
    print("/* clang-format off */")
    ranges = flag_ranges(flags_of(fields, age))
    print_ranges("AttnCharRange attn_char_ranges", "attn_n_char_ranges",
                 (f"{{0x{first:04X}, 0x{last:04X}, {names}}}" for first, last, names in ranges))
    print()
    print_ranges("AttnLowerRange attn_lower_ranges", "attn_n_lower_ranges",
                 (f"{{0x{first:04X}, 0x{last:04X}, {step}, {distance}}}"
                  for first, last, step, distance in lower_ranges(fields)))


def print_classes(fields, age):
    print_head("Classes of characters that patterns and grapheme clusters are made of.")
    short = {"LETTER": "L", "NUMBER": "N", "NUMERIC": "D", "WORD": "W", "MARK": "M", "COMPATIBLE": "K"}
    for name, letter in short.items():
        print(f"#define {letter} ATTN_CHAR_{name}")
    print("#define BREAK(name) ATTN_BREAK_##name\n")
    print("/* clang-format off */")
    classes = {code: [short[name] for name in names] for code, names in classes_of(fields, age).items()}
    print_ranges("AttnCharRange attn_class_ranges", "attn_n_class_ranges",
                 (f"{{0x{first:04X}, 0x{last:04X}, {names}}}" for first, last, names in flag_ranges(classes)))
    print()
    print_ranges("AttnCharRange attn_break_ranges", "attn_n_break_ranges",
                 (f"{{0x{first:04X}, 0x{last:04X}, BREAK ({name})}}"
                  for first, last, name in flag_ranges(breaks_of())))


def main():
    fields, age = read_ucd(UCD)
    if sys.argv[1:] == ["tables"]:
        print_tables(fields, age)
    elif sys.argv[1:] == ["classes"]:
        print_classes(fields, age)
    else:
        sys.exit(__doc__)


main()
