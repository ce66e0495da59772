"""Rows of mixed columns, sets, baskets and texts: against R, SciPy and by hand; their page."""

import json
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from dashboard.presets import link_of, presets
from dmlib import similarity
from dmlib.datasets import load
from dmlib.pictures.marks import Points, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare, prepare_bags, words_of
from dmlib.similarity import BagSimilarity, MixedDistances
from dmlib.similarity.measures.bags import BagSpace
from dmlib.similarity.measures.figures.groups import between_data, between_groups
from dmlib.similarity.measures.registry import COEFFICIENTS
from dmlib.similarity.measures.scene import similarity_scene
from tests.pictures.examples import at
from tests.visit import sentences_of, sound, stage, turn, upload, visit

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "distances.json").read_text("utf-8"))
SLUG = "similarity"
MIXED, SETS = {"similarity.method": "Mixed columns"}, {"similarity.method": "Sets and texts"}
bags_of = st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=3, max_size=8)


def mixed():
    """Return R's eight rows: two numbers, a name, a level, a symmetric and an asymmetric pair."""
    frame = pd.DataFrame(GOLDEN["rows"]).replace("", None)
    frame = frame.astype({"age": float, "income": float, "colour": object})
    frame["grade"] = pd.Categorical(frame["grade"], ["low", "mid", "high"], ordered=True)
    return frame[["age", "income", "colour", "grade", "member", "smoker"]]


def test_r_gives_the_same_distances_of_mixed_rows():
    frame = mixed().drop(columns="smoker")  # the only asymmetric one; the other pair is symmetric
    expected = 1 - similarity.heterogeneous(_codes(frame), names=[2, 4])
    np.testing.assert_allclose(distances_of(frame), expected, atol=1e-12)


def distances_of(frame, **params):
    """Return the distances of each row to all rows."""
    models = [MixedDistances(i + 1, **params) for i in range(len(frame))]
    return [model.fit(frame).to_rows_ for model in models]


def _codes(frame):
    columns = [
        column if column.dtype == float else column.astype("category").cat.codes
        for _, column in frame.items()
    ]
    return np.where(frame.isna(), np.nan, np.column_stack(columns))


def test_r_skips_what_both_have_not():
    """R: daisy(metric = "gower", type = list(asymm = "smoker", symm = "member"))."""
    frame = mixed().astype({"smoker": float})
    # names that do not mean absence
    frame["member"] = frame["member"].map({"1": "in", "0": "out"})
    scales = MixedDistances(skip_absent=True).space(frame).scales
    assert scales[:3] == ("interval", "interval", "nominal")
    assert scales[3:] == ("ordinal", "nominal", "asymmetric")
    distances = distances_of(frame, skip_absent=True)
    np.testing.assert_allclose(distances, GOLDEN["gower"], atol=1e-9)


def test_a_mixed_row_by_hand():
    grade = pd.Categorical(["low", "high", "mid"], ["low", "mid", "high"], ordered=True)
    columns = {"age": [20.0, 30.0, 40.0], "colour": ["red", "blue", "red"], "grade": grade}
    frame = pd.DataFrame(columns)
    model = MixedDistances(1, 2).fit(frame)
    assert model.terms_.tolist() == [0.5, 1.0, 1.0]  # 10 / 20; red is not blue; two of two levels
    assert model.distance_ == pytest.approx(2.5 / 3)
    assert model.to_rows_.tolist() == pytest.approx([0, 2.5 / 3, (1 + 0 + 0.5) / 3])


def test_rows_without_a_common_column_are_as_far_apart_as_can_be():
    frame = pd.DataFrame({"a": [1.0, None, 3.0], "b": [None, "x", "y"]})
    assert MixedDistances(1, 2).fit(frame).distance_ == 1
    scene = similarity_scene(Run.of(prepare(frame, ["a", "b"], holes="keep"), MixedDistances(1, 2)))
    assert "is not counted: a value is missing" in scene.frames[1].caption


