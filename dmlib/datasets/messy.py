"""Small files with everything that goes wrong in real ones, to try the reading on."""

from __future__ import annotations

from collections.abc import Mapping

from dmlib.datasets._files import data_path

MESSY: Mapping[str, str] = {
    "survey.csv": "A survey from a spreadsheet",
    "sales.csv": "Orders with amounts and dates",
    "sensors.txt": "A logger's aligned columns",
}
"""The files and what they are. They are made up for this library."""


def messy_file(name: str) -> bytes:
    """Return the content of a messy file.

    Raises
    ------
    ValueError
        If there is no such file.

    Examples
    --------
    >>> from dmlib.datasets import read_table
    >>> table = read_table(messy_file("survey.csv"), "survey.csv")
    >>> table.numeric
    ('Größe', 'Gewicht', 'Schlaf')
    """
    if name not in MESSY:
        raise ValueError(f"There is no messy file {name!r}. Choose one of {', '.join(MESSY)}.")
    return data_path(f"messy/{name}").read_bytes()
