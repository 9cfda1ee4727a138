#!/usr/bin/env python3
"""Writes CellWidthTable.swift from the Unicode Character Database.

    pip install unicodedata2==17.0.0
    ./generate-cell-widths.py > CellWidthTable.swift

The version is the one that the Swift standard library breaks grapheme clusters by.
"""
import unicodedata2 as ucd

NARROW, WIDE, MARK, HIDDEN = range(4)

# Code points without a character that are wide all the same (EastAsianWidth.txt, its header).
WIDE_UNASSIGNED = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]
# Default_Ignorable_Code_Point outside the categories Cf and Mn (DerivedCoreProperties.txt).
IGNORABLE = [(0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065), (0x3164, 0x3164),
             (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF)]
# Cf, yet visible: prepended marks and notation controls that fonts draw.
VISIBLE_FORMAT = [(0x0600, 0x0605), (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2),
                  (0x110BD, 0x110BD), (0x110CD, 0x110CD), (0x13430, 0x1343F)]
HANGUL_VOWELS_AND_FINALS = [(0x1160, 0x11FF), (0xD7B0, 0xD7FF)]


def among(ranges, code):
    return any(first <= code <= last for first, last in ranges)


def width_class(code):
    character = chr(code)
    category = ucd.category(character)
    if among(IGNORABLE, code) and code not in (0x115F,):
        return HIDDEN
    if category in ("Cc", "Zl", "Zp") or category == "Cf" and not among(VISIBLE_FORMAT, code):
        return HIDDEN
    if category in ("Mn", "Me", "Mc") or among(HANGUL_VOWELS_AND_FINALS, code):
        return MARK
    if ucd.east_asian_width(character) in "WF" or category == "Cn" and among(WIDE_UNASSIGNED, code):
        return WIDE
    return NARROW


entries, last = [], None
for code in range(0x110000):
    current = width_class(code)
    if current != last:
        entries.append(code << 2 | current)
        last = current

print(f"""// Written by generate-cell-widths.py from Unicode {ucd.unidata_version}; do not edit.

/// Runs of code points of one width class, ascending: the first code point of the run in the upper 30 bits, the class in the
/// lower two (0 narrow, 1 wide, 2 mark, 3 hidden).
enum CellWidthTable {{
  static let unicodeVersion = "{ucd.unidata_version}"

  static let runs: [UInt32] = [""")
for start in range(0, len(entries), 12):
    print("    " + ", ".join(f"0x{entry:X}" for entry in entries[start:start + 12]) + ",")
print("  ]\n}")
