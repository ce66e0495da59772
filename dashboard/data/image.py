"""Images: from the library or a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import Container
from dashboard.form import Form
from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_image


@dataclass(frozen=True)
class Image(Container):
    """An image, grey or in colour."""

    kind: ClassVar[DataKind] = "image"
    advice: ClassVar[str] = "Choose a smaller image, or fewer clusters and iterations."
    accepts: ClassVar[tuple[str, ...]] = (".png", ".jpg", ".jpeg")
    content: ClassVar[str] = "An image: PNG or JPEG"
    reader: ClassVar[str] = "read_image"

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Reduce the image to a size that can be shown step by step."""
        code = (
            "from dmlib.problem import prepare_image\n\n"
            "problem = prepare_image(data.pixels, name=data.name)\n(X,) = problem.arguments\n"
        )
        return prepare_image(data.pixels, name=data.name), code
