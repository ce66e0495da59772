"""A table whose columns have a kind each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from dmlib.cached import cached_property

Kind = Literal["nominal", "ordinal", "numeric", "date", "text", "id"]
"""What a column holds. Only the first three say something about a row that can be compared with
other rows."""

Role = Literal["feature", "target", "label", "ignore"]
"""What a column is used for."""


SCALES = (
    ("very low", "low", "mid", "medium", "middle", "moderate", "high", "very high"),
    ("never", "rarely", "seldom", "sometimes", "often", "usually", "always"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("tiny", "small", "medium", "large", "huge"),
    ("very bad", "bad", "poor", "fair", "average", "ok", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "neither", "agree", "strongly agree"),
    ("none", "mild", "moderate", "severe"),
    ("cold", "cool", "mild", "warm", "hot"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
"""Words for levels, from the lowest to the highest."""


class TableError(ValueError):
    """Data that cannot become a table.

    Parameters
    ----------
    reason : str
        A fixed word, for programs and tests.
    text : str
        What is wrong, where, and what to do, for people.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason

    def __reduce__(self) -> tuple[type[TableError], tuple[str, str]]:
        """Return how to unpickle it: by default an exception gets only its message."""
        return type(self), (self.reason, str(self))


@dataclass(frozen=True)
class Note:
    """One thing that was guessed, converted or repaired.

    Attributes
    ----------
    kind : str
        A fixed word, for programs and tests.
    text : str
        One sentence with counts, for people.
    """

    kind: str
    text: str


