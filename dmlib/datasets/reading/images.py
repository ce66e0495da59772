"""Reading an image that a person brings: PNG or JPEG, within bounds."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.containers import ImageData
from dmlib.datasets.table import Note, TableError

LARGEST_IMAGE = 20 * 2**20
"""The most bytes of a file."""

MAX_PIXELS = 30_000_000
"""The most pixels of an image: it is decoded into three bytes each."""

LONGEST_KEPT = 1024
"""Larger images are reduced to so many pixels along their longer side."""

ADVICE = "Save the image as PNG or JPEG."


def read_image(data: bytes, name: str) -> ImageData:
    r"""Read an image from the bytes of a PNG or JPEG file.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent; only shown.

    Returns
    -------
    ImageData
        Grey values, or red, green and blue; upright as the camera says, transparent parts on white.

    Raises
    ------
    TableError
        If the file is no such image, damaged, or too large.

    Notes
    -----
    The number of bytes is checked first, then the number of pixels that the head of the file
    declares, and only then are pixels decoded.

    Examples
    --------
    >>> read_image(b"a,b\n1,2\n", "table.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    dmlib.datasets.table.TableError: The file is no PNG or JPEG image. ...
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    if len(data) > LARGEST_IMAGE:
        raise TableError(
            "too_large",
            f"The file is larger than {LARGEST_IMAGE >> 20} MB, the limit. Reduce the image.",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of damaged remarks beside the pixels
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    raise Image.DecompressionBombWarning
                image.draft(
                    None, (LONGEST_KEPT, LONGEST_KEPT)
                )  # a JPEG can be decoded at a smaller scale
                pixels = _pixels(ImageOps.exif_transpose(image))
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        text = (
            f"The image has more than {MAX_PIXELS // 10**6} million pixels, the limit. Reduce the"
            " image."
        )
        raise TableError("too_large", text) from None
    except UnidentifiedImageError:
        raise TableError("wrong_format", f"The file is no PNG or JPEG image. {ADVICE}") from None
    except (
        OSError,
        SyntaxError,
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        struct.error,
        zlib.error,
    ):
        raise TableError("damaged", f"The image is damaged and cannot be read. {ADVICE}") from None
    text = (
        f"The image of {width:,} x {height:,} pixels was reduced to {pixels.shape[1]:,} x"
        f" {pixels.shape[0]:,}."
    )
    return ImageData(
        pixels,
        name="upload",
        title=re.split(r"[\\/]", name)[-1][:100] or "Your image",
        description="An image that you brought.",
        source="Your file.",
        licence="Yours.",
        notes=(Note("reduced", text),) if max(width, height) > LONGEST_KEPT else (),
    )


def _pixels(image: Any) -> NDArray[np.uint8]:
    """Return the grey values of an image, or its red, green and blue, not larger than is kept."""
    from PIL import Image

    if image.mode.startswith(
        "I"
    ):  # 16 bits of grey: Pillow itself would cut them off, not scale them
        image = Image.fromarray((np.asarray(image).clip(0, 65535) // 257).astype(np.uint8))
    if image.has_transparency_data:
        ground = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(ground, image.convert("RGBA")).convert(
            "L" if image.mode == "LA" else "RGB"
        )
    image = image.convert("L" if image.mode in ("1", "L") else "RGB")
    image.thumbnail((LONGEST_KEPT, LONGEST_KEPT))
    return np.array(image, np.uint8)
