import re

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.agglomerative_scene import agglomerative_scene, shown_clusters
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import NO_CLASS, Line, Points, Rects, Segments
from dmlib.pictures.run import Run
from tests.pictures.examples import PROBLEMS, SQUARES, at, formulas, marks, problem, result, tables
from tests.runs import stopped

LINKAGES = ("single", "complete", "average", "centroid", "ward")
each_linkage = pytest.mark.parametrize("linkage", LINKAGES)
each_problem = pytest.mark.parametrize("name", PROBLEMS)
TRIANGLE = problem([[0.0, 0.0], [2.0, 0.0], [1.0, 1.8]])


def scene_and_steps(data, n_clusters=2, *, height="auto", selected=None, **params):
    run = Run.of(
        data,
        AgglomerativeClustering(n_clusters, **params),
        selected=selected,
        options={"height": height},
    )
    return agglomerative_scene(run), run.trace.steps


def digits(value):
    return float(f"{value:.4g}")


@each_problem
@each_linkage
def test_a_frame_for_every_merge(name, linkage):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, linkage=linkage)
    assert [frame.phase for frame in scene.frames] == [
        "distances",
        *["merge"] * (len(data.X) - 1),
        "cut",
    ]
    assert [step.phase for step in steps] == [frame.phase for frame in scene.frames]
    assert len(encode(scene)) < 150_000


def test_a_trace_that_was_stopped_shows_the_data():
    data = PROBLEMS["squares"]
    run = Run.of(data, AgglomerativeClustering(2))
    for n in range(len(run.trace.steps)):
        scene = agglomerative_scene(stopped(run, n))
        assert [frame.caption for frame in scene.frames] == ["You stopped."]


# Arithmetic
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_the_first_distance_is_written_out(metric):
    scene, _ = scene_and_steps(PROBLEMS["squares"], linkage="average", metric=metric)
    (text,) = formulas(scene.frames[0])
    names = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}
    assert result(text) == pytest.approx(pdist(SQUARES, names[metric]).min(), rel=1e-5)
    arithmetic = (
        text.split(": ")[1]
        .rsplit(" = ", 1)[0]
        .replace("−", "-")
        .replace("²", "**2")
        .replace("√", "np.sqrt")
    )
    assert eval(re.sub(r"\|([^|]+)\|", r"abs(\1)", arithmetic), {"np": np}) == pytest.approx(
        result(text)
    )


@pytest.mark.parametrize("name", ["blobs", "four columns", "squares"])
@each_linkage
def test_distances_to_a_new_cluster_are_those_of_the_definition(name, linkage):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, linkage=linkage)
    members = {i: [i] for i in range(len(data.X))}
    for frame, step in zip(scene.frames[1:-1], steps[1:-1], strict=True):
        members[step.node] = [*members[step.pair[0]], *members[step.pair[1]]]
        table = next(iter(tables(frame).values()), None)
        if table is None:
            assert step.n_clusters == 1
            continue
        node = {name_of(data, k): k for k in members}
        for to, n_rows, first, second, new in table.rows:
            node_rows = members[node[to]]
            assert n_rows == len(node_rows)
            for part, cell in ((step.pair[0], first), (step.pair[1], second), (step.node, new)):
                want = linkage_distance(data.X, members[part], node_rows, linkage)
                assert cell == pytest.approx(want, rel=1e-3)


def name_of(data, node):
    n = len(data.X)
    return f"row {node + 1}" if node < n else f"#{node - n + 1}"


def linkage_distance(X, first, second, linkage):
    D = squareform(pdist(X))[np.ix_(first, second)]
    if linkage in ("single", "complete", "average"):
        return {"single": D.min, "complete": D.max, "average": D.mean}[linkage]()
    gap = np.linalg.norm(X[first].mean(axis=0) - X[second].mean(axis=0))
    n, m = len(first), len(second)
    return gap * np.sqrt(2 * n * m / (n + m)) if linkage == "ward" else gap


