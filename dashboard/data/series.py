"""Series: one or two sequences of numbers, from the library, a generator or a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import Container
from dashboard.form import Form
from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_series


@dataclass(frozen=True)
class Series(Container):
    """One or two series of numbers."""

    kind: ClassVar[DataKind] = "series"
    advice: ClassVar[str] = "Choose shorter series."
    accepts: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".tsv", ".xlsx", ".ods")
    content: ClassVar[str] = (
        "A table whose first numeric columns are the series, in the order of the rows"
    )
    reader: ClassVar[str] = "read_series"

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Put the series side by side."""
        problem = prepare_series(data.values, data.names, times=data.times, time=data.time)
        arguments = "data.values, data.names, times=data.times, time=data.time"
        code = (
            "from dmlib.problem import prepare_series\n\n"
            f"problem = prepare_series({arguments})\nX = problem.arguments\n"
        )
        return problem, code
