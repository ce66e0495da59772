"""The page of FP-growth: presets and lesson show what they say; figures, the check, the picture."""

import numpy as np
import pytest

from dmlib.association import Apriori, FPGrowth
from dmlib.association.fp_growth.figures.against_apriori import against_apriori
from dmlib.association.fp_growth.figures.nodes_by_basket import nodes_by_basket
from dmlib.association.fp_growth.figures.nodes_by_order import nodes_by_order
from dmlib.association.fp_growth.nodes_scene import largest, rows_of
from dmlib.association.fp_growth.reference import fp_growth_reference
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.scene import fp_growth_scene
from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import Line, PerFrame, Points, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare_baskets
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at
from tests.runs import stopped
from tests.visit import linked, sentences_of, sound, technique, visit

PRESETS = {preset.title: preset for preset in technique("fp_growth").presets}


def run_of(name, **params):
    return Run.of(prepare_baskets(load(name).transactions), FPGrowth(**params))


def preset(title):
    """Run a preset; return the run and what to look for."""
    settings = PRESETS[title].settings
    data = {"source", "data", "generator"}
    params = {name: value for name, value in settings.items() if name not in data}
    name = settings.get("data", settings.get("generator"))
    return run_of(name, **params), PRESETS[title].look_for


def by_apriori(run):
    return Apriori(run.model.min_support).fit(run.problem.data)


# Presets and lesson
# --------------------------------------------------------------------------------------------------


def test_the_paper():
    run, look_for = preset("The baskets of the paper")
    n_items = sum(len(step.items) for step in run.trace.steps if step.phase == "insert")
    assert f"{run.fitted.n_nodes_} nodes hold the {n_items} frequent items" in look_for
    assert (
        f"{run.fitted.n_trees_} conditional trees give the {run.fitted.n_itemsets_} frequent"
        in look_for
    )


def test_by_hand():
    run, look_for = preset("Five baskets by hand")
    model = run.fitted
    assert look_for.startswith(
        f"{model.n_nodes_} nodes and {model.n_trees_} conditional trees, three of them single"
    )
    assert sum(step.phase == "combine" for step in run.trace.steps) == 3
    n_candidates = by_apriori(run).n_candidates_
    sentence = f"give {model.n_itemsets_} frequent item sets. Apriori counts {n_candidates}"
    assert sentence in look_for


def test_a_shared_trunk_and_the_rarest_first():
    run, look_for = preset("A hundred animals share a trunk")
    n_items = sum(len(step.items) for step in run.trace.steps if step.phase == "insert")
    assert f"{run.fitted.n_nodes_} nodes hold {n_items} traits" in look_for
    assert (
        f"{by_apriori(run).n_candidates_} candidates in {by_apriori(run).n_passes_} passes"
        in look_for
    )
    rare, look_for = preset("The rarest item first")
    assert look_for.startswith(f"{rare.fitted.n_nodes_} nodes instead of {run.fitted.n_nodes_}")
    assert f"The {run.fitted.n_itemsets_} item sets are the same" in look_for
    assert rare.fitted.itemsets_ == run.fitted.itemsets_


def test_another_order_and_independent_purchases():
    run, look_for = preset("Another order is smaller")
    usual = FPGrowth(run.model.min_support).fit(run.problem.data)
    assert look_for.startswith(
        f"{run.fitted.n_nodes_} nodes; with the most frequent item first it is {usual.n_nodes_}."
    )
    run, look_for = preset("Independent purchases")
    model = run.fitted
    numbers = (
        f"{model.n_nodes_} nodes, and {model.n_conditional_nodes_} in {model.n_trees_} conditional"
        " trees"
    )
    assert look_for.startswith(f"{numbers}, for {model.n_itemsets_} item sets")
    assert f"counts only {by_apriori(run).n_candidates_} candidates" in look_for


def test_a_path_too_long_is_refused():
    settings = PRESETS["A support too low"].settings
    (sentence,) = sentences_of(sound(visit("fp_growth", **linked("fp_growth", settings))))
    assert sentence.startswith(
        "At least 1,048,575 item sets are frequent, more than 100,000. Raise min_support to 0.5,"
    )
    advised = linked("fp_growth", {**settings, "min_support": 0.5})
    assert len(sentences_of(sound(visit("fp_growth", **advised)))) == 0


