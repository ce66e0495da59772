"""String kernels against their definitions: all parts of the alphabet and all pairs."""

import json
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.similarity import (
    StringKernel,
    delta_kernel,
    gappy_kernel,
    mismatch_kernel,
    spectrum_kernel,
    substring_kernel,
)
from dmlib.similarity.strings.spectra import KERNELS

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "spectrum_kernel.json").read_text("utf-8")
)
WORDS = st.text("abc", max_size=7)


def substrings(text):
    return [text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)]


def kmers(text, k):
    return [part for part in substrings(text) if len(part) == k]


def test_the_example_of_the_course():
    expected = GOLDEN["expected"]
    a, b, k = (GOLDEN["input"][name] for name in "abk")
    assert spectrum_kernel(a, b, k) == expected["kernel"]
    steps = list(StringKernel(k=k).steps([a, b]))
    for side, name in enumerate(("histogram_a", "histogram_b")):
        windows = [step.window for step in steps if step.phase == "slide" and step.side == side]
        assert Counter(windows) == expected[name]


@given(WORDS, WORDS, st.integers(1, 4))
def test_equal_pairs_are_counted(a, b, k):
    assert spectrum_kernel(a, b, k) == sum(s == t for s in kmers(a, k) for t in kmers(b, k))
    assert substring_kernel(a, b) == sum(s == t for s in substrings(a) for t in substrings(b))
    assert substring_kernel(a, b, k) == sum(spectrum_kernel(a, b, n) for n in range(1, k + 1))
    assert delta_kernel(a, b) == (a == b)


@given(WORDS, WORDS, st.integers(1, 3), st.integers(0, 2))
def test_mismatches_and_gaps(a, b, k, m):
    def similar(text, part):
        n_mismatches = [sum(map(str.__ne__, part, mer)) for mer in kmers(text, k)]
        return sum(n <= m for n in n_mismatches)

    parts = ["".join(letters) for letters in product("abc", repeat=k)]
    expected = sum(similar(a, part) * similar(b, part) for part in parts)
    assert mismatch_kernel(a, b, k, m, alphabet="abc") == expected
    assert mismatch_kernel(a, b, k, 0) == gappy_kernel(a, b, k, 0) == spectrum_kernel(a, b, k)

    def gappy(text, part):
        windows = [set(map("".join, combinations(mer, k))) for mer in kmers(text, k + m)]
        return sum(part in window for window in windows)

    assert gappy_kernel(a, b, k, m) == sum(gappy(a, part) * gappy(b, part) for part in parts)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("normalize", [False, True])
def test_the_matrix_is_that_of_the_functions_and_positive_semidefinite(kernel, normalize):
    rng = np.random.default_rng(0)
    texts = ["".join(rng.choice(list("acgt"), size)) for size in (1, 8, 9, 12, 12, 20)]
    model = StringKernel(kernel, k=2, normalize=normalize, first=2, second=5).fit(texts)
    function = {
        "spectrum": lambda a, b: spectrum_kernel(a, b, 2),
        "mismatch": lambda a, b: mismatch_kernel(a, b, 2, 1, alphabet="acgt"),
        "gappy": lambda a, b: gappy_kernel(a, b, 2, 1),
        "substrings": lambda a, b: substring_kernel(a, b, 2),
        "delta": delta_kernel,
    }[kernel]
    expected = np.array([[function(a, b) for b in texts] for a in texts], float)
    if normalize:
        own = np.sqrt(np.diag(expected))
        expected = expected / np.where(np.outer(own, own) > 0, np.outer(own, own), 1)
    np.testing.assert_allclose(model.matrix_, expected)
    assert model.value_ == model.matrix_[1, 4]
    assert np.linalg.eigvalsh(model.matrix_)[0] > -1e-9


def test_long_strings_have_few_steps_and_are_counted_whole():
    long = "acgt" * 25_000
    steps = list(StringKernel(k=3).steps([long, "acg"]))
    assert len([step for step in steps if step.phase == "slide"]) <= 402
    assert steps[-1].value == spectrum_kernel(long, "acg", 3) == 25_000


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: spectrum_kernel("a", "b", 0), "at least 1 is needed"),
        (lambda: spectrum_kernel("a", "b", 1.5), "A whole number"),
        (lambda: mismatch_kernel("a", "b", 2, -1), "at least 0 is needed"),
        (
            lambda: mismatch_kernel("the quick brown fox jumps over it" * 9, "x" * 99, 10, 5),
            "would be counted",
        ),
        (lambda: substring_kernel("ab" * 10_000, "ab" * 10_000), "smaller k"),
        (lambda: StringKernel(second=4).fit(["a", "b"]), "There are 2 strings"),
        (lambda: StringKernel().fit([]), "X must be a list"),
        (
            lambda: StringKernel("mismatch", k=100, mismatches=10).fit(["acgt" * 100] * 2),
            "would be counted",
        ),
        (lambda: StringKernel("gappy", k=100, gaps=20).fit(["acgt" * 100] * 2), "would be counted"),
    ],
)
def test_what_cannot_be_used_is_refused(act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act()
