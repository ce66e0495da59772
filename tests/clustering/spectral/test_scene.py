import re

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from dmlib.clustering import SpectralClustering, graph_cuts
from dmlib.clustering.spectral.edges_scene import FAINTEST, MAX_EDGES
from dmlib.clustering.spectral.scene import spectral_scene
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import NO_CLASS, Cells, Line, Points, Segments
from dmlib.pictures.run import Run
from tests.pictures.examples import BLOBS, PROBLEMS, at, formulas, marks, problem, result, tables
from tests.runs import stopped

EDITABLE = {"affinity", "gamma", "n_neighbors", "eps", "laplacian"}
LAPLACIANS = ("random_walk", "symmetric", "unnormalised")
each_laplacian = pytest.mark.parametrize("laplacian", LAPLACIANS)
each_affinity = pytest.mark.parametrize("affinity", ["rbf", "knn", "epsilon"])
MIDDLING = {
    "n_neighbors": 10,
    "gamma": 0.3,
    "eps": 3.0,
}  # for the blobs: neither all pairs nor many parts


def scene_and_steps(data, n_clusters=2, selected=None, **params):
    params = MIDDLING | params
    run = Run.of(data, SpectralClustering(n_clusters, random_state=0, **params), selected=selected)
    return spectral_scene(run), run.trace.steps


def frames_of(scene, phase):
    return [(i, frame) for i, frame in enumerate(scene.frames) if frame.phase == phase]


def edges_of(W):
    weights = np.triu(W.toarray() if hasattr(W, "toarray") else W, 1)
    return weights[weights > 0]


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "duplicates"])
@each_laplacian
@each_affinity
def test_a_frame_for_every_step(name, laplacian, affinity):
    data = PROBLEMS[name]
    params = {"laplacian": laplacian, "affinity": affinity, "n_neighbors": 5, "eps": 5.0}
    scene, steps = scene_and_steps(data, 3, **params)
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert len(encode(scene)) < 150_000


def test_a_trace_that_was_stopped_shows_the_data():
    data = PROBLEMS["blobs"]
    run = Run.of(data, SpectralClustering(2, random_state=0))
    for n in range(len(run.trace.steps)):
        scene = spectral_scene(stopped(run, n))
        assert [frame.caption for frame in scene.frames] == ["You stopped."]


# Edges
# ---------------------------------------------------------------------------------------------


def test_the_heaviest_edges_are_drawn_the_heavier_the_thicker():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, gamma=0.01)
    edge_marks = marks(scene, Segments)
    ends = {
        mark.width: [at(end, 0) for end in (mark.x0, mark.y0, mark.x1, mark.y1)]
        for mark in edge_marks
    }
    n_drawn = sum(len(x0) for x0, *_ in ends.values())
    assert n_drawn == MAX_EDGES
    assert f"the {n_drawn:,} heaviest are drawn" in " ".join(scene.notes)
    weights = np.sort(edges_of(steps[0].affinity))[::-1]
    squares = {width: (x1 - x0) ** 2 + (y1 - y0) ** 2 for width, (x0, y0, x1, y1) in ends.items()}
    for lengths in squares.values():
        assert np.exp(-0.01 * lengths).min() >= weights[n_drawn - 1] - 1e-12
    shortest = [squares[width].min() for width in sorted(squares)]
    assert shortest == sorted(shortest, reverse=True)


@each_affinity
def test_edges_inside_a_cluster_have_its_colour_and_the_others_are_cut(affinity):
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, 2, affinity=affinity, eps=7.0, n_neighbors=20)
    labels, last = steps[-1].labels, len(steps) - 1
    place = {tuple(point): i for i, point in enumerate(data.points)}
    for mark in marks(scene, Segments):
        ends = [
            [place[p] for p in zip(x.tolist(), y.tolist(), strict=True)]
            for x, y in ((at(mark.x0, 0), at(mark.y0, 0)), (at(mark.x1, 0), at(mark.y1, 0)))
        ]
        first, second = labels[ends[0]], labels[ends[1]]
        assert at(mark.color, last).tolist() == np.where(first == second, first, NO_CLASS).tolist()
        assert at(mark.color, 0).tolist() == [NO_CLASS]
    (cut,) = marks(scene, Line)
    assert at(cut.x, last - 1).size == 0
    x, y = at(cut.x, last).reshape(-1, 3), at(cut.y, last).reshape(-1, 3)
    for xs, ys in zip(x, y, strict=True):
        assert labels[place[xs[0], ys[0]]] != labels[place[xs[1], ys[1]]]
    assert bool(len(x)) == (steps[-1].cuts.cut >= FAINTEST)


