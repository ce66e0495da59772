"""Series: one or two sequences of numbers, from the library, a generator or a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_series
from ui.data.container import Container


@dataclass(frozen=True)
class Series(Container):
    """One or two series of numbers."""

    kind: ClassVar[DataKind] = "series"
    less: ClassVar[str] = "Choose shorter series."
    accepts: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".tsv", ".xlsx", ".ods")
    wanted: ClassVar[str] = (
        "A table whose first numeric columns are the series, in the order of the rows"
    )
    reader: ClassVar[str] = "read_series"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Put the series side by side."""
        problem = prepare_series(data.values, data.names, times=data.times, time=data.time)
        return (
            problem,
            (
                "from dmlib.problem import prepare_series\n\nX = prepare_series(data.values,"
                " data.names, times=data.times, time=data.time).arguments\n"
            ),
        )
