"""The link as a QR code: the code says the link, dark on light, or there is a sentence instead."""

import io
from xml.etree import ElementTree

import pytest
import segno

from ui.share import MAX_CHARACTERS, QUIET, qr_code

LINK = "https://dm.example.edu/svm?svm.C=10&svm.kernel=poly&source=generator&generator=moons&seed=4"


def test_the_code_is_that_of_the_link_with_its_quiet_rim():
    svg = ElementTree.fromstring(qr_code(LINK))
    squares = segno.make_qr(LINK, error="l").symbol_size(border=0)[0] + 2 * QUIET
    scale = float(svg.attrib["width"]) / squares
    assert float(svg.attrib["height"]) == scale * squares
    plain = io.BytesIO()
    segno.make_qr(LINK, error="l").save(
        plain, kind="svg", scale=10, border=QUIET, dark="#000", light="#fff"
    )
    paths = [path.get("d") for path in svg.iter() if path.tag.endswith("path")]
    expected = [
        path.get("d")
        for path in ElementTree.fromstring(plain.getvalue()).iter()
        if path.tag.endswith("path")
    ]
    assert paths == expected


def test_it_is_dark_on_light_whatever_the_theme():
    svg = qr_code(LINK)
    assert "#000" in svg
    assert "#fff" in svg
    assert "currentColor" not in svg


@pytest.mark.parametrize(("longer", "coded"), [(0, True), (1, False)])
def test_a_link_too_long_to_be_scanned_has_no_code(longer, coded):
    assert bool(qr_code("x" * (MAX_CHARACTERS + longer))) == coded
    # The longest one still has squares of more than a 95th of its width.
    assert segno.make_qr("x" * MAX_CHARACTERS, error="l").symbol_size()[0] <= 95
