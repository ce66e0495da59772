"""Market baskets in files: on each line a basket or an item, or a column for each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dmlib.datasets.containers import Baskets
from dmlib.datasets.reading.basket_file import (
    FORMS,
    WORDS,
    BasketFile,
    BasketOptions,
    BasketReading,
    counted,
)
from dmlib.datasets.reading.basket_forms import read_form
from dmlib.datasets.reading.basket_items import braced_baskets
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.formats import Content, identify
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.others import OWN, content_rows, title_of
from dmlib.datasets.table import Note, TableError

__all__ = ["FORMS", "WORDS", "BasketOptions", "read_baskets"]

_OTHER_TEXT = "What stands beside the braces is left out."


def read_baskets(
    data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None
) -> Baskets:
    r"""Read market baskets from delimited text or a sheet of a workbook.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent; only shown.
    options : ReadOptions or mapping, optional
        What is decided and not found out: ``form`` ("lines", "long", "matrix", "ticks"),
        ``numbered`` (whether the first field names the basket), ``column`` (whose cells hold
        several items), ``header`` (whether the first row holds names), ``delimiter``, ``encoding``,
        ``sheet``.

    Returns
    -------
    Baskets
        The baskets in the order of the file; an item that comes again in a basket counts once.
        ``notes`` say how the file was read.

    Raises
    ------
    TableError
        If there are no baskets, or too many rows.
    ValueError
        If an option is none.

    Notes
    -----
    A file is a *matrix* if below names all cells are marks (0 and 1, yes and no, x) or quantities.
    It is *long* if its columns are called so, or if all lines have two fields (or three with a
    number) and the first ones come again. It has *ticks* if the cells of a column below its name
    are lists of the same items, as forms write where several options were ticked. Else each line is
    a basket, perhaps in braces, as R's arules writes it. The rules stand in ``basket_forms.RULES``.
    Time is linear in the size of the file.

    Examples
    --------
    >>> [sorted(items) for items in read_baskets(b"tea,milk\ntea\n", "shop.csv").transactions]
    [['milk', 'tea'], ['tea']]
    >>> read_baskets(b"id,item\n1,tea\n1,milk\n2,tea\n", "shop.csv").items
    ('milk', 'tea')
    >>> read_baskets(b"tea,milk\n1,1\n1,0\n0,0\n", "shop.csv").transactions[1:]
    (frozenset({'tea'}), frozenset())
    >>> form = b'when,Drinks?\n9:10,"tea, milk"\n9:12,"milk, rum"\n9:15,tea\n'
    >>> read_baskets(form, "form.csv").items
    ('milk', 'rum', 'tea')
    """
    if not isinstance(options, BasketOptions):
        options = BasketOptions.of(vars(options) if isinstance(options, ReadOptions) else options)
    assert isinstance(options, BasketOptions)
    reading, notes = _read(identify(data, name, options.limits), options)
    transactions = tuple(frozenset(items) for items in reading.baskets)
    if not any(transactions):
        raise TableError(
            "no_rows",
            "The file holds no basket with an item. Put the items of one basket on each line.",
        )
    n_items = len(frozenset().union(*transactions))
    size = f"{counted(len(transactions), 'basket')} of {counted(n_items, 'different item')}"
    sentences = [
        f"The file was read as {size}: {reading.how}.",
        *reading.remarks,
        *_peculiar(reading.baskets),
    ]
    notes = [*notes, *(Note("format_guessed", sentence) for sentence in sentences)]
    return Baskets(transactions, name="upload", title=title_of(name), notes=tuple(notes), **OWN)


def _read(content: Content, options: BasketOptions) -> tuple[BasketReading, list[Note]]:
    """Return the baskets of a file, and how its text was read."""
    by_lines = options.form in (None, "lines")
    may_be_braced = by_lines and options.column is None and b"{" in content.data
    # A set of texts in braces begins as JSON does.
    if may_be_braced and content.format in ("text", "json"):
        text, notes = decode(content.data, options.encoding)
        braced = _braced_reading(text)
        if braced:
            return braced, notes
    rows, notes = content_rows(content, options)
    fields = [row for _, row in rows]
    if content.format == "workbook" and by_lines:
        braced = _braced_reading("\n".join(",".join(row) for row in fields))
        if braced:
            return braced, notes
    return read_form(BasketFile(fields, options)), notes


def _braced_reading(text: str) -> BasketReading | None:
    """Return the baskets of a text that has them in braces."""
    braced = braced_baskets(text)
    if braced is None:
        return None
    remarks = (_OTHER_TEXT,) if braced.has_other_text else ()
    return BasketReading(braced.baskets, "one basket on each line, its items in braces", remarks)


def _peculiar(baskets: Sequence[Sequence[str]]) -> list[str]:
    """Return what is remarkable of the baskets, one sentence each."""
    n_repeated = sum(len(set(items)) < len(items) for items in baskets)
    n_empty = sum(not items for items in baskets)
    sentences = []
    if n_repeated:
        sentences.append(f"In {counted(n_repeated, 'basket')} an item comes again; it counts once.")
    if n_empty:
        verb = "counts" if n_empty == 1 else "count"
        sentences.append(f"{counted(n_empty, 'basket')} without an item {verb} in every support.")
    if len(baskets) > 1 and len({frozenset(items) for items in baskets}) == 1:
        sentences.append("All baskets are equal, so every item set in them has the support 1.")
    return sentences
