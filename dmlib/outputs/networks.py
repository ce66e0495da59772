"""A Bayesian network as text in the Interchange Format (BIF)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

_WORD = re.compile(r"[A-Za-z0-9_.<>=+-]+")


def network_bif(nodes: Sequence[Any], name: str = "network") -> str:
    """Return a network as text that programs for Bayesian networks read.

    Parameters
    ----------
    nodes : sequence of dmlib.datasets.networks.NetworkNode
        The nodes.
    name : str
        The name of the network.

    Notes
    -----
    Names that are no single words are quoted; a quotation mark in them becomes an apostrophe.

    References
    ----------
    F. G. Cozman (1998), The Interchange Format for Bayesian Networks, version 0.15.

    Examples
    --------
    >>> from dmlib.datasets.networks import parse_network
    >>> print(network_bif(parse_network("rain: yes 0.2, no 0.8")))
    network network {
    }
    variable rain {
      type discrete [ 2 ] { yes, no };
    }
    probability ( rain ) {
      table 0.2, 0.8;
    }
    <BLANKLINE>
    """
    values = {node.name: node.values for node in nodes}
    lines = [f"network {_word(name)} {{", "}"]
    for node in nodes:
        names = ", ".join(map(_word, node.values))
        lines += [f"variable {_word(node.name)} {{"]
        lines += [f"  type discrete [ {len(node.values)} ] {{ {names} }};", "}"]
    for node in nodes:
        given = f" | {', '.join(map(_word, node.parents))}" if node.parents else ""
        lines += [f"probability ( {_word(node.name)}{given} ) {{"]
        lines += [*_rows(node, [values[parent] for parent in node.parents]), "}"]
    return "\n".join([*lines, ""])


def _rows(node: Any, values_of_parents: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the row of each state of the parents."""
    rows = node.table.reshape(-1, len(node.values)).tolist()
    for state, row in zip(product(*values_of_parents), rows, strict=True):
        head = f"({', '.join(map(_word, state))})" if state else "table"
        yield f"  {head} {', '.join(map(repr, row))};"


def _word(name: str) -> str:
    plain = " ".join(name.replace('"', "'").split())
    return plain if _WORD.fullmatch(plain) else f'"{plain}"'
