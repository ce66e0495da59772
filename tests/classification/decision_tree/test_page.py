"""The reader builds a tree: with buttons and controls, by dragging, and by a link."""

import pytest

from dashboard.data.table_sources import _levels
from dashboard.form import Form
from dashboard.settings import Settings
from dmlib.classification import DecisionTreeClassifier
from dmlib.datasets import load
from dmlib.problem import prepare
from dmlib.trees.significance import p_value
from tests.gestures import move
from tests.visit import (
    open_preset,
    panel,
    picture,
    reopened,
    sentences_of,
    sound,
    stage,
    technique,
    turn,
    visit,
    watched_runs,
)

SLUG = "decision_tree"
OPEN = {"decision_tree.more.1.open": "true"}


def phases(page):
    return [frame["phase"] for frame in stage(page)["frames"]]


def press(page, name):
    return sound(turn(page, f"{SLUG}.{name}"))


def built(page):
    """Return the splits in the page's link."""
    return "".join(page.query_params[f"{SLUG}.choices"])


def building(**link):
    return sound(visit(SLUG, **{f"{SLUG}.build": "true"}, **link))


def test_the_split_that_is_tried_ends_the_picture():
    page = building()
    assert phases(page) == ["start", "choose"]
    assert [handle["name"] for handle in stage(page)["handles"]] == ["split", "query"]
    assert panel(page)[f"{SLUG}.undo"]["disabled"]


def test_split_undo_and_finish():
    page = press(building(), "split")
    assert phases(page)[-1] == "choose"
    assert "Your split of the root" in stage(page)["frames"][-1]["caption"]
    assert built(page).startswith("r_0_")
    assert picture(reopened(page)) == picture(page)
    assert phases(press(page, "undo")) == ["start", "choose"]
    press(page, "split")
    page = press(page, "finish")
    assert "done" in phases(page)
    assert picture(reopened(page)) == picture(page)
    titles = [block.get("title") for block in stage(page)["frames"][-1]["ledger"]]
    assert "Your splits and the algorithm's" in titles


def test_another_column_gets_its_own_threshold():
    page = sound(turn(building(), f"{SLUG}.column", "petal_width"))
    assert 0 < float(panel(page)[f"{SLUG}.threshold"]["value"]) < 2.5
    assert stage(page)["handles"][0]["kind"] == "y"


def test_values_of_a_nominal_column_are_chosen():
    page = building(data="weather_nominal", source="library", test="0")
    page = sound(turn(page, f"{SLUG}.values", ["sunny", "rainy"]))
    assert picture(reopened(page)) == picture(page)
    page = press(page, "split")
    assert built(page) == "r_0_in.0.2"


def test_all_values_on_one_side_are_no_split():
    page = building(data="weather_nominal", source="library", test="0")
    page = sound(turn(page, f"{SLUG}.values", ["sunny", "overcast", "rainy"]))
    assert phases(page) == ["start", "choose"]
    assert any("not all" in control["label"] for control in panel(page).values())


def test_a_branch_for_each_value_needs_no_choice():
    page = building(
        data="weather_nominal", source="library", test="0", **{f"{SLUG}.splitter": "multiway"}
    )
    page = press(page, "split")
    assert built(page) == "r_0"


@pytest.mark.parametrize("criterion", ["chaid", "quest"])
def test_where_tests_find_the_split_only_the_column_is_chosen(criterion):
    page = building(
        data="weather_nominal", source="library", test="0", **{f"{SLUG}.criterion": criterion}
    )
    assert f"{SLUG}.values" not in panel(page)
    page = building(data="iris", source="library", **{f"{SLUG}.criterion": criterion})
    assert f"{SLUG}.threshold" not in panel(page)
    assert "split" not in [handle["name"] for handle in stage(page)["handles"]]
    assert built(press(page, "split")) == "r_0"


