import pytest

from dmlib.datasets import load
from dmlib.decomposition.pixels import pixel_grid


def test_digits_are_pictures():
    assert pixel_grid(list(load("digits").frame.columns[:64])) == (8, 8)


@pytest.mark.parametrize(
    "features",
    [
        ["pixel_0_1", "pixel_0_0"],
        ["pixel_0_0", "pixel_1_1"],
        ["pixel_2_4", "pixel_5_2"],
        ["pixel_0_0", "pixel_0_0"],
        ["pixel_0_0", "digit"],
        [],
    ],
    ids="-".join,
)
def test_other_columns_are_none(features):
    assert pixel_grid(features) is None
