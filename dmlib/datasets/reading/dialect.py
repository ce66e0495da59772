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
_MIN_SHARE = 0.9  # share of the rows
_STANDIN = "\x1f"  # a field separator in ASCII; text that holds many has been refused before
# Words that tell nothing of delimiters, and cost a square of time
_LONG = re.compile(r"[^\s,;|\t'\"\\]{100,}")
_QUOTED = re.compile(r'(?<![^\s,;|:~^])"(?:[^"]|"")*"')
# Python's own limit of 131,072 letters is less than a chapter of a book.
csv.field_size_limit(2**24)


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
                yield parts.sub(lambda part: part[1] or _STANDIN, text)
            else:
                yield plain.sub(_STANDIN, text)


def detect(text: str, options: ReadOptions) -> tuple[str, Dialect, list[Note]]:
    """Return the text without a line that only names the separator, its dialect, and notes."""
    first_line = re.match(r'"?sep=(.)"?\r?\n', text, re.IGNORECASE)
    named = first_line[1] if first_line and first_line[1] in DELIMITERS else None
    if first_line and named:
        text = text[first_line.end() :]
    text, notes = _unwrapped(text)
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    dialect = _chosen(sample, options.delimiter or named, options.quote)
    is_usual = dialect.delimiter in ",\t" or dialect.delimiter not in sample
    if first_line is None and not options.delimiter and not is_usual:
        names = {**DELIMITERS, **_DOUBLE, **_RARE}
        text_of_note = f"The columns are separated by {names[dialect.delimiter]}."
        notes = [*notes, Note("delimiter", text_of_note)]
    return text, dialect, notes


def _chosen(sample: str, delimiter: str | None, quote: str | None) -> Dialect:
    """Return the dialect with the delimiter and the quote that are known, the others detected."""
    if delimiter is not None and quote is not None:
        return Dialect(delimiter, quote)
    dialect = _detected(sample)
    if delimiter is not None:
        dialect = replace(dialect, delimiter=delimiter)
    return dialect if quote is None else replace(dialect, quote=quote, escape="")


def _unwrapped(text: str) -> tuple[str, list[Note]]:
    """Take off quotes that stand around whole lines, as some programs write them by mistake."""
    lines = text[:_SAMPLE].splitlines()[: -1 if len(text) > _SAMPLE else None]
    lines = [line.strip() for line in lines if line.strip()]
    inner = [line[1:-1] for line in lines]
    are_quoted = all(line[0] == line[-1] == '"' for line in lines)
    if not inner or not are_quoted or any('"' in line.replace('""', "") for line in inner):
        return text, []
    if not any(_parts_evenly(inner, delimiter) for delimiter in DELIMITERS):
        return text, []
    quoted_line = re.compile(r'^"(.*)"[ \t]*$', re.MULTILINE)
    text = quoted_line.sub(lambda line: line[1].replace('""', '"'), text)
    return text, [Note("format_guessed", "All lines stand in quotes, which are taken off.")]


def _parts_evenly(lines: list[str], delimiter: str) -> bool:
    """Return whether all lines have a delimiter equally often, and more than once."""
    return lines[0].count(delimiter) > 1 and len({line.count(delimiter) for line in lines}) == 1


def _detected(sample: str) -> Dialect:
    """Return the dialect of a sample: CleverCSV's, unless another one parts its lines better."""
    sample = _LONG.sub(lambda word: word[0][:20], _without_comments(sample))
    dialect = _by_clevercsv(sample)
    for delimiter in _DOUBLE:
        if _even(sample, delimiter) and _is_double(sample, delimiter):
            return Dialect(delimiter)
    if dialect.delimiter == "\t" and not _even(sample, "\t") and _even(sample, " "):
        return Dialect(" ", dialect.quote)
    if dialect.delimiter == "\t" and _width(sample, _GAP) > _width(sample, "\t"):
        return Dialect(_GAP, dialect.quote)
    even = _evenest(sample, dialect)
    if even or dialect.delimiter in sample:
        return even or dialect
    return next((Dialect(rare) for rare in _RARE if _even(sample, rare)), dialect)