@pytest.mark.parametrize(
    ("title", "leaves", "n_errors", "variants"),
    [
        ("CHAID: who is alike?", 9, 16, {"criterion": ("gini", 57, 24)}),
        ("QUEST: a cut between two bells", 3, 3, {}),
        ("A name for each row", None, 18, {"criterion": ("gain_ratio", None, 12)}),
        ("A name for each row", None, 18, {"criterion": ("chaid", None, 2)}),
        ("A name for each row", None, 18, {"criterion": ("quest", None, 2)}),
        ("A name for each row", None, 18, {"criterion": ("hypergeometric", None, 18)}),
        ("A name for each row", None, 18, {"criterion": ("permutation", None, 1)}),
    ],
    ids=[
        *("CHAID", "QUEST", "gain ratio", "by CHAID", "by QUEST"),
        *("by probability", "by permutations"),
    ],
)
def test_presets_tell_the_truth(title, leaves, n_errors, variants):
    preset = next(candidate for candidate in technique(SLUG).presets if candidate.title == title)
    name, of = preset.settings["data"], dict(preset.settings)
    table = load(name)
    features = of.pop(f"{name}.features", None) or ["petal_length", "petal_width"]
    problem = prepare(
        table.frame, features, target=table.target, labelled=True, test_size=0.3, holes="keep"
    )
    params = {key: value for key, value in of.items() if key != "data"}
    for settings, (n_leaves, n_wrong) in [
        (params, (leaves, n_errors)),
        *(({**params, key: value}, numbers) for key, (value, *numbers) in variants.items()),
    ]:
        model = DecisionTreeClassifier(**settings).fit(problem.training.data, problem.training.y)
        assert n_leaves in (None, model.get_n_leaves())
        assert (model.predict(problem.testing.data) != problem.testing.y).sum() == n_wrong
        assert n_leaves is None or title.startswith("QUEST") or str(n_leaves) in preset.look_for


def test_a_disease_of_two_loci():
    run, scene, look_for = open_preset(SLUG, "A disease of two loci")
    assert (run.fitted.get_n_leaves(), look_for.count("88 leaves")) == (88, 1)
    first = scene["frames"][1]
    assert "split by locus_12" in first["caption"]
    assert "0.01913" in first["caption"]
    assert "locus_12, by a gain of 0.01913" in look_for
    errors = [1 - run.fitted.score(*run.problem.testing.arguments)]
    pair = {"loci.features": ["locus_6", "locus_13"]}
    run = open_preset(SLUG, "A disease of two loci", **pair).run
    errors.append(1 - run.fitted.score(*run.problem.testing.arguments))
    assert errors == pytest.approx([0.45, 0.233], abs=5e-4)
    assert "45 %" in look_for


def test_an_ordinal_target_by_both_statistics():
    title = "CHAID: an ordinal target"
    run, _, look_for = open_preset(SLUG, title)
    pearson = open_preset(SLUG, title, statistic="pearson").run
    test, other = (each.trace.steps[0].candidates[0].test for each in (run, pearson))
    assert f"G² = {test.statistic:.4g}, p = {p_value(test.score):.4g}, and splits" in look_for
    assert f"χ², {other.statistic:.4g}, p is {p_value(other.score):.4f}, and nothing" in look_for
    assert (run.fitted.get_n_leaves(), pearson.fitted.get_n_leaves()) == (2, 1)


@pytest.mark.parametrize("text", ["x", "r_", "r_0_nan", "r_0_in", "<script>", "r.x_0"])
def test_hostile_splits_in_a_link_are_ignored(text):
    page = building(**{f"{SLUG}.choices": text})
    assert phases(page) == ["start", "choose"]
    assert any("is ignored" in sentence for sentence in sentences_of(page))


def test_splits_that_do_not_fit_are_refused_with_a_sentence():
    page = building(**{f"{SLUG}.choices": "r_9_1.0"})
    assert any("column 9" in sentence for sentence in sentences_of(page))
    assert phases(press(page, "undo")) == ["start", "choose"]