@dataclass(frozen=True, eq=False)
class Table:
    """A table whose columns have a kind each.

    The frame is not copied: treat it as read-only.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        The data; missing values are NaN.
    kinds : mapping of str to {"nominal", "ordinal", "numeric", "date", "text", "id"}
        The kind of each column, in the order of the frame. An ordinal column is an ordered
        categorical or a scale of numbers.
    name : str
        The short name, as in a link.
    title, description : str
        For people: a few words, and a sentence.
    target : str, optional
        The column that is usually predicted, or holds the known groups.
    source, licence : str
        Where the data come from, and on what terms.
    notes : tuple of Note
        What was done to the data.
    roles : mapping of str to {"feature", "target", "label", "ignore"}
        What some of the columns are used for, where that was decided.
    repairs : DataFrame
        The rows and cells of a file that were left out or changed: line, column, text, what was
        done.

    Raises
    ------
    ValueError
        If the names, the kinds and the target do not belong together.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": [1, 2, 2], "colour": ["red", "blue", "red"]})
    >>> table = Table(frame, infer_kinds(frame), name="toy")
    >>> table.numeric, table.nominal
    (('size',), ('colour',))
    >>> table.with_kinds({"size": "nominal"}).numeric
    ()
    """

    frame: pd.DataFrame
    kinds: Mapping[str, Kind]
    name: str
    title: str = ""
    description: str = ""
    target: str | None = None
    source: str = ""
    licence: str = ""
    notes: tuple[Note, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)
    repairs: pd.DataFrame = field(default_factory=pd.DataFrame)

    def __post_init__(self) -> None:
        columns = list(self.frame.columns)
        if not all(isinstance(column, str) for column in columns) or len(set(columns)) < len(
            columns
        ):
            raise ValueError("The column names must be different texts.")
        if list(self.kinds) != columns or not set(self.kinds.values()) <= set(get_args(Kind)):
            raise ValueError(f"Each column needs one kind, in order: {', '.join(get_args(Kind))}.")
        if self.target is not None and self.target not in self.kinds:
            raise ValueError(f"There is no column {self.target!r} to be the target.")

    @property
    def numeric(self) -> tuple[str, ...]:
        """Names of the numeric columns."""
        return tuple(name for name, kind in self.kinds.items() if kind == "numeric")

    @cached_property
    def blank(self) -> frozenset[str]:
        """Names of the columns without a value."""
        return frozenset(self.frame.columns[self.frame.isna().all()])

    @property
    def nominal(self) -> tuple[str, ...]:
        """Names of the nominal columns."""
        return tuple(name for name, kind in self.kinds.items() if kind == "nominal")

    @property
    def comparable(self) -> tuple[str, ...]:
        """Names of the columns by which rows can be compared: nominal, ordinal and numeric ones."""
        return tuple(
            name for name, kind in self.kinds.items() if kind in ("nominal", "ordinal", "numeric")
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of every value, name and kind; a key for caches.

        Notes
        -----
        Nothing is sampled. Texts are written with their lengths, so that no two tables give the
        same bytes.
        """
        sha = hashlib.sha256(f"table {len(self.frame)}\n".encode())
        for name, kind in self.kinds.items():
            sha.update(packed([name, kind]))
            for part in _column_bytes(self.frame[name]):
                sha.update(part)
        return sha.hexdigest()

    def with_kinds(self, kinds: Mapping[str, Kind]) -> Table:
        """Return a table in which some columns have another kind.

        To numeric: texts are read as numbers, and what cannot be read becomes missing and is
        counted in a note; an ordered categorical of words becomes its ranks 1, 2, 3; dates become
        days since 1970. To nominal, text or id: numbers become texts (id keeps them). To ordinal:
        numbers stay as they are, categories are taken in their order, other texts in alphabetical
        order. To date: texts written as 2024-01-31 are read.

        Parameters
        ----------
        kinds : mapping of str to {"nominal", "ordinal", "numeric", "date", "text", "id"}
            The new kinds of some of the columns.

        Raises
        ------
        ValueError
            If a column or kind does not exist, or a column to be numeric holds no number at all.
        """
        frame = self.frame.copy(deep=False)
        notes = list(self.notes)
        for name, kind in kinds.items():
            if name not in self.kinds:
                raise ValueError(f"There is no column {name!r}.")
            if kind not in get_args(Kind):
                raise ValueError(
                    f"The kind of {name!r} must be one of {', '.join(get_args(Kind))}; it was"
                    f" {kind!r}."
                )
            if kind != self.kinds[name]:
                frame[name], note = _converted(self.frame[name], kind)
                notes += [note] if note else []
        return replace(self, frame=frame, kinds={**self.kinds, **kinds}, notes=tuple(notes))

    def with_orders(self, orders: Mapping[str, Sequence[str]]) -> Table:
        """Return a table in which some ordinal columns of words have another order.

        Parameters
        ----------
        orders : mapping of str to sequence of str
            The values of a column, from the lowest to the highest. Those that are left out come
            last, and what is no value of it does not count.

        Raises
        ------
        ValueError
            If there is no such column, or it is no ordinal one of words.

        Examples
        --------
        >>> levels = pd.Categorical(["big", "wee"], ordered=True)
        >>> table = Table(pd.DataFrame({"size": levels}), {"size": "ordinal"}, name="toy")
        >>> table.with_orders({"size": ["wee"]}).frame["size"].cat.categories.tolist()
        ['wee', 'big']
        """
        frame, notes = self.frame.copy(deep=False), list(self.notes)
        for name, order in orders.items():
            if self.kinds.get(name) != "ordinal" or _kind(frame[name]) != "ordinal":
                raise ValueError(f"{name!r} is no ordinal column of words, so it gets no order.")
            levels = frame[name].cat.categories.tolist()
            chosen = [level for level in dict.fromkeys(order) if level in levels]
            others = [level for level in levels if level not in chosen]
            frame[name] = frame[name].cat.reorder_categories(chosen + others)
            usual, own = _order_note(name, levels), _order_note(name, chosen + others)
            notes = [*(note for note in notes if note != usual), own]
        return replace(self, frame=frame, notes=tuple(notes))


def infer_kinds(frame: pd.DataFrame) -> dict[str, Kind]:
    """Return the kind of each column by its type.

    Examples
    --------
    >>> levels = pd.Categorical(["low"], ordered=True)
    >>> infer_kinds(pd.DataFrame({"a": [1.5], "b": [True], "c": levels}))
    {'a': 'numeric', 'b': 'nominal', 'c': 'ordinal'}
    """
    return {str(name): _kind(frame[name]) for name in frame.columns}


def _kind(column: pd.Series[Any]) -> Kind:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "ordinal" if column.dtype.ordered else "nominal"
    if pd.api.types.is_datetime64_any_dtype(column):
        return "date"
    number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    return "numeric" if number else "nominal"


def _converted(column: pd.Series[Any], kind: Kind) -> tuple[pd.Series[Any], Note | None]:
    if kind == "numeric":
        return _to_numbers(column)
    if kind == "date":
        return _to_dates(column)
    if kind == "id" and _kind(column) == "numeric":
        return column, None
    if kind in ("nominal", "text", "id"):
        return _to_texts(column), None
    if _kind(column) == "numeric":
        return column, None
    return _to_ordered(column)


def _to_dates(column: pd.Series[Any]) -> tuple[pd.Series[Any], Note | None]:
    if pd.api.types.is_datetime64_any_dtype(column):
        return column, None
    dates = pd.to_datetime(_to_texts(column), format="ISO8601", errors="coerce")
    unread = int((dates.isna() & column.notna()).sum())
    if dates.isna().all():
        raise ValueError(
            f"The column {column.name!r} holds no dates such as 2024-01-31. Leave it as it is."
        )
    text = (
        f"{unread} of {len(column)} values of {column.name!r} are not dates and count as missing."
    )
    return dates, Note("mixed_types", text) if unread else None


def _to_ordered(column: pd.Series[Any]) -> tuple[pd.Series[Any], Note | None]:
    texts = _to_texts(column)
    numbers = pd.to_numeric(texts, errors="coerce").astype(float)
    if numbers.notna().equals(column.notna()):
        return numbers, None
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    levels = (
        [str(level) for level in column.cat.categories]
        if declared
        else in_order(texts.dropna().unique())
    )
    ordered = texts.astype(pd.CategoricalDtype(levels, ordered=True))
    return ordered, _order_note(column.name, levels)


def _order_note(name: Any, levels: Sequence[str]) -> Note:
    order = ", ".join(levels[:3]) + (" ..." if len(levels) > 3 else "")
    return Note("ordered", f"The values of {name!r} are taken in this order: {order}.")


def in_order(words: Iterable[str]) -> list[str]:
    """Return the ordered levels of a scale: in its usual order, else alphabetically.

    Examples
    --------
    >>> in_order(["high", "low", "mid"]), in_order(["b", "a"])
    (['low', 'mid', 'high'], ['a', 'b'])
    """
    in_alphabet = sorted(words)
    for scale in SCALES:
        if {word.lower() for word in in_alphabet} <= {*scale}:
            return sorted(in_alphabet, key=lambda word: scale.index(word.lower()))
    return in_alphabet


def _to_numbers(column: pd.Series[Any]) -> tuple[pd.Series[Any], Note | None]:
    if _kind(column) == "numeric":
        return column, None
    if pd.api.types.is_datetime64_any_dtype(column):
        days = (column - pd.Timestamp(0)) / pd.Timedelta(days=1)
        return days, Note("dates", f"The dates of {column.name!r} are counted in days since 1970.")
    numbers = pd.to_numeric(_to_texts(column), errors="coerce").astype(float)
    if numbers.notna().any():
        unread = int((numbers.isna() & column.notna()).sum())
        text = (
            f"{unread} of {len(column)} values of {column.name!r} are not numbers and count as"
            " missing."
        )
        return numbers, Note("mixed_types", text) if unread else None
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        ranks = column.cat.codes.astype(float)
        note = Note(
            "ranks",
            f"The ordered values of {column.name!r} are replaced by their ranks 1, 2, 3 ...",
        )
        return ranks.where(ranks >= 0) + 1, note
    raise ValueError(
        f"The column {column.name!r} holds no numbers. Leave it nominal, or choose another column."
    )


def _to_texts(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of texts (3, not 3.0) in which missing values stay missing."""

    def text(value: Any) -> Any:
        if pd.isna(value):
            return None
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

    return pd.Series(
        [text(value) for value in column], index=column.index, name=column.name, dtype=object
    )


def packed(texts: Iterable[str]) -> bytes:
    """Return texts as bytes from which they could be read back, whatever they contain."""
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    return b"".join([b"%d:" % len(parts), *(b"%d:%b" % (len(part), part) for part in parts)])


def _column_bytes(column: pd.Series[Any]) -> Iterable[bytes]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        yield packed(
            ["ordered" if column.dtype.ordered else "unordered", *map(repr, column.cat.categories)]
        )
        yield column.cat.codes.to_numpy(np.int64).tobytes()
    elif isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufM":
        yield packed([column.dtype.str])
        yield np.ascontiguousarray(column.to_numpy()).tobytes()
    elif isinstance(column.dtype, pd.StringDtype):
        codes, texts = pd.factorize(column)
        yield packed(["texts", *texts])
        yield np.ascontiguousarray(codes, np.int64).tobytes()
    else:
        yield packed(f"{type(value).__name__} {value!r}" for value in column)