@given(bags_of, st.sampled_from(tuple(COEFFICIENTS)))
def test_scipy_and_the_functions_give_the_same_coefficients(bags, coefficient):
    X = np.array(bags, float)
    space = BagSpace(X, coefficient)
    rows = np.arange(len(X))
    function, bags = getattr(similarity, coefficient), space.transformed(X)
    expected = [[1 - function(a, b) for b in bags] for a in bags]
    np.testing.assert_allclose(space.distances(rows), expected, atol=1e-12)
    np.testing.assert_allclose(BagSimilarity(coefficient).fit(X).to_rows_, expected[0], atol=1e-12)
    if X.any(axis=1).all() and coefficient in ("jaccard", "dice", "smc", "cosine"):
        sets = X if coefficient == "cosine" else X > 0
        theirs = cdist(sets, sets, {"smc": "hamming"}.get(coefficient, coefficient))
        np.testing.assert_allclose(space.distances(rows), theirs, atol=1e-9)


def test_two_baskets_by_hand():
    """Tan, Steinbach and Kumar: bread and milk; bread, nappies, beer and eggs; of six items."""
    bags = load("beer_and_nappies").transactions
    problem = prepare_bags([sorted(bag) for bag in bags])
    values = {name: 1 - BagSimilarity(name).fit(problem.data).distance_ for name in COEFFICIENTS}
    expected = {
        "jaccard": 1 / 5,
        "dice": 2 / 6,
        "overlap": 1 / 2,
        "smc": 2 / 6,
        "cosine": 1 / 8**0.5,
        "tanimoto": 1 / 5,
    }
    assert values == pytest.approx(expected)
    assert BagSimilarity().fit(problem.data).terms_.tolist() == [1, 1, 3, 1]


def test_two_texts_by_hand():
    texts = ["To be, or not to be", "to do is to be"]
    problem = prepare_bags(list(map(words_of, texts)), called="text")
    assert problem.items == ("be", "do", "is", "not", "or", "to")
    assert problem.counts.tolist() == [[2, 0, 0, 1, 1, 2], [1, 1, 1, 0, 0, 2]]
    # counts: 2 · 1 + 2 · 2 = 6; 10 and 7 of each with itself
    assert 1 - BagSimilarity("cosine").fit(problem.data).distance_ == pytest.approx(6 / 70**0.5)
    assert 1 - BagSimilarity("tanimoto").fit(problem.data).distance_ == pytest.approx(6 / 11)
    assert 1 - BagSimilarity("jaccard").fit(problem.data).distance_ == pytest.approx(2 / 6)


@given(bags_of)
def test_jaccard_and_simple_matching_have_no_shorter_detour(bags):
    for coefficient in ("jaccard", "smc"):
        assert not BagSpace(np.array(bags, float), coefficient).triples[1].any()


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_two_empty_bags_are_alike(name):
    bags = np.array([[0.0, 0.0], [0.0, 0.0], [2.0, 1.0]])
    space = BagSpace(bags, name)
    assert space.between(bags[0], bags[1]) == space.distances(np.arange(3))[0, 1] == 0
    run = Run.of(prepare_bags([[], [], ["a", "a", "b"]]), BagSimilarity(name))
    assert run.trace.steps[-1].distance == 0
    ledgers = [str(frame.ledger) for frame in similarity_scene(run).frames]
    assert any("two empty bags are alike" in ledger for ledger in ledgers)
    if name in ("cosine", "jaccard", "dice", "tanimoto"):
        assert space.between(bags[0], bags[2]) == 1


def test_dice_and_overlap_are_no_metrics():
    """{1}, {1, 2}, {2}: the detour over the set of both is 2/3, the direct distance 1."""
    bags = np.array([[1, 0], [1, 1], [0, 1]], float)
    for coefficient in ("dice", "overlap", "cosine"):
        assert BagSpace(bags, coefficient).triples[1].any(), coefficient


@pytest.mark.parametrize("model", [MixedDistances(first=9), BagSimilarity(second=9)])
def test_a_row_that_is_not_there_is_refused(model):
    with pytest.raises(ValueError, match="must be at most 3, the number of rows, got 9"):
        model.fit([[1.0, 2.0], [0.0, 1.0], [3.0, 3.0]])