def test_other_data_start_anew():
    page = press(building(), "split")
    page.selectbox(key="data").select("penguins")
    page = sound(page.run())
    assert phases(page) == ["start", "choose"]
    assert f"{SLUG}.choices" not in page.query_params


def test_the_line_is_dragged():
    assert move({"name": "split", "x": 2.34567, "y": None}, technique(SLUG)) == {
        f"{SLUG}.threshold": ["2.346"]
    }


def test_what_was_built_is_exported():
    with watched_runs() as runs:
        page = press(building(), "split")
    page.session_state["bar.code"] = True
    (code,) = page.run().code
    assert f"choices={runs[-1].model.choices!r}" in code.value


CLOUDS = {"data": "weather_nominal", "test": "0", "weather_nominal.kind.0": "ordinal"}


def ranked(page, frame=1):
    """Return the candidates in the ledger of a frame, with their scores."""
    (block,) = (
        block
        for block in stage(page)["frames"][frame]["ledger"]
        if "ranked" in block.get("title", "")
    )
    return {row[1]: row[2] for row in block["rows"]}


def test_the_order_of_a_column_is_kept_where_it_is_asked_for():
    free = sound(visit(SLUG, **CLOUDS))
    assert "outlook in {sunny, rainy}" in ranked(free)
    kept = sound(visit(SLUG, **CLOUDS, **{f"{SLUG}.ordinal": "from_dtype"}))
    cuts = {test: score for test, score in ranked(kept).items() if "outlook" in test}
    assert cuts == {
        "outlook = sunny": pytest.approx(0.06553, abs=1e-5),
        "outlook in {sunny, overcast}": pytest.approx(0.002041, abs=1e-6),
    }
    assert "split by humidity" in stage(kept)["frames"][1]["caption"]
    text = "outlook is ordinal: of its 2² − 1 = 3 divisions in two, 3 − 1 = 2 keep the order"
    assert text in str(stage(kept)["frames"][1]["ledger"])
    assert "is ordinal" not in str(stage(free)["frames"][1]["ledger"])


def test_the_order_is_written_in_the_link_and_in_the_code():
    order = {"weather_nominal.order.0": "overcast < sunny < rainy", f"{SLUG}.ordinal": "from_dtype"}
    page = sound(visit(SLUG, **CLOUDS, **order))
    assert "outlook = overcast" in ranked(page)
    assert "outlook = sunny" not in ranked(page)
    assert picture(reopened(page)) == picture(page)
    form = Form(Settings.from_query({k: [v] for k, v in {**CLOUDS, **order}.items()}))
    chosen = technique(SLUG).kind("decision tree").choose(technique(SLUG), "decision tree", form)
    assert chosen.problem.categories[0] == ("overcast", "sunny", "rainy")
    line = "table = table.with_orders({'outlook': ['overcast', 'sunny', 'rainy']})"
    assert line in chosen.code


@pytest.mark.parametrize(
    ("order", "levels"),
    [
        ("5 to 9 < <5 < >9", ["5 to 9", "<5", ">9"]),
        ("low<high", ["low", "high"]),
        ("high", ["high"]),
    ],
)
def test_an_order_is_read_as_it_is_meant(order, levels):
    assert _levels(order) == levels


def test_without_an_ordinal_column_the_control_says_why():
    control = panel(sound(visit(SLUG, data="weather_nominal", **OPEN)))[f"{SLUG}.ordinal"]
    assert "Column types" in control["idle"]


def test_an_own_split_of_an_ordinal_column_takes_its_lowest_values():
    link = {f"{SLUG}.ordinal": "from_dtype", f"{SLUG}.column": "outlook"}
    page = building(**CLOUDS, **link)
    control = panel(page)[f"{SLUG}.values"]
    assert control["label"] == "Highest value that goes left"
    page = press(sound(turn(page, f"{SLUG}.values", "overcast")), "split")
    assert built(page) == "r_0_in.0.1"
    assert "by outlook in {sunny, overcast}" in stage(page)["frames"][1]["caption"]
