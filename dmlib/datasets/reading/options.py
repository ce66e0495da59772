"""Options of reading a file, and limits of its size."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args

from dmlib.datasets.table import Kind, Role


@dataclass(frozen=True)
class Limits:
    """How large a file may be. Each limit is checked before the memory is spent.

    Parameters
    ----------
    n_bytes : int
        Bytes of the file.
    n_unpacked : int
        Bytes of an archive or workbook when it is unpacked.
    n_rows, n_columns, n_cells : int
        Rows and columns of the table, and their product.
    """

    n_bytes: int = 200 * 2**20
    n_unpacked: int = 500 * 2**20
    n_rows: int = 1_000_000
    n_columns: int = 2_000
    n_cells: int = 20_000_000


@dataclass(frozen=True)
class ReadOptions:
    """Options that a person decides; None stands for "find out".

    Parameters
    ----------
    encoding : str, optional
        The encoding of the text, as Python names it.
    delimiter : str, optional
        What separates the fields of a line. A blank stands for any white space, two blanks for two
        or more.
    quote : str, optional
        The quote character; an empty text means that quotes are ordinary characters.
    skip : int, optional
        How many lines stand above the table.
    skip_footer : int, optional
        How many rows stand below the table, such as remarks and sums.
    header : bool or int, optional
        Whether the first row of the table holds the names, or how many rows do.
    below_header : int, optional
        How many rows right below the names describe the columns (units, questions) and are left
        out.
    block : int, optional
        Which of several tables side by side is read, from 1; 0 reads the columns of all as one
        table.
    decimal : {".", ","}, optional
        The decimal mark.
    day_first : bool, optional
        Whether 1/2/2024 is the first of February, not the second of January.
    missing : tuple of str, optional
        The texts that stand for a missing value, besides the empty one; upper and lower case are
        the same.
    sheet : str, optional
        The sheet of a workbook.
    kinds : mapping of str to str
        The kind of some of the columns.
    roles : mapping of str to {"feature", "target", "label", "ignore"}
        What some of the columns are used for.
    limits : Limits
        How large the file may be.

    Raises
    ------
    ValueError
        If an option is none of these.
    """

    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    skip: int | None = None
    skip_footer: int | None = None
    header: bool | int | None = None
    below_header: int | None = None
    block: int | None = None
    decimal: str | None = None
    day_first: bool | None = None
    missing: tuple[str, ...] | None = None
    sheet: str | None = None
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise ValueError(
                    f"There is no encoding {self.encoding!r}. Try utf-8, cp1252 or shift_jis."
                ) from None
        if self.delimiter == "" or (self.delimiter or "").strip(" ") in {"\n", "\r", '"'}:
            raise ValueError("The delimiter must be one or two characters that do not end a line.")
        for name in ("skip", "skip_footer", "header", "below_header", "block"):
            if (getattr(self, name) or 0) < 0:
                raise ValueError(
                    f"The number in {name!r} must not be negative; it was {getattr(self, name)}."
                )
        if self.decimal not in (None, ".", ","):
            raise ValueError(
                f"The decimal mark must be a point or a comma; it was {self.decimal!r}."
            )
        for name, chosen, allowed in (
            ("kind", self.kinds, get_args(Kind)),
            ("role", self.roles, get_args(Role)),
        ):
            for column, value in chosen.items():
                if value not in allowed:
                    raise ValueError(
                        f"The {name} of {column!r} must be one of {', '.join(allowed)}; it was"
                        f" {value!r}."
                    )

    @classmethod
    def of(cls, options: ReadOptions | Mapping[str, Any] | None) -> ReadOptions:
        """Return options given as such, as a mapping of their names, or not at all.

        Raises
        ------
        ValueError
            If there is no such option.
        """
        if isinstance(options, ReadOptions):
            return options
        names = {each.name for each in fields(cls)}
        unknown = sorted(set(options or ()) - names)
        if unknown:
            raise ValueError(
                f"There is no option {unknown[0]!r}. The options are {', '.join(sorted(names))}."
            )
        return cls(**(options or {}))
