"""Which of the first rows hold names, stand above the names, or describe the columns below them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import Cells, matching
from dmlib.datasets.reading.grades import (
    GRADE_LABEL,
    GRADE_REMARK,
    GRADES,
    POINTS_POSSIBLE,
    STATISTIC,
)
from dmlib.datasets.reading.missing import MISSING_NUMBER
from dmlib.datasets.reading.numbers import MOSTLY
from dmlib.datasets.reading.options import ReadOptions

# What starts like a number is no unit
VALUE = r"[-+(<>~$€£¥ .\u2212\u2264\u2265\u2248]*[0-9].*|[+-]?[Ii]nf(?:inity)?"

_SAMPLE = 1000  # rows that are looked at
_TOP = 12  # rows among which the names are looked for
_LONGEST_UNIT = 12
_QUESTION_WORDS = 3
_UNIT = re.compile(
    r"[\[(].*[\])]|[-%‰°#€$£¥]|°[CF]|[munkMG]?[mgslJWVANKtl](?:[²³23]|\^[23])?|[cd][ml]|h|hrs?|min|sec|d|days?|a|yrs?|years?"
    r"|weeks?|months?|Jahre?|Tage?|Monate?|Stunden|in|ft|yd|mi|lbs?|oz|mph|km[²2]|ha|[kM]?Hz|[kMG]?Wh?|k?cal|mol|[hk]?Pa"
    r"|m?bar|mmHg|ppm|dB|pcs|Stk\.?|USD|EUR|CHF|GBP|JPY|[A-Za-zµμ%]{1,4}/[A-Za-z²³0-9]{1,5}"
)
NO_VALUE = {"", *MISSING_NUMBER}
_MAX_GRADE_ROWS = 4
_COLUMN_LABELS = re.compile(
    r"column labels|spaltenbeschriftungen|étiquettes de colonnes", re.IGNORECASE
)
_RULE = re.compile(r":?-{3,}:?|={3,}|_{3,}")  # below the names of a table in Markdown
_ANSWER = re.compile(
    r"(?:open-ended )?response|offene antwort", re.IGNORECASE
)  # SurveyMonkey, below a question


@dataclass(frozen=True)
class Head:
    """The rows at the top of a table, from above: remarks, names, descriptions.

    Attributes
    ----------
    above, names, below : int
        How many rows stand above the names, hold names, and describe the columns below them.
    what : str
        What the rows below the names hold: units, questions, rules or remarks.
    """

    above: int = 0
    names: int = 1
    below: int = 0
    what: str = ""


def find_head(cells: Cells, options: ReadOptions) -> Head:
    """Return which of the first rows hold names, stand above them or describe the columns.

    Notes
    -----
    A row below the first belongs to the head if it has words where the columns hold numbers below
    it. What is decided in the options is not guessed.
    """
    grid = _Grid.of(cells)
    if options.header is None:
        head = _guessed(grid)
        if head.above and options.skip is not None:  # then the names stand where it says
            head = Head()
    else:
        names = int(options.header)
        head = Head(0, names, *_described(grid, names - 1)) if names else Head(0, 0)
    if options.below_header is None or not head.names:
        return head
    return replace(head, below=options.below_header, what=head.what or "remarks")


@dataclass(frozen=True, eq=False)
class _Grid:
    """The first rows of a table.

    Attributes
    ----------
    texts : list of list of str
        The cells of the very first rows.
    filled, numbers : ndarray of bool, shape (n_rows, n_columns)
        Which cells hold a value, and which start like a number.
    lengths : ndarray of shape (n_rows, n_columns)
        How many letters they have.
    """

    texts: list[list[str]]
    filled: NDArray[np.bool_]
    numbers: NDArray[np.bool_]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, cells: Cells) -> _Grid:
        shape = (min(_SAMPLE, len(cells.lines)), len(cells.columns))
        filled, numbers = np.empty(shape, bool), np.empty(shape, bool)
        lengths = np.empty(shape, np.int64)
        for j, column in enumerate(cells.columns):
            used, codes = np.unique(column.codes[:_SAMPLE], return_inverse=True)
            texts = column.texts[used]
            filled[:, j] = np.array([text.lower() not in NO_VALUE for text in texts], bool)[codes]
            numbers[:, j] = matching(texts, VALUE)[codes]
            lengths[:, j] = np.array([len(text) for text in texts])[codes]
        return cls(rows_of_texts(cells, _TOP), filled, numbers & filled, lengths)

    def numeric(self, row: int) -> NDArray[np.bool_]:
        """Return which columns hold numbers below a row."""
        filled = self.filled[row + 1 :].sum(axis=0)
        return np.asarray((filled > 0) & (self.numbers[row + 1 :].sum(axis=0) >= MOSTLY * filled))

    def words(self, row: int) -> bool:
        """Return whether a row has words, and no number, above at least half of the numbers."""
        numeric = self.numeric(row)
        n_filled = (self.filled[row] & numeric).sum()
        has_numbers = self.numbers[row, numeric].any()
        return bool(numeric.any() and n_filled >= numeric.sum() / 2 and not has_numbers)

    def repeats(self, row: int) -> bool:
        """Return whether a cell of a row recurs in its column, as values do."""
        above, cells, below = self.texts[row - 1], self.texts[row], self.texts[row + 1 :]
        for j, (text, before, after) in enumerate(
            zip(cells, ["-", *above], [*above[1:], "-"], strict=False)
        ):
            column = {texts[j] for texts in (*below, *self.texts[:row]) if texts[j]}
            # Survey tools put the answer itself below a question that spans its columns.
            spanned = above[j] in ("", before, after) or not after
            is_answer = spanned and column <= {text, above[j]}
            if text and text in column and not is_answer:
                return True
        return False


def rows_of_texts(cells: Cells, n_rows: int) -> list[list[str]]:
    """Return the texts of the first rows."""
    return [
        [column.texts[column.codes[i]] for column in cells.columns]
        for i in range(min(n_rows, len(cells.lines)))
    ]


def _guessed(grid: _Grid) -> Head:
    """Return the head that the texts suggest."""
    n_described, what = _explained(grid, 0)
    if n_described:
        return Head(0, 1, n_described, what)
    if len(grid.texts) > 2 and _are_rules(grid.texts[1]):
        return Head(0, 1, 1, "rules")
    index = _index_row(grid.texts)
    if index:
        return Head(0, index + 1)
    last = _last_of_words(grid)
    has_units = last > 0 and _units(grid, last - 1) and _are_names(grid.texts[last - 1])
    if has_units and last == 1 and not grid.numbers[0].any():
        return Head(0, 1, 1, "units")
    if has_units and _n_units(grid.texts[last]) > grid.filled[last].sum() / 2:
        return Head(*_names(grid.texts[:last]), 1, "units")
    return Head(*_names(grid.texts[: last + 1]))


def _are_rules(texts: list[str]) -> bool:
    """Return whether a row underlines the names."""
    return any(texts) and all(_RULE.fullmatch(text) for text in texts if text)


def _n_units(texts: list[str]) -> int:
    """Return how many texts are usual units."""
    return sum(_UNIT.fullmatch(text) is not None for text in texts if text)


def _index_row(rows: list[list[str]]) -> int:
    """Return which row holds only the name of the index, below names in several rows; or 0.

    So pandas writes them.
    """
    if len(rows[0]) < 2 or len({*filter(None, rows[0])}) >= len(rows[0]) - 1:
        return 0
    single = (i for i, row in enumerate(rows[1:4], 1) if row[0] and not any(row[1:]))
    return next(single, 0)


def _described(grid: _Grid, names: int) -> tuple[int, str]:
    """Return how many rows below the names describe the columns, and by what."""
    n_rows, what = _explained(grid, names)
    if n_rows:
        return n_rows, what
    return (1, "units") if _units(grid, names) else (0, "")


def _explained(grid: _Grid, names: int) -> tuple[int, str]:
    """Return how many rows below the names explain the columns, and by what."""
    grades = _grade_rows(grid, names)
    return (grades, GRADES) if grades else (_n_questions(grid, names), "questions")


def _grade_rows(grid: _Grid, names: int) -> int:
    """Return how many rows below the names of a grade export describe its columns.

    They hold the points possible, and remarks.
    """
    count, is_export = 0, False
    for row in range(names + 1, min(names + 1 + _MAX_GRADE_ROWS, len(grid.texts) - 1)):
        texts = [text for text in grid.texts[row] if text]
        has_numbers = bool(grid.numbers[row].any())
        # Each student has a name, or one of the first columns has.
        is_nameless = not grid.texts[row][0] and grid.filled[row + 1 :, 0].mean() >= MOSTLY
        may_have_label = is_nameless or is_export
        is_labelled = may_have_label and any(map(GRADE_LABEL.fullmatch, texts[:1]))
        if has_numbers and (is_labelled or _are_points(grid, row, texts[0])):
            is_export = True
        elif is_nameless and texts and not has_numbers:
            is_export |= any(map(GRADE_REMARK.fullmatch, texts))
        elif not is_labelled:
            break
        count = row - names
    return count if is_export else 0


def _are_points(grid: _Grid, row: int, label: str) -> bool:
    """Return whether a row is labelled as the points possible, and stands above no statistics."""
    is_above_statistics = any(STATISTIC.match(below[0]) for below in grid.texts[row + 1 :])
    return POINTS_POSSIBLE.fullmatch(label) is not None and not is_above_statistics


def _n_questions(grid: _Grid, names: int) -> int:
    """Return how many rows below the names hold questions of a survey, or its identifiers."""
    rows = grid.texts[names + 1 : names + 4]
    identifiers = (i for i, row in enumerate(rows, 1) if any('"ImportId"' in text for text in row))
    n_rows = next(identifiers, 0)
    if n_rows:
        return n_rows
    if len(rows) < 2 or not _are_names(grid.texts[names]) or grid.repeats(names + 1):
        return 0
    return int(_asks(rows[0], grid.texts[names]) and _is_long(grid, names + 1))


def _asks(row: list[str], names: list[str]) -> bool:
    """Return whether a row holds questions, or names written out, below most names."""
    pairs = [(text, name) for text, name in zip(row, names, strict=True) if text]
    is_question = [len(text.split()) >= _QUESTION_WORDS or text[-1] == "?" for text, _ in pairs]
    is_name = [_squashed(text) == _squashed(name) for text, name in pairs]
    n_explained = sum(map(max, is_question, is_name))
    return any(is_question) and n_explained > 0.6 * len(pairs) and len(pairs) > len(row) / 2


def _is_long(grid: _Grid, row: int) -> bool:
    """Return whether half of the texts of a row are twice as long as the texts below."""
    below = grid.filled[row + 1 :]
    usual = (grid.lengths[row + 1 :] * below).sum(axis=0) / np.maximum(below.sum(axis=0), 1)
    is_long = (grid.lengths[row] > 2 * usual)[grid.filled[row]]
    return bool(len(is_long) and is_long.mean() >= 0.5)


def _units(grid: _Grid, names: int) -> bool:
    """Return whether the row below the names holds short words that may be units."""
    row = names + 1
    if row + 1 >= len(grid.texts) or grid.repeats(row) or not grid.words(row):
        return False
    is_short = all(len(text) <= _LONGEST_UNIT for text in grid.texts[row])
    return is_short and not grid.numbers[row].any()


def _last_of_words(grid: _Grid) -> int:
    """Return the last of the first rows that has words above numbers, or 0.

    The rows above it are no values either.
    """
    for row in range(len(grid.texts) - 2, 0, -1):
        if len(grid.filled) > max(row + 2, 2 * row) and grid.words(row) and not grid.repeats(row):
            numeric = grid.numeric(row)
            if (grid.numbers[1:row, numeric].mean(axis=1) <= 0.5).all():
                return row
    return 0


def _names(rows: list[list[str]]) -> tuple[int, int]:
    """Return how many of the rows of words stand above the names, and how many hold names."""
    bottom = len(rows) - 1
    if not bottom:
        return 0, 1
    above = rows[bottom - 1]
    spans = "" in above[: _filled(above)] and not any(map(_COLUMN_LABELS.fullmatch, above))
    if _are_names(rows[bottom]) and not spans and (rows[bottom][0] or not above[0]):
        return bottom, 1
    start = next((i for i in range(bottom - 1, -1, -1) if _are_names(joined(rows[i:]))), 0)
    return start, bottom + 1 - start


def joined(rows: list[list[str]]) -> list[str]:
    """Return the names that stand in several rows.

    A name that spans columns stands above the first of them.
    """
    # The name of an index, beside those of the levels
    if len(rows) > 1 and rows[-1][0] and not any(rows[-1][1:]):
        rows = [[rows[-1][0], *rows[0][1:]], *([rows[-1][0], *row[1:]] for row in rows[1:-1])]
    spread = []
    for row in rows[:-1]:
        cells: list[str] = []
        for text, below, before in zip(row, rows[-1], ["", *rows[-1]], strict=False):
            cells.append(text or (cells[-1] if below and before and cells else ""))
        spread.append(cells)
    parts = zip(*spread, rows[-1], strict=True)
    return [
        " ".join(dict.fromkeys(part for part in name if part and not _ANSWER.fullmatch(part)))
        for name in parts
    ]


def _are_names(row: list[str]) -> bool:
    """Return whether all cells are filled, but perhaps the first, above an index, and differ."""
    return all(row[1:]) and len(set(row)) == len(row) and any(row)


def _filled(row: list[str]) -> int:
    return next((len(row) - i for i, text in enumerate(reversed(row)) if text), 0)


def _squashed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
