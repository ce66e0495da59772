"""A picture that a network looks at, which learns from handwritten digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd

from dashboard.data.image import Image
from dashboard.form import Form
from dmlib.problem import prepare_digits


@dataclass(frozen=True)
class Digits(Image):
    """An image to look at; the network learns from the digits of scikit-learn."""

    advice: ClassVar[str] = "Choose fewer filters or epochs."

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Reduce the image to a size that can be shown step by step."""
        code = (
            "from dmlib.problem import prepare_digits\n\n"
            "problem = prepare_digits(data.pixels, name=data.name)\nX, y = problem.arguments\n"
        )
        return prepare_digits(data.pixels, name=data.name), code

    def listing(self, problem: Any) -> pd.DataFrame:
        """Return the digits that the network learns from, one row each."""
        return pd.DataFrame(
            {"digit": problem.y}, index=pd.RangeIndex(1, len(problem.y) + 1, name="number")
        )