@each_linkage
def test_the_formula_of_lance_and_williams_comes_out(linkage):
    scene, steps = scene_and_steps(PROBLEMS["blobs"], linkage=linkage)
    for frame, step in zip(scene.frames[1:-2], steps[1:-2], strict=True):
        text = next(block.text for block in frame.ledger if isinstance(block, Formula))
        arithmetic = text.split(": ", 1)[1].rsplit(" = ", 1)[0]
        for sign, meaning in {"−": "-", "·": "*", "²": "**2", "½": "0.5", "√": "np.sqrt"}.items():
            arithmetic = arithmetic.replace(sign, meaning)
        arithmetic = re.sub(r"\|([^|]+)\|", r"abs(\1)", arithmetic)
        assert eval(arithmetic, {"np": np}) == pytest.approx(result(text), rel=2e-2, abs=1e-2)
        assert result(text) == pytest.approx(digits(step.after.min()), rel=1e-3)


@each_linkage
def test_the_whole_matrix_before_and_after(linkage):
    scene, steps = scene_and_steps(PROBLEMS["squares"], linkage=linkage)
    X = np.array(SQUARES, float)
    members = {i: [i] for i in range(len(X))}
    for frame, step in zip(scene.frames[1:-1], steps[1:-1], strict=True):
        members[step.node] = [*members[step.pair[0]], *members[step.pair[1]]]
        matrices = [
            block
            for block in frame.ledger
            if isinstance(block, LedgerTable) and block.title[:3] == "All"
        ]
        if not 1 < step.n_clusters <= 5:
            assert not matrices
            continue
        before, after = matrices
        assert len(before.rows) == len(after.rows) + 1 == step.n_clusters + 1
        assert (list(before.emphasis), list(after.emphasis)) == ([0, 1], [0])
        nodes = {name_of(PROBLEMS["squares"], k): k for k in members}
        for matrix in matrices:
            for name, *row in matrix.rows:
                rows = members[nodes[name]]
                for column_name, cell in zip(matrix.head[1:], row, strict=True):
                    if name == column_name:
                        assert cell is None
                    else:
                        columns = members[nodes[column_name]]
                        want = linkage_distance(X, rows, columns, linkage)
                        assert cell == pytest.approx(want, rel=1e-3)


@each_linkage
def test_the_cut_tells_gap_sizes_and_cophenetic_correlation(linkage):
    data = PROBLEMS["blobs"]
    scene, _ = scene_and_steps(data, 4, linkage=linkage)
    tree = hierarchy.linkage(data.X, linkage)
    frame = scene.frames[-1]
    texts = formulas(frame)
    rising = np.sort(tree[:, 2])[::-1]
    if linkage != "centroid":
        assert result(texts[0]) == pytest.approx(rising[2] - rising[3], rel=1e-5)
    correlation, _ = hierarchy.cophenet(tree, pdist(data.X))
    assert result(texts[1]) == pytest.approx(correlation, rel=1e-5)
    labels = AgglomerativeClustering(4, linkage=linkage).fit(data.X).labels_
    assert [row[0] for row in tables(frame)["Clusters"].rows] == np.bincount(labels).tolist()


def test_an_inversion_is_told():
    scene, _ = scene_and_steps(TRIANGLE, linkage="centroid")
    assert "It lies lower than an earlier merge." in scene.frames[2].caption
    assert any("1 merge lies lower than an earlier one" in note for note in scene.notes)


def test_ties_are_told():
    scene, _ = scene_and_steps(PROBLEMS["squares"], linkage="single")
    assert "3 other pairs are just as near." in scene.frames[1].caption


def test_the_selected_row_is_followed():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, linkage="average", selected=7)
    table = scene.frames[-1].ledger[0]
    assert table.title.startswith("Row 8: ")
    node, path = 7, []
    for step in steps[1:-1]:
        if node in step.pair:
            path.append((f"#{step.node - len(data.X) + 1}", digits(step.height), sum(step.sizes)))
            node = step.node
    assert [(row[0], row[2], row[3]) for row in table.rows] == path[::-1][: len(table.rows)]
    assert table.title == f"Row 8: {len(path)} merges so far"


# The picture
# ---------------------------------------------------------------------------------------------


