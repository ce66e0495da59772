"""An image from outside becomes pixels within bounds, or is refused with a sentence."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dmlib.datasets import ImageData, TableError, read_image
from dmlib.problem import prepare_image

COLOURS = np.random.default_rng(0).integers(0, 256, (5, 7, 3)).astype(np.uint8)


def packed(image, form="PNG", **how):
    out = io.BytesIO()
    image.save(out, form, **how)
    return out.getvalue()


def head(width, height):
    """The head of a PNG file that declares a size and holds no pixels."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    )
    return start + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


PNG = packed(Image.fromarray(COLOURS))


def test_a_png_returns_exactly():
    image = read_image(PNG, "folder/colours.png")
    assert isinstance(image, ImageData)
    np.testing.assert_array_equal(image.pixels, COLOURS)
    assert (image.name, image.title, image.notes) == ("upload", "colours.png", ())
    assert prepare_image(image.pixels).colour


def test_a_jpeg_is_read_upright():
    wide = np.zeros((40, 80), np.uint8)
    wide[:, 40:] = 255
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: rotate by 90 degrees clockwise
    pixels = read_image(packed(Image.fromarray(wide), "JPEG", exif=exif), "photo.jpg").pixels
    assert pixels.shape == (80, 40)
    assert pixels[:30].max() < 30
    assert pixels[-30:].min() > 225


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_becomes_grey_or_colour(mode):
    image = (
        Image.new("L", (4, 3), 255)
        if mode == "I;16"
        else Image.new("RGB", (4, 3), "white").convert(mode)
    )
    if mode == "I;16":
        image = Image.fromarray(np.full((3, 4), 65535, np.uint16))
    pixels = read_image(packed(image), "white.png").pixels
    assert (pixels == 255).all()
    assert pixels.shape == ((3, 4) if mode in ("1", "L", "LA", "I;16") else (3, 4, 3))


def test_what_is_transparent_is_white():
    pixels = read_image(packed(Image.new("RGBA", (2, 2), (255, 0, 0, 0))), "clear.png").pixels
    assert (pixels == 255).all()


def test_a_large_image_is_reduced_with_a_note():
    image = read_image(packed(Image.new("L", (3000, 1500))), "large.png")
    assert image.pixels.shape == (512, 1024)
    assert image.notes[0].text == "The image of 3,000 x 1,500 pixels was reduced to 1,024 x 512."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "wrong_format"),
        (b"a,b\n1,2\n", "wrong_format"),
        (packed(Image.new("L", (2, 2)), "GIF"), "wrong_format"),
        (packed(Image.new("L", (2, 2)), "BMP"), "wrong_format"),
        (PNG[:60], "damaged"),
        (PNG[:-30], "damaged"),
        (head(6000, 6000), "too_large"),
        (head(12000, 12000), "too_large"),
        (head(60000, 60000), "too_large"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * (21 * 2**20), "too_large"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(data, reason):
    with pytest.raises(TableError) as caught:
        read_image(data, "image.png")
    assert caught.value.reason == reason
    assert str(caught.value).count(".") == 2


@given(st.integers(8, len(PNG) - 1), st.integers(1, 255))
def test_a_changed_byte_is_an_image_or_a_table_error(at, change):
    data = PNG[:at] + bytes([PNG[at] ^ change]) + PNG[at + 1 :]
    try:
        image = read_image(data, "image.png")
    except TableError:
        return
    assert image.pixels.dtype == np.uint8