def _by_clevercsv(sample: str) -> Dialect:
    """Return the dialect that CleverCSV detects, with commas and double quotes where it fails."""
    import clevercsv

    try:
        simple = clevercsv.Detector().detect(sample, delimiters=list(DELIMITERS))
    except clevercsv.Error:
        simple = None
    if simple is None:
        return Dialect()
    delimiter = simple.delimiter if simple.delimiter in DELIMITERS else ","
    escape = "\\" if simple.escapechar == "\\" and '\\"' in sample else ""
    # Apostrophes may be letters.
    are_quotes = _single_quotes(sample, delimiter) or _evenness(sample, Dialect(delimiter)) < 1
    quote = "'" if simple.quotechar == "'" and are_quotes else '"'
    return Dialect(delimiter, quote, escape)


def _without_comments(sample: str) -> str:
    """Leave out lines that start as comments do, unless most lines do."""
    lines = sample.splitlines(keepends=True)
    rows = [line for line in lines if not line.lstrip().startswith(COMMENTS)]
    return "".join(rows) if 2 * len(rows) > len(lines) else sample


def _is_double(sample: str, delimiter: str) -> bool:
    """Return whether a character is hardly ever single, and never in the first line."""
    first = sample.lstrip().partition("\n")[0]
    if 2 * first.count(delimiter) < first.count(delimiter[0]):
        return False
    return 2 * sample.count(delimiter) >= _MIN_SHARE * sample.count(delimiter[0])


def _single_quotes(sample: str, delimiter: str) -> bool:
    """Return whether apostrophes that start a field end it too, and so are quotes."""
    end = re.escape(delimiter)
    start = rf"(?:^|{end})[ ]?'"
    n_starts = len(re.findall(start, sample, re.MULTILINE))
    enclosed = rf"{start}[^'\n]*'(?=[ ]?(?:{end}|\r?$))"
    return 0 < _MIN_SHARE * n_starts <= len(re.findall(enclosed, sample, re.MULTILINE))


def _evenest(sample: str, usual: Dialect) -> Dialect | None:
    """Return the dialect that parts all rows into equally many fields, the usual one first."""
    if _evenness(sample, usual) == 1:
        return usual
    plain = [Dialect(each) for each in ("\t", ";", "|", ",")]
    rare = [Dialect(each) for each in _RARE if _even(sample, each)]
    even = next((each for each in plain if _evenness(sample, each) == 1), None)
    if even or _evenness(sample, usual) >= _MIN_SHARE:
        return even or usual
    for dialect in (*plain, *rare):
        if _evenness(sample, dialect, row_names=True) == 1:
            return dialect
    for dialect in (usual, *plain):
        if _evenness(sample, replace(dialect, quote="", escape="")) == 1:
            return dialect
    return None


def _evenness(sample: str, dialect: Dialect, *, row_names: bool = False) -> float:
    """Return the share of the rows with the usual number of fields.

    It is 0 where that number is one or quotes are wrong. R writes no name above the names of the
    rows.
    """
    try:
        widths = [len(row) for _, row in dialect.rows(io.StringIO(sample, newline="")) if any(row)]
    except csv.Error:
        return 0
    width, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    count += row_names and len(widths) > 2 and widths[0] == width - 1
    return count / len(widths) if width > 1 else 0


def _even(sample: str, delimiter: str) -> bool:
    """Return whether a delimiter parts nearly all lines into equally many fields, two or more."""
    # Two words on each line are more often a list of names, unless quotes keep the words of a name
    # together.
    quoted = re.search(r'^"[^"\n ]* [^"\n]*" |^"[^"\n]*"[^\S\n]*\n"1" ', sample, re.MULTILINE)
    min_fields = 3 if delimiter == " " and not quoted else 2
    return _width(sample, delimiter) >= min_fields


def _width(sample: str, delimiter: str) -> int:
    """Return into how many fields a delimiter parts nearly all lines, or 0."""
    lines = [_QUOTED.sub("q", line.strip(" ")) for line in sample.splitlines() if line.strip()]
    between = re.compile(_BETWEEN.get(delimiter, re.escape(delimiter)))
    widths = [len(between.split(line)) for line in lines]
    width, count = Counter(widths).most_common(1)[0] if lines else (0, 0)
    # R writes no name above the names of the rows.
    count += len(widths) > 2 and widths[0] == width - 1
    return width if len(lines) >= 2 and count >= _MIN_SHARE * len(lines) else 0
