"""Options of a reader of files that it guesses, with their labels."""

from __future__ import annotations

GUESS = "find out"
ENCODINGS = {
    "": GUESS,
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252, Western",
    "utf-16": "UTF-16",
    "cp1250": "Windows-1250, Central European",
    "cp1251": "Windows-1251, Cyrillic",
    "cp932": "Shift-JIS, Japanese",
    "gb18030": "GB 18030, Chinese",
    "cp949": "CP 949, Korean",
}
DELIMITERS = {
    "": GUESS,
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "vertical bar",
    " ": "white space",
    "  ": "two blanks or more",
    ":": "colon",
    "||": "two vertical bars",
}
HEADERS = {"": GUESS, "yes": "names", "two": "names, as does the second", "no": "values"}
HEADER_VALUES = {"": None, "yes": True, "two": 2, "no": False}
DAYS = {"": GUESS, "day": "the first of February", "month": "the second of January"}
DAY_VALUES = {"": None, "day": True, "month": False}
DECIMALS = {"": GUESS, ".": "point", ",": "comma"}