def cells(text, name):
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_lesson_by_hand():
    text = section(text_of("fp_growth"), "By hand")
    steps = list(FPGrowth(0.4).steps(prepare_baskets(load("five_baskets").transactions).data))
    inserted = [step for step in steps if step.phase == "insert"]
    assert cells(text, "items in order") == [
        " ".join(str(j + 1) for j in step.items) for step in inserted
    ]
    assert cells(text, "counts raised") == [str(step.n_shared) for step in inserted]
    assert cells(text, "new nodes") == [str(len(step.nodes) - step.n_shared) for step in inserted]
    conditions = [step for step in steps if step.phase == "condition" and len(step.items) == 1]
    assert cells(text, "item") == [str(step.items[0] + 1) for step in conditions]
    assert cells(text, "sums") == [
        ", ".join(f"{j + 1}:{n}" for j, n in enumerate(step.counts) if n) or "none"
        for step in conditions
    ]
    assert cells(text, "conditional tree") == [
        ", ".join(f"{j + 1}:{step.counts[j]}" for j in step.tree_items) or "empty"
        for step in conditions
    ]
    itemsets = [items for step in steps for items, _ in step.new_itemsets]
    pairs = {tuple(j + 1 for j in items) for items in itemsets if len(items) == 2}
    listed = ", ".join(cells(text, "frequent with it")).replace(", none", "").split(", ")
    assert {tuple(map(int, pair)) for pair in listed} == pairs
    end = steps[-1]
    theirs = Apriori(0.4).fit(prepare_baskets(load("five_baskets").transactions).data)
    assert f"= **{end.n_nodes}** nodes for 15 items" in text
    assert (
        f"**{end.n_itemsets}** frequent item sets, from **{end.n_trees}** conditional trees with "
        in text
    )
    assert f"**{end.n_conditional_nodes}** nodes" in text
    assert f"Apriori counts **{theirs.n_candidates_}**" in text


# Figures, the check
# --------------------------------------------------------------------------------------------------


@pytest.fixture(
    params=[{}, {"order": "ascending", "min_support": 0.2}, {"max_length": 2, "min_support": 0.2}],
    ids=str,
)
def run(request):
    return run_of("five_baskets", **request.param)


def test_figures_show_the_run(run):
    model = run.fitted
    (bars,) = against_apriori(run).data
    heights = dict(zip(bars.y, bars.x, strict=True))
    assert heights["frequent item sets"] == model.n_itemsets_
    assert heights["FP-growth: nodes of the FP-tree"] == model.n_nodes_
    theirs = Apriori(model.min_support, max_length=model.max_length).fit(run.problem.data)
    assert heights["Apriori: candidates counted"] == theirs.n_candidates_
    tree, _ = nodes_by_order(run).data
    items, nodes = nodes_by_basket(run).data
    assert nodes.y[-1] == model.n_nodes_ <= items.y[-1]
    assert len(nodes.x) == len(run.problem.matrix) + 1
    assert dict(zip(tree.x, tree.y, strict=True))[model.order] == model.n_nodes_


def test_mlxtend_finds_the_same(run):
    names = {"model": run.fitted, "X": run.problem.data}
    exec(fp_growth_reference(run).code, names)
    for reference in (fp_growth_reference(run).answer(run), names["reference"]):
        for name in ("n_itemsets_", "n_nodes_", "n_trees_"):
            assert getattr(reference, name) == getattr(run.fitted, name)
        assert reference.membership_.tolist() == run.fitted.membership_.tolist()
        assert reference.support_.tolist() == run.fitted.support_.tolist()


# The picture
# --------------------------------------------------------------------------------------------------