# Arithmetic
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("selected", [None, 7])
def test_weights_and_degrees_are_those_of_the_row(selected):
    data = PROBLEMS["blobs"]
    scene, _ = scene_and_steps(data, selected=selected)
    W = rbf_kernel(data.X, gamma=0.3)
    np.fill_diagonal(W, 0)
    row = W.sum(axis=1).argmax() if selected is None else selected
    (table,) = tables(scene.frames[0]).values()
    assert table.title.startswith(f"Row {row + 1} has 89 edges")
    heaviest = np.sort(W[row])[::-1][: len(table.rows)]
    assert [weight for *_, weight in table.rows] == pytest.approx(heaviest)
    for name, distance, weight in table.rows:
        neighbor = int(name.removeprefix("row ")) - 1
        assert distance == pytest.approx(np.linalg.norm(data.X[row] - data.X[neighbor]))
        assert weight == pytest.approx(W[row, neighbor])
    assert result(formulas(scene.frames[0])[0]) == pytest.approx(heaviest[0], rel=1e-5)
    assert result(formulas(scene.frames[1])[0]) == pytest.approx(W[row].sum(), rel=1e-5)


@each_laplacian
def test_entries_of_the_three_laplacians(laplacian):
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, selected=3, laplacian=laplacian)
    W = rbf_kernel(data.X, gamma=0.3)
    np.fill_diagonal(W, 0)
    d, j = W.sum(axis=1), int(W[3].argmax())
    L, root = np.diag(d) - W, np.diag(1 / np.sqrt(d))
    matrices = [L, root @ L @ root, np.diag(1 / d) @ L]
    table = tables(scene.frames[1])["The three Laplacians"]
    for row, (a, b) in zip(table.rows, [(3, 3), (3, j), (j, 3), (j, j)], strict=True):
        assert row[0] == f"L({a + 1}, {b + 1})"
        assert list(row[1:]) == pytest.approx([matrix[a, b] for matrix in matrices])
    used = {"unnormalised": 0, "symmetric": 1, "random_walk": 2}[laplacian]
    assert result(formulas(scene.frames[1])[-1]) == pytest.approx(matrices[used][3, j], rel=1e-3)
    # The same matrix has the eigenvectors of the next frames.
    for i, frame in frames_of(scene, "eigenvector"):
        v, value = steps[i].vectors[:, -1], steps[i].eigenvalues[steps[i].index]
        first, second, quotient = map(
            result, (text.removesuffix(", over all edges") for text in formulas(frame))
        )
        assert first == pytest.approx((matrices[used] @ v)[3], abs=1e-6)
        assert second == pytest.approx(value * v[3], abs=1e-6)
        assert quotient == pytest.approx(value, rel=1e-5, abs=1e-12)


def test_gaps_between_eigenvalues():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 4)
    values = steps[-1].eigenvalues
    for i, frame in frames_of(scene, "eigenvector"):
        (title, table), *_ = tables(frame).items()
        assert f"widest gap is after number {np.diff(values).argmax() + 1}" in title
        assert [row[1] for row in table.rows] == pytest.approx(values)
        assert [row[2] for row in table.rows[:-1]] == pytest.approx(np.diff(values))
        assert list(table.emphasis) == [steps[i].index]


@each_laplacian
@pytest.mark.parametrize("n_clusters", [1, 2, 5])
def test_cut_values(laplacian, n_clusters):
    scene, steps = scene_and_steps(PROBLEMS["blobs"], n_clusters, laplacian=laplacian, selected=0)
    frame, step = scene.frames[-1], steps[-1]
    cuts = graph_cuts(step.affinity, step.labels)
    leaves = tables(frame)["Edges that leave each cluster"]
    assert leaves.classes
    assert [row[0] for row in leaves.rows] == np.bincount(step.labels).tolist()
    assert [row[2] for row in leaves.rows] == pytest.approx(cuts.cuts, rel=1e-3)
    terms = dict(text.split(" = ", 1) for text in formulas(frame))
    for name, value in (
        ("cut", cuts.cut),
        ("ratio cut", cuts.ratio_cut),
        ("normalised cut", cuts.normalized_cut),
    ):
        assert result(f"= {terms[name]}") == pytest.approx(value, rel=1e-5)
    to = next(
        block for title, block in tables(frame).items() if title.startswith("Row 1: the weight")
    )
    assert sum(row[0] for row in to.rows) == pytest.approx(step.degrees[0])
    assert list(to.emphasis) == [step.labels[0]]


def test_kmeans_is_told_in_the_embedding():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, 3, selected=4)
    for i, frame in frames_of(scene, "assign"):
        step = steps[i].kmeans
        squares = ((steps[-1].embedding[4] - step.centers) ** 2).sum(axis=1)
        table = next(block for title, block in tables(frame).items() if title.startswith("Row 5"))
        assert [row[-1] for row in table.rows] == pytest.approx(squares)


# Embedding and eigenvalues
# --------------------------------------------------------------------------------------------


