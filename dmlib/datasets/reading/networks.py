"""Bayesian networks from a file: one in BIF, or a table in whose rows tables are counted."""

from __future__ import annotations

import re
from dataclasses import replace

from dmlib.datasets.containers import NetworkData
from dmlib.datasets.learned_network import learn_network
from dmlib.datasets.reading.bif import parse_bif
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.others import OWN, title_of
from dmlib.datasets.reading.tables import read_table
from dmlib.datasets.table import TableError

LARGEST_BIF = 2 * 2**20  # bytes
_START = re.compile(rb"\s*(?://|/\*|(?:network|variable|probability)\b[^\n,;{(]{0,200}[{(\n])")


def read_network(
    data: bytes, name: str, *, edges: str = "", laplace: float = 1.0, n_bins: int = 3
) -> NetworkData:
    r"""Read a Bayesian network from a file in BIF, or learn one from a file with a table.

    Parameters
    ----------
    data : bytes
        The content of a file in the Bayesian Network Interchange Format, or of any file that
        :func:`read_table` reads.
    name : str
        The name under which it was sent; only shown.
    edges, laplace, n_bins
        Of a table, as :func:`learn_network` takes them.

    Returns
    -------
    NetworkData
        The network; of a file in BIF, the first node is asked about first.

    Raises
    ------
    TableError
        If the file is neither, or its network has a cycle, unknown names, rows that are missing or
        do not sum to 1, or more than 1,048,576 states.

    Examples
    --------
    >>> text = b"variable rain { type discrete [ 2 ] { yes, no }; }"
    >>> text += b"probability ( rain ) { table 0.2, 0.8; }"
    >>> read_network(text, "rain.bif").nodes[0].table.tolist()
    [0.2, 0.8]
    >>> table = b"rain,grass\ny,wet\ny,wet\nn,dry\n"
    >>> read_network(table, "days.csv", edges="rain -> grass").nodes[1].parents
    ('rain',)
    """
    if not (name.lower().endswith(".bif") or _START.match(data)):
        table = read_table(data, name)
        learned = learn_network(table.frame, edges, laplace=laplace, n_bins=n_bins)
        notes = (*table.notes, *learned.notes)
        return replace(learned, name="network_file", title=title_of(name), notes=notes, **OWN)
    if len(data) > LARGEST_BIF:
        raise TableError(
            "too_large", f"The network is larger than {LARGEST_BIF >> 20} MB. Take a smaller one."
        )
    text, notes_of_text = decode(data)
    nodes = parse_bif(text)
    return NetworkData(
        nodes,
        nodes[0].name,
        name="network_file",
        title=title_of(name),
        notes=tuple(notes_of_text),
        **OWN,
    )
