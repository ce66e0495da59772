"""Which characters separate and quote the fields of delimited text."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dmlib.datasets.reading.layout import COMMENTS
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.table import Note

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_DOUBLE = {"||": "double vertical bars", "::": "double colons"}
_GAP = "  "
_RARE = {
    " ": "blanks",
    ":": "colons",
    "~": "tildes",
    "^": "carets",
    _GAP: "gaps of two blanks or more",
}
_BETWEEN = {" ": r"[ \t]+", _GAP: r"\t[ \t]*| [ \t]+"}
_SAMPLE = 20_000
_NEARLY = 0.9  # share of the rows
_STANDIN = "\x1f"  # a field separator in ASCII; text that holds many has been refused before
_LONG = re.compile(
    r"[^\s,;|\t'\"\\]{100,}"
)  # words that tell nothing of delimiters, and cost a square of time
_QUOTED = re.compile(r'(?<![^\s,;|:~^])"(?:[^"]|"")*"')
csv.field_size_limit(
    2**24
)  # Python's own limit of 131,072 letters is less than a chapter of a book


@dataclass(frozen=True)
class Dialect:
    """How the fields of a line are told apart.

    Parameters
    ----------
    delimiter : str
        What separates them; a blank stands for any white space, two blanks for two or more, or a
        tab.
    quote : str
        The quote character; an empty text where quotes are ordinary characters.
    escape : str
        The character behind which a quote is an ordinary character; empty where quotes are doubled
        instead.
    """

    delimiter: str = ","
    quote: str = '"'
    escape: str = ""

    def rows(self, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield the line in which each row starts, counted from 1, and the fields of the row.

        Raises
        ------
        csv.Error
            If a quote is never closed, or text follows a closing quote.
        """
        delimiter = self.delimiter
        stands_in = delimiter == " " or len(delimiter) > 1
        reader = csv.reader(
            self._with_standins(lines) if stands_in else lines,
            delimiter=_STANDIN if stands_in else delimiter,
            quotechar=self.quote or None,
            quoting=csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
            escapechar=self.escape or None,
            skipinitialspace=True,
            strict=True,
        )
        line = 1
        for row in reader:
            # In a quoted cell of several lines the delimiter is part of the text.
            put_back = stands_in and any(_STANDIN in field for field in row)
            yield line, [field.replace(_STANDIN, delimiter) for field in row] if put_back else row
            line = reader.line_num + 1

    def _with_standins(self, lines: Iterator[str]) -> Iterator[str]:
        """Yield lines with one character in the place of each delimiter outside of quotes."""
        blank, quote = self.delimiter in _BETWEEN, re.escape(self.quote)
        between = _BETWEEN.get(self.delimiter, re.escape(self.delimiter))
        before = r"(?<![^ \t])" if blank else f"(?:^|(?<={between}))"
        parts = re.compile(
            f"({before}{quote}(?:[^{quote}]|{quote}{quote})*{quote})|{between}"
            if quote
            else between
        )
        plain = re.compile(between)
        for line in lines:
            text = line.strip(" \t\r\n") + "\n" if blank else line
            if quote and self.quote in text:
                yield parts.sub(lambda found: found[1] or _STANDIN, text)
            else:
                yield plain.sub(_STANDIN, text)


def detect(text: str, options: ReadOptions) -> tuple[str, Dialect, list[Note]]:
    """Return the text without a line that only names the separator, its dialect, and notes."""
    told = re.match(r'"?sep=(.)"?\r?\n', text, re.IGNORECASE)
    if told and told[1] in DELIMITERS:
        text = text[told.end() :]
    text, notes = _unwrapped(text)
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    delimiter = options.delimiter or (told[1] if told and told[1] in DELIMITERS else None)
    quote = options.quote
    escape = ""
    if delimiter is None or quote is None:
        found = _detected(sample)
        delimiter = found.delimiter if delimiter is None else delimiter
        quote, escape = (found.quote, found.escape) if quote is None else (quote, "")
    dialect = Dialect(delimiter, quote, escape)
    if told or options.delimiter or delimiter in ",\t" or delimiter not in sample:
        return text, dialect, notes
    names = {**DELIMITERS, **_DOUBLE, **_RARE}
    return (
        text,
        dialect,
        [*notes, Note("delimiter", f"The columns are separated by {names[delimiter]}.")],
    )


def _unwrapped(text: str) -> tuple[str, list[Note]]:
    """Take off quotes that stand around whole lines, as some programs write them by mistake."""
    lines = [
        line.strip() for line in text[:_SAMPLE].splitlines()[: -1 if len(text) > _SAMPLE else None]
    ]
    inner = [line[1:-1] for line in lines if line]
    if not inner or not all(line.startswith('"') and line.endswith('"') for line in lines if line):
        return text, []
    if any('"' in line.replace('""', "") for line in inner):
        return text, []
    if not any(
        len({line.count(each) for line in inner}) == 1 and inner[0].count(each) > 1
        for each in DELIMITERS
    ):
        return text, []
    text = re.sub(
        r'^"(.*)"[ \t]*$', lambda line: line[1].replace('""', '"'), text, flags=re.MULTILINE
    )
    return text, [Note("format_guessed", "All lines stand in quotes, which are taken off.")]