def test_one_eigenvector_is_drawn_in_the_order_of_its_entries():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 2)
    points = marks(scene, Points, "embedding")[0]
    last = len(steps) - 1
    v = steps[-1].embedding[:, 1]
    assert at(points.y, last).tolist() == v.tolist()
    assert sorted(at(points.x, last)) == list(range(1, len(v) + 1))
    assert (np.diff(v[np.argsort(at(points.x, last))]) >= 0).all()
    assert not marks(scene, Cells, "embedding")
    assert any("in the order of their entries" in note for note in scene.notes)


def test_two_eigenvectors_are_axes_and_cells_are_true():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 3)
    points = marks(scene, Points, "embedding")[0]
    assert at(points.x, -1).tolist() == steps[-1].embedding[:, 1].tolist()
    assert at(points.y, -1).tolist() == steps[-1].embedding[:, 2].tolist()
    assert marks(scene, Cells, "embedding")
    panel = next(panel for panel in scene.panels if panel.name == "embedding")
    assert (panel.x.label, panel.y.label) == ("eigenvector 2", "eigenvector 3")


def test_of_more_eigenvectors_two_are_shown_and_it_is_said():
    scene, _ = scene_and_steps(PROBLEMS["blobs"], 4)
    assert any(
        "k-means counts all 4 eigenvectors; the picture shows numbers 2 and 3." in note
        for note in scene.notes
    )
    assert not marks(scene, Cells, "embedding")


def test_the_axes_can_be_chosen_where_there_are_such_eigenvectors():
    data = PROBLEMS["blobs"]
    for n_clusters, axes, expected in (
        (4, "3 and 4", (2, 3)),
        (3, "3 and 4", (1, 2)),
        (2, "1 and 2", (0, 1)),
    ):
        run = Run.of(data, SpectralClustering(n_clusters, random_state=0), options={"axes": axes})
        points = marks(spectral_scene(run), Points, "embedding")[0]
        places = np.column_stack([at(points.x, -1), at(points.y, -1)])
        assert places.tolist() == run.trace.steps[-1].embedding[:, list(expected)].tolist()


def test_eigenvectors_that_are_not_taken_yet_are_zero():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 3)
    points = marks(scene, Points, "embedding")[0]
    first, second, third = (i for i, _ in frames_of(scene, "eigenvector"))
    assert at(points.x, first).size == 0
    assert at(points.x, second).tolist() == steps[second].vectors[:, 1].tolist()
    assert at(points.y, second).tolist() == [0] * len(BLOBS)
    assert at(points.y, third).tolist() == steps[third].vectors[:, 2].tolist()


def test_signs_and_sizes_of_entries():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 2)
    rows = next(mark for mark in marks(scene, Points) if mark.data)
    _, second = (i for i, _ in frames_of(scene, "eigenvector"))
    v = steps[second].vectors[:, 1]
    names = [rows.classes[c] for c in at(rows.color, second)]
    assert names == [f"entry {'above' if x > 0 else 'below'} 0" for x in v]
    assert np.argsort(at(rows.size, second)).tolist() == np.argsort(np.abs(v)).tolist()


def test_the_line_stands_at_the_number_of_clusters():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 3)
    (handle,) = scene.handles
    assert (handle.name, handle.panel, handle.kind, handle.x, handle.label) == (
        "n_clusters",
        "eigenvalues",
        "x",
        3,
        "k = 3",
    )
    (gap,) = marks(scene, Segments, "eigenvalues")
    values = steps[-1].eigenvalues
    assert (at(gap.y0, -1).item(), at(gap.y1, -1).item()) == (values[2], values[3])


# Graphs that are not connected
# ----------------------------------------------------------------------------------------


@each_laplacian
def test_parts_are_told_in_sentences(laplacian):
    scene, _ = scene_and_steps(
        PROBLEMS["blobs"], 2, affinity="epsilon", eps=1.5, laplacian=laplacian, selected=2
    )
    n_parts = int(re.search(r"falls into (\d+) parts", scene.frames[1].caption)[1])
    assert n_parts > 2
    assert f"falls into {n_parts} parts" in scene.frames[-1].caption
    assert "more than 2 clusters" in scene.frames[-1].caption
    for _, frame in frames_of(scene, "eigenvector"):
        assert "has the eigenvalue 0" in frame.caption
        assert "on one part of the graph" in frame.caption


def test_a_row_without_edges_is_told():
    data = problem([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0]])
    scene, _ = scene_and_steps(data, 2, affinity="epsilon", eps=1.0, selected=2)
    assert tables(scene.frames[0])["Row 3 has 0 edges"].rows == []
    assert "no edge: its weight to every other row is 0" in formulas(scene.frames[0])
    assert "d(row 3) = 0" in formulas(scene.frames[1])
