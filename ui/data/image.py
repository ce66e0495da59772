"""Images: from the library or a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_image
from ui.data.container import Container


@dataclass(frozen=True)
class Image(Container):
    """An image, grey or in colour."""

    kind: ClassVar[DataKind] = "image"
    less: ClassVar[str] = "Choose a smaller image, or fewer clusters and iterations."
    accepts: ClassVar[tuple[str, ...]] = (".png", ".jpg", ".jpeg")
    wanted: ClassVar[str] = "An image: PNG or JPEG"
    reader: ClassVar[str] = "read_image"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Reduce the image to a size that can be shown step by step."""
        return (
            prepare_image(data.pixels, name=data.name),
            (
                "from dmlib.problem import prepare_image\n\n(X,) ="
                " prepare_image(data.pixels).arguments\n"
            ),
        )
