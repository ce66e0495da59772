import numpy as np
import pytest

from dmlib.pictures.words import num


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-2.5, "−2.5"),
        (1234567.0, "1.23457e+06"),
        (1e-9, "1e−09"),
        (np.inf, "∞"),
        (-np.inf, "−∞"),
    ],
)
def test_numbers_in_sentences(value, text):
    assert num(value) == text
