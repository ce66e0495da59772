"""Functions of two variables: from the library, a formula, or the loss of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import Container
from dashboard.form import Form
from dmlib.datasets import SurfaceData
from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_loss, prepare_surface

FORMULA = "formula"
FIRST = "x**2 + 3*y**2"
DOMAIN = (-5.0, 5.0, -5.0, 5.0)


@dataclass(frozen=True)
class Surface(Container):
    """A function of two variables."""

    kind: ClassVar[DataKind] = "surface"
    advice: ClassVar[str] = "Choose fewer iterations."

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Read the formula, or make a surface of the loss."""
        if data.loss:
            name, arguments = "prepare_loss", "data.rows, data.loss, data.domain, name=data.name"
            problem: Any = prepare_loss(data.rows, data.loss, data.domain, name=data.name)
        else:
            name, arguments = "prepare_surface", "data.formula, data.domain, name=data.name"
            problem = prepare_surface(data.formula, data.domain, name=data.name)
        code = (
            f"from dmlib.problem import {name}\n\n"
            f"problem = {name}({arguments})\n(X,) = problem.arguments\n"
        )
        return problem, code

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Let the reader type a formula in x and y."""
        formula = form.text_field(FORMULA, "Formula in x and y", FIRST, max_chars=200)
        data = SurfaceData(formula, DOMAIN, name="formula", title="Your formula")
        code = (
            "from dmlib.datasets import SurfaceData\n\n"
            f"data = SurfaceData({formula!r}, {DOMAIN}, name='formula')\n"
        )
        return data, code
