"""Edit distances and alignments against their definitions and all alignments."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.similarity import StringAlignment, align, alignment_steps, edit_distance
from dmlib.similarity.strings.columns import GAP, aligned, columns
from dmlib.similarity.strings.edits import METHODS
from dmlib.similarity.strings.reference import scores_of, shortest_alignment

WORDS = st.text("abc", max_size=6)
TABLE = [
    [0, 1, 2, 3, 4, 5, 6, 7],
    [1, 1, 2, 3, 4, 5, 6, 7],
    [2, 2, 1, 2, 3, 4, 5, 6],
    [3, 3, 2, 1, 2, 3, 4, 5],
    [4, 4, 3, 2, 1, 2, 3, 4],
    [5, 5, 4, 3, 2, 2, 3, 4],
    [6, 6, 5, 4, 3, 3, 2, 3],
]


def by_definition(a, b, measure, match=1.0, mismatch=-1.0, gap=-1.0):
    """The recurrences as they are published, cell by cell."""

    @cache
    def D(i, j):
        if not i and not j:
            return 0.0
        if measure == "lcs":
            if not i or not j:
                return 0.0
            return D(i - 1, j - 1) + 1 if a[i - 1] == b[j - 1] else max(D(i - 1, j), D(i, j - 1))
        scored = measure in ("needleman-wunsch", "smith-waterman")
        unpaired, equal, different = (gap, match, mismatch) if scored else (1, 0, 1)
        candidates = [0.0] if measure == "smith-waterman" else []
        if i:
            candidates.append(D(i - 1, j) + unpaired)
        if j:
            candidates.append(D(i, j - 1) + unpaired)
        if i and j:
            candidates.append(D(i - 1, j - 1) + (equal if a[i - 1] == b[j - 1] else different))
        if measure == "damerau" and i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
            candidates.append(D(i - 2, j - 2) + 1)
        return max(candidates) if scored else min(candidates)

    return np.array([[D(i, j) for j in range(len(b) + 1)] for i in range(len(a) + 1)])


@pytest.mark.parametrize("measure", [method for method in METHODS if method != "hamming"])
@given(a=WORDS, b=WORDS)
def test_the_table_is_that_of_the_definition(measure, a, b):
    scores = {"match": 2.0, "mismatch": -1.5, "gap": -0.5}
    expected = by_definition(a, b, measure, **scores)
    model = StringAlignment(measure, **scores).fit([a, b])
    np.testing.assert_array_equal(model.matrix_, expected)
    assert model.value_ == (expected.max() if measure == "smith-waterman" else expected[-1, -1])
    if measure in METHODS[:4]:
        assert edit_distance(a, b, measure) == model.value_


@pytest.mark.parametrize("measure", METHODS)
@given(
    pair=st.integers(0, 6).flatmap(
        lambda n: st.tuples(*[st.text("abc", min_size=n, max_size=n)] * 2)
    )
)
def test_scipys_shortest_paths_are_as_long(measure, pair):
    model = StringAlignment(measure, match=2.0, mismatch=-1.0, gap=-0.5).fit(pair)
    reference = shortest_alignment(pair, 1, 2, **scores_of(model))
    np.testing.assert_allclose(reference.matrix_, model.matrix_)


@given(WORDS, WORDS)
def test_an_alignment_is_worth_its_columns(a, b):
    scores = {"match": 2.0, "mismatch": -1.5, "gap": -0.5}
    for measure in METHODS:
        if measure == "hamming" and len(a) != len(b):
            continue
        model = StringAlignment(measure, **scores).fit([a, b])
        kinds = columns(a, b, model.path_.tolist())
        first, second = model.alignment_
        assert len(first) == len(second) == len(kinds)
        assert kinds.count("equal") == model.n_matches_
        if measure == "smith-waterman":
            assert first.replace(GAP, "") in a
            assert second.replace(GAP, "") in b
        else:
            assert (first.replace(GAP, ""), second.replace(GAP, "")) == (a, b)
        counted = {kind: kinds.count(kind) for kind in ("equal", "different", "gap")}
        if measure in ("needleman-wunsch", "smith-waterman"):
            score = 2 * counted["equal"] - 1.5 * counted["different"] - 0.5 * counted["gap"]
            assert model.value_ == score
        elif measure == "lcs":
            assert model.value_ == counted["equal"]
        elif measure != "damerau":
            assert model.value_ == counted["different"] + counted["gap"]


@given(WORDS, WORDS, WORDS)
def test_levenshtein_is_a_metric(a, b, c):
    assert (edit_distance(a, b) == 0) == (a == b)
    assert edit_distance(a, b) == edit_distance(b, a) <= edit_distance(a, c) + edit_distance(c, b)
    assert abs(len(a) - len(b)) <= edit_distance(a, b) <= max(len(a), len(b))
    assert edit_distance(a, b, "damerau") <= edit_distance(a, b)
    assert edit_distance(a, b, "lcs") >= max(len(a), len(b)) - edit_distance(a, b)


def test_published_examples():
    assert StringAlignment().fit(["kitten", "sitting"]).matrix_.tolist() == TABLE
    # the transposed letters take part in no further edit
    assert edit_distance("ca", "abc", "damerau") == 3
    assert align("GATTACA", "GCATGCT")[2] == 0
    scores = {"match": 3.0, "mismatch": -3.0, "gap": -2.0}
    best = align("GGTTGACTA", "TGTTACGG", "smith-waterman", **scores)
    assert best == ("GTTGAC", "GTT-AC", 13.0)


def test_steps_fill_row_by_row_and_trace_back():
    steps = list(alignment_steps("kitten", "sitting"))
    filled = [step for step in steps if step.phase in ("start", "cell")]
    assert [step.cell for step in filled] == list(product(range(7), range(8)))
    assert [step.value for step in filled] == [value for row in TABLE for value in row]
    for step in filled[1:]:
        assert step.value == min(step.candidates) == step.candidates[step.choice]
    traced = [step for step in steps if step.phase == "trace"]
    assert traced[0].cell == (6, 7)
    assert traced[-1].cell == (0, 0)
    assert [step.alignment[0] for step in traced][:3] == ["", "-", "n-"]
    assert steps[-1].alignment == ("kitten-", "sitting")


def test_letters_beyond_ascii_and_empty_strings():
    assert edit_distance("åtte", "atte") == 1
    assert edit_distance("😀x", "x") == 1
    assert edit_distance("", "abc") == 3
    assert edit_distance("", "", "hamming") == 0
    assert edit_distance("abc", "abd", "hamming") == 1
    assert aligned("a-b", "ab", [(0, 0), (1, 1), (2, 1), (3, 2)]) == ("a-b", "a-b")
    assert columns("a-b", "ab", [(0, 0), (1, 1), (2, 1), (3, 2)]) == ["equal", "gap", "equal"]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (
            lambda: edit_distance("abc", "ab", "hamming"),
            "3 and 2 letters. Choose strings of equal length",
        ),
        (lambda: edit_distance("a", "b", "nonsense"), "measure must be one of"),
        (
            lambda: edit_distance("a" * 100_000, "b" * 100_000),
            "100,000 and 100,000 letters make a table",
        ),
        (lambda: align("a" * 5000, "b" * 5000), "Take shorter ones"),
        (lambda: StringAlignment().fit(["only"]), "There is 1 string. Choose numbers up to 1"),
        (lambda: StringAlignment(second=9).fit(["a", "b"]), "There are 2 strings"),
        (lambda: StringAlignment().fit("ab"), "X must be a list of one or more strings"),
        (lambda: StringAlignment().fit([1, 2]), "X must be a list of one or more strings"),
    ],
)
def test_what_cannot_be_used_is_refused(act, sentence):
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        act()