def lines(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def table(frame, title):
    (block,) = [
        each
        for each in frame.ledger
        if isinstance(each, LedgerTable) and each.title.startswith(title)
    ]
    return [tuple(row) for row in block.rows]


@pytest.fixture
def paper():
    return fp_growth_scene(run_of("han_pei_yin"))


def test_the_ledger_shows_the_base_and_its_sums(paper):
    (condition,) = [frame for frame in paper.frames if "{m} is in" in frame.caption]
    assert lines(condition) == ["support({m}) = (2 + 1) / 5 = 3 / 5 = 0.6 ≥ 0.5: frequent"]
    assert table(condition, "Conditional pattern base") == [("c, f, a", 2), ("c, f, a, b", 1)]
    assert table(condition, "Items of the base") == [
        ("c", 3, "≥ 3", "stays"),
        ("f", 3, "≥ 3", "stays"),
        ("a", 3, "≥ 3", "stays"),
        ("b", 1, "< 3", "removed"),
    ]
    combined = paper.frames[paper.frames.index(condition) + 1]
    assert combined.caption.startswith(
        "The conditional tree of {m} is the single path c:3, f:3, a:3, so 7 more item"
    )
    assert lines(combined) == ["2^3 − 1 = 7 combinations"]
    (entered,) = [frame for frame in paper.frames if frame.caption.startswith("Basket 4 ")]
    assert table(entered, "Basket 4") == [("c", "2 + 1 = 3"), ("b", "new: 1"), ("p", "new: 1")]


def places(mark, frame):
    x, y = (
        np.asarray(channel.rows[frame] if isinstance(channel, PerFrame) else channel)
        for channel in (mark.x, mark.y)
    )
    return x, y


def test_nodes_come_with_their_baskets_and_say_their_counts(paper):
    circles = next(m for m in paper.marks if isinstance(m, Points) and m.panel == "tree")
    n_nodes = [int(np.isfinite(places(circles, f)[0]).sum()) - 1 for f in range(len(paper.frames))]
    assert n_nodes[:7] == [0, 5, 7, 9, 11, 11, 11]
    texts = next(m for m in paper.marks if isinstance(m, Texts) and m.panel == "tree")
    for frame, expected in {
        1: {"c:1", "f:1", "a:1", "m:1", "p:1"},
        4: {"c:3", "f:2", "a:2", "f:1", "b:1", "m:1", "p:1"},
    }.items():
        is_visible = np.isfinite(places(texts, frame)[0])
        assert {texts.text[i] for i in np.flatnonzero(is_visible)} == expected


def test_links_lead_through_the_nodes_of_an_item(paper):
    links = next(m for m in paper.marks if isinstance(m, Line) and m.dash)
    n_breaks = [int(np.isnan(places(links, f)[0]).sum()) for f in range(len(paper.frames))]
    assert n_breaks[0] == 0
    assert n_breaks[1] == 5
    assert n_breaks[-1] == 6
    x, y = places(links, len(paper.frames) - 1)
    assert len(x) == 6 + 11 + 6
    ends = np.flatnonzero(np.isnan(x))
    for row in np.split(np.column_stack([x, y]), ends + 1)[:-1]:
        assert (np.diff(row[:-1, 0]) > 0).all()  # from the header to the right, level
        assert len(set(row[:-1, 1])) == 1


@pytest.mark.parametrize("order", ["ascending", "descending", "columns"])
def test_edges_lead_down_and_what_is_beside_a_node_is_clear_of_others(order):
    problem = prepare_baskets(load("zoo_baskets").transactions)
    run = Run.of(problem, FPGrowth(0.2, order=order))
    replay = Replay(run.trace.steps)
    nodes = largest(replay.tree, 40)
    rows = rows_of(replay.tree, nodes, run.trace.steps[0].items)
    edges = [(rows.x[n], rows.row[replay.tree.parent[n]] + 1, rows.row[n]) for n in nodes[1:]]
    assert all(top <= bottom for _, top, bottom in edges)
    assert len({(rows.x[node], rows.row[node]) for node in nodes}) == len(nodes)
    for node in nodes[1:]:
        begin, end, row = rows.x[node], rows.x[node] + rows.room[node], rows.row[node]
        assert end - begin > 0.5
        assert not any(begin < x < end and top <= row <= bottom for x, top, bottom in edges)


def test_the_tree_has_the_large_panel_and_the_item_sets_stand_in_the_ledger(paper):
    assert [panel.name for panel in paper.panels if not panel.side] == ["tree"]
    run = run_of("han_pei_yin")
    steps, names = run.trace.steps, run.problem.items
    expected = {
        frozenset(names[j] for j in items): (n, n / 5)
        for step in steps
        for items, n in step.new_itemsets
    }
    ledger = paper.frames[-1].ledger
    (listed,) = [each for each in ledger if getattr(each, "title", "") == "Frequent item sets"]
    assert {
        frozenset(name.strip("{}").split(", ")): tuple(numbers) for name, *numbers in listed.rows
    } == expected


@pytest.mark.parametrize(
    "name", ["five_baskets", "zoo_baskets", "titanic_baskets", "planted_baskets"]
)
@pytest.mark.parametrize("min_support", [0.1, 1.0])
def test_every_run_can_be_drawn(name, min_support):
    run = run_of(name, min_support=min_support)
    scene = fp_growth_scene(run)
    assert scene.frames[-1].phase == "done"
    assert len(encode(scene)) < 250_000
    for mark in scene.marks:
        for channel in mark.CHANNELS:
            values = getattr(mark, channel)
            assert not isinstance(values, PerFrame) or len(values.rows) == len(scene.frames)


def test_any_part_of_a_run_can_be_drawn():
    run = run_of("five_baskets", min_support=0.2)
    for n in range(len(run.trace.steps) + 1):
        assert encode(fp_growth_scene(stopped(run, n)))


def linked_table(frame, by):
    (block,) = [each for each in frame.ledger if isinstance(each, LedgerTable) and each.by == by]
    return block


def test_items_answer_to_their_bars_and_nodes(paper):
    (bars,) = [mark for mark in paper.marks if mark.panel == "supports" and mark.of == "item"]
    counted = linked_table(paper.frames[0], "item")
    heights = dict(zip(at(bars.numbers, 0), at(bars.y1, 0), strict=True))
    assert [heights[number] for number in counted.numbers] == [row[2] for row in counted.rows]
    names = {number: row[0] for number, row in zip(counted.numbers, counted.rows, strict=True)}
    small, circles = [
        mark for mark in paper.marks if isinstance(mark, Points) and mark.of == "item"
    ]
    labels = ["root" if not number else names[number] for number in at(circles.numbers, 0)]
    assert labels == [label.partition(":")[0] for label in circles.labels]
    place = next(i for i, frame in enumerate(paper.frames) if "{m} is in" in frame.caption)
    tree = [names[number] for number in small.numbers.rows[place]]
    summed = linked_table(paper.frames[place], "item")
    assert [names[number] for number in summed.numbers] == [row[0] for row in summed.rows]
    assert tree == [row[0] for row in summed.rows if row[-1] == "stays"]


def test_at_the_end_each_item_answers_to_its_nodes(paper):
    circles = next(mark for mark in paper.marks if mark.panel == "tree" and mark.of == "item")
    items = at(circles.numbers, 0).tolist()
    table = linked_table(paper.frames[-1], "item")
    assert table.rows[:6] == [
        ("c", 4, 1),
        ("f", 4, 2),
        ("a", 3, 1),
        ("b", 3, 3),
        ("m", 3, 2),
        ("p", 3, 2),
    ]
    assert [items.count(number) for number in table.numbers] == [row[2] for row in table.rows]


def test_nodes_answer_to_the_counts_of_a_basket_and_to_the_paths_above_them(paper):
    circles = next(mark for mark in paper.marks if mark.panel == "tree" and mark.of == "item")
    lit = [mark for mark in paper.marks if isinstance(mark, Points) and mark.of == "node"]
    for caption, expected in {
        "Basket 4 ": ["c: 4 baskets", "b: 1 baskets", "p: 1 baskets"],
        "m has 2 nodes": ["m: 2 baskets", "m: 1 baskets"],
    }.items():
        (shot,) = [i for i, frame in enumerate(paper.frames) if frame.caption.startswith(caption)]
        named = dict(zip(zip(*places(circles, shot), strict=True), circles.labels, strict=True))
        labels = {}
        for mark in lit:
            nodes = zip(*places(mark, shot), strict=True)
            pairs = zip(mark.numbers.rows[shot], nodes, strict=True)
            labels |= {number: named[place] for number, place in pairs}
        table = linked_table(paper.frames[shot], "node")
        assert [labels[number] for number in table.numbers] == expected


def test_nodes_that_are_not_drawn_answer_to_nothing():
    scene = fp_growth_scene(run_of("zoo_baskets", min_support=0.1))
    nodes = [mark for mark in scene.marks if mark.of == "node"]
    drawn_nodes = {number for mark in nodes for row in mark.numbers.rows for number in row}
    ledger = [block for frame in scene.frames for block in frame.ledger]
    tables = [block for block in ledger if getattr(block, "by", "") == "node"]
    numbers = {number for table in tables for number in table.numbers}
    assert None in numbers
    assert numbers - {None} <= drawn_nodes
