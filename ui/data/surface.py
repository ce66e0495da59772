"""Functions of two variables: from the library, a formula that the reader types, or the loss of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import streamlit as st

from dmlib.datasets import SurfaceData
from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_loss, prepare_surface
from ui.data.container import Container
from ui.links import keep, kept, shown

FORMULA = "formula"
FIRST = "x**2 + 3*y**2"
DOMAIN = (-5.0, 5.0, -5.0, 5.0)


@dataclass(frozen=True)
class Surface(Container):
    """A function of two variables."""

    kind: ClassVar[DataKind] = "surface"
    less: ClassVar[str] = "Choose fewer iterations."

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Read the formula, or make a surface of the loss."""
        if data.loss:
            return (
                prepare_loss(data.rows, data.loss, data.domain, name=data.name),
                (
                    "from dmlib.problem import prepare_loss\n\n"
                    "(X,) = prepare_loss(data.rows, data.loss, data.domain,"
                    " name=data.name).arguments\n"
                ),
            )
        return (
            prepare_surface(data.formula, data.domain, name=data.name),
            (
                "from dmlib.problem import prepare_surface\n\n"
                "(X,) = prepare_surface(data.formula, data.domain, name=data.name).arguments\n"
            ),
        )

    def drawn(self) -> tuple[Any, str]:
        """Let the reader type a formula in x and y."""
        kept(FORMULA, str, FIRST)
        if shown("data"):
            st.text_input("Formula in x and y", key=FORMULA, max_chars=200, persist_state="session")
        formula = st.session_state[FORMULA]
        keep(FORMULA, None if formula == FIRST else formula)
        data = SurfaceData(formula, DOMAIN, name="formula", title="Your formula")
        return (
            data,
            (
                f"from dmlib.datasets import SurfaceData\n\ndata = SurfaceData({formula!r},"
                f" {DOMAIN}, name='formula')\n"
            ),
        )
