"""Notes on a prepared table, and the code that prepares it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dmlib.datasets import Table as TypedTable

if TYPE_CHECKING:
    from dashboard.data.table import Table
    from dashboard.technique import Technique

REASONS = {
    "date": "it holds dates",
    "text": "it holds texts",
    "id": "it only names or counts the rows",
}
"""Why columns of these types are left out."""
UNCHANGED = "Unchanged, but kept in the prepared table"
UNUSED = "Not used, as they are no numbers"
CLASSIFICATION = "the pages under Classification predict it."


def problem_code(
    features: tuple[str, ...], options: Mapping[str, Any], *, labelled: bool, nominal: bool
) -> str:
    """Return the code that prepares ``frame`` and makes ``X`` and, where it is given, ``y``.

    Examples
    --------
    >>> print(problem_code(("a", "b"), {"scaling": "z-score"}, labelled=False, nominal=False))
    <BLANKLINE>
    from dmlib.problem import prepare
    <BLANKLINE>
    problem = prepare(frame, ['a', 'b'], scaling='z-score')
    X = problem.X
    <BLANKLINE>
    """
    arguments = [
        f"{name}={value!r}" for name, value in options.items() if value not in (None, 0.0, "drop")
    ]
    if labelled:
        data = "X, y = problem.training.data, problem.training.y\n"
    else:
        data = "X = problem.data\n" if nominal else "X = problem.X\n"
    call = f"prepare({', '.join(['frame', repr(list(features)), *arguments])})"
    return f"\nfrom dmlib.problem import prepare\n\nproblem = {call}\n{data}"


def table_notes(
    table: TypedTable,
    source: str,
    target: str | None,
    technique: Technique,
    kind: Table,
    usable: tuple[str, ...],
    features: tuple[str, ...],
) -> list[str]:
    """Return what a reader should know of the columns that are not used."""
    is_file = source == "upload"
    notes = _reading_notes(table, is_file)
    if is_file and len(features) < len(usable):
        notes.append(
            f"{len(features)} of {len(usable):,} usable columns are used; the list of columns has"
            " the others."
        )
    unused = [name for name in table.nominal if name not in (*usable, target)]
    if unused and (technique.prepared or is_file):
        notes.append(f"{UNCHANGED if technique.prepared else UNUSED}: {', '.join(unused)}.")
    last = table.comparable[-1]
    if is_file and kind.target == "number" and last in table.nominal:
        notes.append(f"{last} is nominal, so it is no response here: {CLASSIFICATION}")
    reasons = _reasons(table, target)
    return notes + [f"The column {name!r} is left out: {why}." for name, why in reasons.items()]


def _reasons(table: TypedTable, target: str | None) -> dict[str, str]:
    """Return why columns are left out: those without values, and those of some types."""
    blank = [name for name in table.comparable if name != target and name in table.blank]
    by_type = {name: REASONS[kind] for name, kind in table.kinds.items() if kind in REASONS}
    return dict.fromkeys(blank, "it holds no value") | by_type


def _reading_notes(table: TypedTable, is_file: bool) -> list[str]:
    """Return the notes on a table; the many on a file stand where it was chosen."""
    if not is_file or not table.notes:
        return [note.text for note in table.notes]
    things = "1 thing" if len(table.notes) == 1 else f"{len(table.notes)} things"
    return [f"Reading the file, {things} had to be guessed or repaired: see “What was read”."]
