"""Series: one or two sequences of numbers, from the library, a generator or a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.datasets import SeriesData, read_table
from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_series
from ui.data.container import Container

MOST = 2  # columns of a file that become series


@dataclass(frozen=True)
class Series(Container):
    """One or two series of numbers."""

    kind: ClassVar[DataKind] = "series"
    less: ClassVar[str] = "Choose shorter series."
    accepts: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".tsv", ".xlsx", ".ods")
    wanted: ClassVar[str] = "A table whose first numeric columns are the series, in the order of the rows"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Put the series side by side."""
        problem = prepare_series(data.values, data.names, times=data.times, time=data.time)
        return problem, (
            "from dmlib.problem import prepare_series\n\n"
            "X = prepare_series(data.values, data.names, times=data.times, time=data.time).arguments\n"
        )

    def read(self, content: bytes, name: str) -> Any:
        """Read the first numeric columns of a table."""
        table = read_table(content, name)
        names = table.numeric[:MOST]
        if not names:
            raise ValueError("The file has no column of numbers. Choose a file whose columns are the series.")
        values = tuple(table.frame[column].dropna().to_numpy(float) for column in names)
        times = tuple(table.frame[column].dropna().index.to_numpy(float) for column in names)
        return SeriesData(values, names, times, "row", name=table.name, title=table.title, notes=table.notes)