def test_what_are_no_bags_is_refused():
    with pytest.raises(ValueError, match="a bag holds an item 0, 1 or more times"):
        BagSimilarity().fit([[1.0, -1.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="At least two are needed"):
        prepare_bags([["a"]])
    with pytest.raises(ValueError, match="None of them holds an item or a word"):
        prepare_bags([[], []])


def test_many_bags_and_many_items_are_said():
    many = [[f"item {j}" for j in range(i % 7 + 1)] for i in range(1500)]
    problem = prepare_bags(many, max_cells=5000)
    assert problem.counts.shape == (1000, 5)
    assert problem.notes == (
        "The first 1,000 of 1,500 are used.",
        "The 5 of 7 items that are in most are used.",
    )


def test_groups_of_texts_by_hand():
    texts, groups = ["a b", "a c", "d e", "d a"], ("x", "x", "y", "y")
    problem = prepare_bags(list(map(words_of, texts)), called="text", groups=groups)
    data = between_data(Run.of(problem, BagSimilarity()))
    assert (data.pairs, data.note) == (("x – y",), "The groups are the classes.")
    # Jaccard's distances: ab-de 1, ab-da 2/3, ac-de 1, ac-da 2/3
    assert data.links == {
        "single link": [pytest.approx(2 / 3)],
        "complete link": [1],
        "average link": [pytest.approx(5 / 6)],
    }


@given(bags_of)
def test_groups_of_sets_are_those_with_an_item_and_those_without(bags):
    problem = prepare_bags([[f"i{j}" for j, n in enumerate(bag) if n] for bag in [*bags, [1, 1]]])
    run = Run.of(problem, BagSimilarity("dice"))
    if problem.matrix.all():
        with pytest.raises(ValueError, match="need two groups"):
            between_data(run)
        return
    data = between_data(run)
    item = data.pairs[0].split()[1]
    has = problem.matrix[:, problem.items.index(item)]
    space = run.model.space(problem.data)
    table = space.between(problem.counts[has][:, None], problem.counts[~has])
    links = [data.links[name][0] for name in ("single link", "complete link", "average link")]
    np.testing.assert_allclose(links, [table.min(), table.max(), table.mean()], atol=1e-12)


def test_parties_of_speeches():
    data = load("state_of_the_union")
    texts = list(map(words_of, data.texts))
    problem = prepare_bags(texts, names=data.names, called="text", groups=data.classes)
    figure = between_groups(Run.of(problem, BagSimilarity("cosine")))
    assert list(figure.data[0].y) == ["Democratic – Republican"]
    assert figure.layout.xaxis.title.text == "1 − cosine"


def test_the_page_compares_an_own_table_of_mixed_columns():
    text = "age,colour,grade\n20,red,low\n30,blue,high\n40,red,mid\n25,blue,low\n"
    page = sound(upload(SLUG, "own.csv", text, **MIXED))
    scene = stage(page)
    assert "A and B are" in scene["frames"][-1]["caption"]
    assert any("1 interval, 2 nominal" in note for note in scene["notes"])
    rows = scene["frames"][1]["ledger"][0]["rows"]
    assert rows[0][:2] == ["age", "interval"]
    assert rows[0][4] == "|20 − 30| / 20 = 0.5"


def test_a_column_of_levels_is_compared_by_its_ranks():
    lines = [f"{20 + i},{grade}" for i, grade in enumerate(["low", "mid", "high"] * 4)]
    text = "\n".join(["age,grade", *lines])
    settings = {**MIXED, "upload.kind.1": "ordinal", "similarity.second": "3"}
    page = sound(upload(SLUG, "own.csv", text, **settings))
    assert any("1 ordinal" in note for note in stage(page)["notes"])


def test_the_page_compares_own_texts():
    page = sound(visit(SLUG, source="texts", data="file", **SETS))
    content = b"To be, or not to be\nto do is to be\ndo be do\n"
    page.file_uploader[0].upload("own.txt", content, "text/plain")
    scene = stage(sound(page.run()))
    assert "Jaccard of A and B is 0.3333" in scene["frames"][5]["caption"]


def test_methods_change_the_data_there_and_back():
    page = visit(SLUG)
    for method, phrase in (
        ("Sets and texts", "1 − Jaccard"),
        ("Mixed columns", "Gower"),
        ("Distances", "Euclidean"),
        ("Mixed columns", "Gower"),
    ):
        page = sound(turn(page, "similarity.method", method))
        assert phrase in stage(page)["frames"][-1]["caption"]
        assert sentences_of(page) == []


def test_every_coefficient_stands_in_the_ledger_with_its_arithmetic():
    ledger = stage(visit(SLUG, **SETS))["frames"][-1]["ledger"]
    (table,) = [block for block in ledger if block.get("title") == "Every coefficient"]
    assert [row[1] for row in table["rows"][:4]] == [
        "1 / (1 + 1 + 3)",
        "2 · 1 / (2 + 4)",
        "1 / min(2, 4)",
        "(1 + 1) / 6",
    ]


def test_corners_and_bags_of_the_ledger_answer_to_their_bars_and_points():
    problem = prepare_bags([["bread", "milk"], ["bread", "beer", "eggs"], ["tea"]])
    scene = similarity_scene(Run.of(problem, BagSimilarity()))
    counted = scene.frames[0].ledger[0]
    nearest = next(frame for frame in scene.frames if frame.phase == "nearest").ledger[0]
    items = next(panel for panel in scene.panels if panel.name == "data").y.ticks
    bars = [mark for mark in scene.marks if isinstance(mark, Rects) and mark.of == counted.by]
    for row, number in zip(counted.rows, counted.numbers, strict=True):
        channels = [[at(c, 0) for c in (bar.y0, bar.y1, bar.numbers)] for bar in bars]
        ends = [zip(*values, strict=True) for values in channels]
        lit = {items[round((low + high) / 2)] for low, high, own in chain(*ends) if own == number}
        assert lit == (set() if "neither" in row[0] else set(row[2].split(", ")))
    points = next(mark for mark in scene.marks if isinstance(mark, Points) and mark.data)
    places = [at(points.numbers, -1).tolist().index(number) for number in nearest.numbers]
    assert nearest.by == points.of
    distances = [row[1] for row in nearest.rows]
    assert at(points.x, -1)[places] == pytest.approx(distances, abs=1e-3)


def test_columns_of_the_ledger_answer_to_their_bars():
    frame = mixed().dropna()
    problem = prepare(frame, list(frame.columns))
    scene = similarity_scene(Run.of(problem, MixedDistances()))
    terms, contributions = scene.frames[0].ledger[0], scene.frames[-1].ledger[1]
    assert terms.by == contributions.by
    names = next(panel for panel in scene.panels if panel.name == "columns").y.ticks
    bars = next(mark for mark in scene.marks if isinstance(mark, Rects) and mark.of == terms.by)
    bar_names = [names[round(low + 0.35)] for low in at(bars.y0, -1)]
    by_number = dict(zip(at(bars.numbers, -1), bar_names, strict=True))
    for table in (terms, contributions):
        assert [by_number[number] for number in table.numbers] == [row[0] for row in table.rows]


def test_items_come_corner_by_corner():
    frames = stage(visit(SLUG, **SETS))["frames"]
    captions = [frame["caption"] for frame in frames if frame["phase"] == "column"]
    assert captions == [
        "1 item is in both.",
        "1 item is only in A.",
        "3 items are only in B.",
        "1 item is in neither.",
    ]
    assert all(a["caption"] != b["caption"] for a, b in pairwise(frames))


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Two baskets", "0.8 apart (1 − Jaccard)"),
        ("Two presidents", "0.2348 apart (1 − cosine)"),
        ("Two penguins", "0.2571 apart (Gower), no metric: 0.5 % of triples"),
    ],
)
def test_a_preset_shows_what_it_says(title, sentence):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    assert sentence in stage(visit(SLUG, **link_of(SLUG, preset)))["frames"][-1]["caption"]


def test_the_legend_says_whose_bars_and_which_points():
    bags = prepare_bags([["bread", "milk"], ["bread", "beer"], ["beer"]])
    scene = similarity_scene(Run.of(bags, BagSimilarity()))
    keys = {key.text: key for key in scene.legend}
    bars = {tuple(at(mark.color, 0)) for mark in scene.marks if isinstance(mark, Rects)}
    assert {(keys["A"].color,), (keys["B"].color,)} <= bars
    nearest = [m for m in scene.marks if isinstance(m, Points) and m.panel == "from" and not m.data]
    assert list(at(nearest[0].color, 0)) == [keys["nearest to A"].color]
