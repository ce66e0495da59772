"""A file of baskets: its rows, what is decided of it, and what is read of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dmlib.datasets.reading.options import ReadOptions

WORDS = {
    "lines": "one basket on each line",
    "long": "one item on each line behind its basket",
    "matrix": "one column for each item",
    "ticks": "several items in a cell of each line",
}
"""The forms, for people."""
FORMS = tuple(WORDS)


@dataclass(frozen=True)
class BasketOptions(ReadOptions):
    """Options of a file of baskets; None stands for "find out".

    Parameters
    ----------
    form : {"lines", "long", "matrix", "ticks"}, optional
        One basket on each line; one item on each line, behind its basket; one column for each item;
        one column whose cells hold several items.
    numbered : bool, optional
        Whether the first field names the basket and is no item.
    column : str, optional
        The column whose cells hold several items.

    Raises
    ------
    ValueError
        If an option is none of these.
    """

    form: str | None = None
    numbered: bool | None = None
    column: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in (None, *FORMS):
            raise ValueError(f"The form must be one of {', '.join(FORMS)}; it was {self.form!r}.")
        if self.column is not None and self.form not in (None, "ticks"):
            raise ValueError(
                "A column of items can be chosen only where its cells hold several items ('ticks')."
            )


@dataclass(frozen=True)
class BasketFile:
    """The rows of a file without what is empty at their ends, and what is decided of it."""

    rows: list[list[str]]
    options: BasketOptions
    head: list[str] = field(init=False)
    width: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "head", self.rows[0])
        object.__setattr__(self, "width", max(map(len, self.rows)))

    @property
    def below(self) -> list[list[str]]:
        """The rows below the first."""
        return self.rows[1:]

    def column(self, j: int) -> list[str]:
        """Return the cells of a column below its name."""
        return [row[j] if j < len(row) else "" for row in self.below]


@dataclass(frozen=True)
class BasketReading:
    """Baskets as they were read: in words how, and what else is remarkable of it."""

    baskets: list[list[str]]
    how: str
    remarks: tuple[str, ...] = ()


def counted(n: int, noun: str) -> str:
    """Return a number and a noun in its singular or plural.

    Examples
    --------
    >>> counted(1, "line"), counted(2_000, "line")
    ('1 line', '2,000 lines')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
