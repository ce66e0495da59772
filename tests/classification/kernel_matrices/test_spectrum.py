"""The spectrum kernel beside the course notes' example and its definition."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.classification import spectrum_kernel
from dmlib.classification.kernel_matrices.spectrum import k_mers

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "spectrum_kernel.json").read_text("utf-8")
)
STRINGS = st.lists(st.text("abc", max_size=9), min_size=1, max_size=5)


def test_golden_histograms_and_kernel():
    example, expected = GOLDEN["input"], GOLDEN["expected"]
    assert k_mers(example["a"], example["k"]) == expected["histogram_a"]
    assert k_mers(example["b"], example["k"]) == expected["histogram_b"]
    assert spectrum_kernel([example["a"]], [example["b"]], k=example["k"]).tolist() == [
        [expected["kernel"]]
    ]


@given(STRINGS, st.integers(1, 4))
@settings(max_examples=50, deadline=None)
def test_it_is_the_inner_product_of_all_counts(strings, k):
    pieces = ["".join(letters) for letters in product("abc", repeat=k)]
    counts = np.array(
        [[sum(s[i : i + k] == p for i in range(len(s))) for p in pieces] for s in strings], float
    )
    matrix = spectrum_kernel(strings, k=k)
    np.testing.assert_array_equal(matrix, counts @ counts.T)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9


def test_short_strings_and_none():
    assert spectrum_kernel(["ab", "abc"]).tolist() == [[0, 0], [0, 1]]
    assert spectrum_kernel([]).shape == (0, 0)
    with pytest.raises(ValueError, match="whole number from 1"):
        spectrum_kernel(["ab"], k=0)