@each_linkage
def test_brackets_grow_to_scipys_dendrogram(linkage):
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, linkage=linkage)
    expected = hierarchy.dendrogram(hierarchy.linkage(data.X, linkage), no_plot=True)
    want = {
        tuple(np.round([*(np.array(x) - 5) / 10, *y], 6))
        for x, y in zip(expected["icoord"], expected["dcoord"], strict=True)
    }
    last, brackets = len(steps) - 1, set()
    for mark in marks(scene, Segments, "tree"):
        ends = np.column_stack([at(getattr(mark, name), last) for name in ("x0", "y0", "x1", "y1")])
        for up, _, down in ends.reshape(-1, 3, 4):
            brackets.add(
                tuple(np.round([up[0], up[2], down[0], down[2], up[1], up[3], down[1], down[3]], 6))
            )
    if linkage != "centroid":  # at equal heights either may stand left
        assert {(min(b[4], b[7]), max(b[4], b[7]), b[5]) for b in brackets} == {
            (min(b[4], b[7]), max(b[4], b[7]), b[5]) for b in want
        }
    assert len(brackets) == len(data.X) - 1
    for i in range(len(steps)):
        n_visible = sum(
            np.isfinite(at(mark.x0, i)).sum() for mark in marks(scene, Segments, "tree")
        )
        assert n_visible == 3 * min(i, len(data.X) - 1)


@pytest.mark.parametrize("linkage", ["single", "complete"])
def test_a_link_joins_the_rows_that_decided(linkage):
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, linkage=linkage)
    ends = np.vstack(
        [
            np.column_stack(
                [at(getattr(mark, name), len(steps) - 1) for name in ("x0", "y0", "x1", "y1")]
            )
            for mark in marks(scene, Segments)
        ]
    )
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    assert lengths == pytest.approx([step.height for step in steps[1:-1]])


def test_the_cut_paints_both_sides_alike():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, 4, linkage="average")
    rows = next(mark for mark in marks(scene, Points) if mark.data)
    assert at(rows.color, 0).tolist() == steps[-1].labels.tolist()
    (leaves,) = marks(scene, Points, "tree")
    order = [int(label.removeprefix("row ")) - 1 for label in leaves.labels]
    assert at(leaves.color, 0).tolist() == steps[-1].labels[order].tolist()
    assert [key.text for key in scene.legend] == [
        "cluster 1",
        "cluster 2",
        "cluster 3",
        "cluster 4",
    ]


def test_the_line_can_be_anywhere():
    data = PROBLEMS["blobs"]
    tree = hierarchy.linkage(data.X, "ward")
    for height in (0.0, 0.5, float(tree[-3, 2]) + 1e-6, 1e9):
        scene, _ = scene_and_steps(data, 2, height=height, linkage="ward")
        n_clusters = 1 + int((tree[:, 2] >= height).sum())
        (handle,) = scene.handles
        assert (handle.name, handle.kind, handle.y) == ("cut", "y", height)
        assert handle.label.endswith(f" {n_clusters} cluster{'s' * (n_clusters != 1)}")
        run = Run.of(data, AgglomerativeClustering(2), options={"height": height})
        assert shown_clusters(run).n_clusters_ == n_clusters
        assert ("not at 2 clusters" in " ".join(scene.notes)) == (n_clusters != 2)
        assert encode(scene)


def test_many_rows_alone_have_no_colour():
    data = PROBLEMS["blobs"]
    scene, _ = scene_and_steps(data, 60, linkage="single")
    rows = next(mark for mark in marks(scene, Points) if mark.data)
    labels = AgglomerativeClustering(60, linkage="single").fit(data.X).labels_
    is_single = np.bincount(labels)[labels] == 1
    assert ((at(rows.color, 0) == NO_CLASS) == is_single).all()


def test_the_two_that_merge_are_outlined():
    scene, steps = scene_and_steps(PROBLEMS["squares"], linkage="complete")
    (outline,) = marks(scene, Line)
    assert at(outline.x, 0).size == 0
    for i, step in enumerate(steps[1:-1], start=1):
        corners = np.column_stack([at(outline.x, i), at(outline.y, i)])
        assert np.isnan(corners).any(axis=1).sum() == 1
        assert len(np.unique(corners[np.isfinite(corners).all(axis=1)], axis=0)) <= sum(step.sizes)


def test_the_band_is_the_gap_between_the_merges_around_the_cut():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, 3)
    (band,) = marks(scene, Rects, "tree")
    heights = [step.height for step in steps[1:-1]]
    assert [*band.y0, *band.y1] == heights[-3:-1]
    scene, _ = scene_and_steps(data, 3, height=2 * max(heights))
    (band,) = marks(scene, Rects, "tree")
    assert [*band.y0, *band.y1] == [max(heights), scene.panels[1].y.high]