def _detected(sample: str) -> Dialect:
    import clevercsv

    sample = _LONG.sub(lambda word: word[0][:20], _without_comments(sample))
    try:
        found = clevercsv.Detector().detect(sample, delimiters=list(DELIMITERS))
    except clevercsv.Error:
        found = None
    delimiter = found.delimiter if found is not None and found.delimiter in DELIMITERS else ","
    escapes = found is not None and found.escapechar == "\\" and '\\"' in sample
    quote = "'" if found is not None and found.quotechar == "'" else '"'
    if (
        quote == "'"
        and not _single_quotes(sample, delimiter)
        and _evenness(sample, Dialect(delimiter)) == 1
    ):
        quote = '"'
    dialect = Dialect(delimiter, quote, "\\" if escapes else "")
    double = next(
        (each for each in _DOUBLE if _even(sample, each) and _is_double(sample, each)), None
    )
    if double:
        return Dialect(double)
    if delimiter == "\t" and not _even(sample, "\t") and _even(sample, " "):
        return Dialect(" ", quote)
    if delimiter == "\t" and _wider(sample, _GAP, "\t"):
        return Dialect(_GAP, quote)
    even = _evenest(sample, dialect)
    if even or delimiter in sample:
        return even or dialect
    return next((Dialect(rare) for rare in _RARE if _even(sample, rare)), dialect)


def _without_comments(sample: str) -> str:
    """Leave out lines that start as comments do, unless most lines do."""
    lines = sample.splitlines(keepends=True)
    rows = [line for line in lines if not line.lstrip().startswith(COMMENTS)]
    return "".join(rows) if 2 * len(rows) > len(lines) else sample


def _is_double(sample: str, delimiter: str) -> bool:
    """Return whether a character never stands alone in the first line and hardly below, as around filled fields."""
    first = sample.lstrip().partition("\n")[0]
    if 2 * first.count(delimiter) < first.count(delimiter[0]):
        return False
    return 2 * sample.count(delimiter) >= _NEARLY * sample.count(delimiter[0])


def _single_quotes(sample: str, delimiter: str) -> bool:
    """Return whether apostrophes that start a field end it too, and so are quotes."""
    end = re.escape(delimiter)
    opened = len(re.findall(rf"(?:^|{end})[ ]?'", sample, re.MULTILINE))
    closed = len(
        re.findall(rf"(?:^|{end})[ ]?'[^'\n]*'(?=[ ]?(?:{end}|\r?$))", sample, re.MULTILINE)
    )
    return 0 < _NEARLY * opened <= closed


def _evenest(sample: str, usual: Dialect) -> Dialect | None:
    """Return the dialect that parts all rows into the same number of fields, the usual one first."""
    if _evenness(sample, usual) == 1:
        return usual
    plain = [Dialect(each) for each in ("\t", ";", "|", ",")]
    rare = [Dialect(each) for each in _RARE if _even(sample, each)]
    even = next((each for each in plain if _evenness(sample, each) == 1), None)
    if even or _evenness(sample, usual) >= _NEARLY:
        return even or usual
    for dialect in (*plain, *rare):
        if _evenness(sample, dialect, row_names=True) == 1:
            return dialect
    unquoted = (
        each
        for each in (usual, *plain)
        if _evenness(sample, replace(each, quote="", escape="")) == 1
    )
    return next(unquoted, None)


def _evenness(sample: str, dialect: Dialect, *, row_names: bool = False) -> float:
    """Return which share of the rows has the usual number of fields, or 0 where that is one or quotes are wrong.

    R writes no name above the names of the rows.
    """
    try:
        widths = [len(row) for _, row in dialect.rows(io.StringIO(sample, newline="")) if any(row)]
    except csv.Error:
        return 0
    width, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    count += row_names and len(widths) > 2 and widths[0] == width - 1
    return count / len(widths) if width > 1 else 0


def _even(sample: str, delimiter: str) -> bool:
    """Return whether a delimiter parts nearly all lines into the same number of fields, two or more."""
    # Two words on each line are more often a list of names, unless quotes keep the words of a name
    # together.
    quoted = re.search(r'^"[^"\n ]* [^"\n]*" |^"[^"\n]*"[^\S\n]*\n"1" ', sample, re.MULTILINE)
    least = 3 if delimiter == " " and not quoted else 2
    return _width(sample, delimiter) >= least


def _wider(sample: str, delimiter: str, other: str) -> bool:
    return _width(sample, delimiter) > _width(sample, other)


def _width(sample: str, delimiter: str) -> int:
    """Return into how many fields a delimiter parts nearly all lines, or 0."""
    lines = [_QUOTED.sub("q", line.strip(" ")) for line in sample.splitlines() if line.strip()]
    between = re.compile(_BETWEEN.get(delimiter, re.escape(delimiter)))
    widths = [len(between.split(line)) for line in lines]
    width, count = Counter(widths).most_common(1)[0] if lines else (0, 0)
    # R writes no name above the names of the rows.
    count += len(widths) > 2 and widths[0] == width - 1
    return width if len(lines) >= 2 and count >= _NEARLY * len(lines) else 0
