"""Rows of a label and of index:value pairs, as LIBSVM and SVMlight write them -> cells."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from dmlib.datasets.reading.cells import Cells, Column
from dmlib.datasets.reading.header import with_names
from dmlib.datasets.reading.layout import check_size
from dmlib.datasets.reading.options import Limits
from dmlib.datasets.table import Kind, Note, TableError

# Each text fits in one way alone: tokens are matched one by one, so that a wrong one at the end
# costs nothing.
_NUMBER = rb"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,4})?"
_LABEL = re.compile(_NUMBER)
_QUERY = re.compile(rb"qid:\d{1,18}")
_PAIR = re.compile(rb"\d{1,18}:" + _NUMBER)
_SAMPLE = 100
MAX_LINE = 2**20  # bytes of a row
_CLASSES = 20  # whole numbers up to which labels are classes


def is_svmlight(data: bytes) -> bool:
    r"""Return whether the first rows are a label and pairs, most with a pair at least.

    Examples
    --------
    >>> is_svmlight(b"1 1:0.5 3:2\n-1 2:1\n"), is_svmlight(b"1 2 3\n4 5 6\n")
    (True, False)
    """
    lines = list(islice(_lines(data), _SAMPLE))
    if any(len(line) > MAX_LINE for line in lines):
        return False
    rows = [line.split() for line in lines]
    n_with_pairs = sum(_PAIR.fullmatch(row[-1]) is not None for row in rows)
    return all(map(_is_row, rows)) and n_with_pairs > len(rows) / 2


def _lines(data: bytes) -> Iterator[bytes]:
    """Yield the lines that hold more than a remark, without it."""
    for line in io.BytesIO(data):
        text = line.partition(b"#")[0].strip()
        if text:
            yield text


def _is_row(tokens: list[bytes]) -> bool:
    """Return whether tokens are a label, perhaps the number of a query, and pairs."""
    label, *pairs = tokens
    if pairs and _QUERY.fullmatch(pairs[0]):
        del pairs[0]
    return _LABEL.fullmatch(label) is not None and all(map(_PAIR.fullmatch, pairs))


def read_svmlight(data: bytes, limits: Limits) -> tuple[Cells, dict[str, Kind], list[Note]]:
    """Read rows of LIBSVM: the features that a row does not name are 0.

    Returns
    -------
    cells : Cells
        The labels, the numbers of the queries if there are any, and the features ``x1``, ``x2``,
        ...
    kinds : dict of str to str
        The label as nominal, where it is one of a few whole numbers.
    notes : list of Note
        How the rows were read.

    Raises
    ------
    TableError
        If a row is of another form, or there are too many rows or features.
    """
    from sklearn.datasets import load_svmlight_file

    widest = max(map(_last_index, _lines(data)), default=0)
    check_size(widest + 1, data.count(b"\n"), limits)
    try:
        sparse, labels, queries = load_svmlight_file(
            io.BytesIO(data), n_features=widest + 1, zero_based=True, query_id=True
        )
    except ValueError as error:
        raise TableError(
            "corrupt", f"A row is not of LIBSVM's form ({str(error)[:100].rstrip('.')})."
        ) from None
    features = sparse.toarray()
    named = {f"x{i}": features[:, i] for i in range(widest + 1) if i or sparse[:, 0].nnz}
    are_integers = bool((labels == np.round(labels)).all())
    columns = {
        "label": labels.astype(np.int64) if are_integers else labels,
        **({"query": queries} if queries.any() else {}),
    }
    numbers = dict(enumerate([*columns.values(), *named.values()]))
    cells = Cells(
        tuple(Column.blank(len(labels)) for _ in numbers),
        np.arange(1, len(labels) + 1),
        (),
        numbers,
    )
    cells, _ = with_names(cells, [*columns, *named])
    text = (
        "The rows are a label and index:value pairs (LIBSVM); a feature that a row does not name"
        " is 0."
    )
    classes = are_integers and len(np.unique(labels)) <= _CLASSES
    return cells, {"label": "nominal"} if classes else {}, [Note("format_guessed", text)]


def _last_index(line: bytes) -> int:
    """Return the index of the last pair of a row; 0 where it has none."""
    index, colon, _ = line.rsplit(maxsplit=1)[-1].partition(b":")
    return int(index[:12]) if colon and index.isdigit() else 0
