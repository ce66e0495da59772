"""The picture of a kernel matrix: pixels, pair, bars and arithmetic agree with the matrix."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import KernelMatrix
from dmlib.classification.kernel_matrices.figures.feature_space import (
    feature_space,
    feature_space_data,
)
from dmlib.classification.kernel_matrices.scene import kernels_scene
from dmlib.classification.kernels import KERNELS
from dmlib.pictures.marks import Points, Raster, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped

X = np.array([[1, 0], [2, 1], [0, 2], [1, 3]], float)


def run_of(model, **options):
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(kind=["p", "q", "p", "q"])
    return Run.of(prepare(frame, ["a", "b"], target="kind"), model, **options)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("second", [False, True])
def test_the_ledger_ends_in_the_value_of_the_pair(name, second):
    model = KernelMatrix(name, gamma=0.5, operation="sum" if second else "none", second="rbf")
    run = run_of(model, selected=2)
    scene = kernels_scene(run)
    K = run.fitted.kernel_matrix_
    j = np.where(np.arange(4) == 2, -np.inf, K[2]).argmax()
    values = [text for text in formulas(scene.frames[-1]) if text.startswith("k = ")]
    value = values[-1].split(" = ")[1] if second else values[-1].rsplit(" = ", 1)[1]
    assert float(value.replace("−", "-")) == pytest.approx(K[2, j], rel=1e-5)
    nearest = tables(scene.frames[-1])["Row 3: its largest kernels"]
    assert nearest.rows[0] == (j + 1, pytest.approx(K[2, j]))
    (line,) = marks(scene, Segments)
    assert [at(line.x0, 0)[0], at(line.y1, 0)[0]] == [X[2, 0], X[j, 1]]


def test_the_image_is_the_matrix_sorted_by_class():
    run = run_of(KernelMatrix("linear"))
    scene = kernels_scene(run)
    order = [2, 0, 3, 1]  # p by the first column, then q
    (image,) = marks(scene, Raster, "matrix")
    K = run.fitted.kernel_matrix_[np.ix_(order, order)]
    assert at(image.pixels, -1).reshape(4, 4).tolist() == np.round(255 * K / 10).tolist()
    first = at(image.pixels, 0).reshape(4, 4)
    assert np.flatnonzero(first).tolist() == [5]  # row 1 with itself, the second place
    assert scene.panels[1].x.ticks == ["3", "1", "4", "2"]
    entry = marks(scene, Points, "matrix")[-1]
    assert (at(entry.x, -1)[0], at(entry.y, -1)[0]) == (3, 2)  # row 1 with row 2


def test_negative_eigenvalues_have_a_colour():
    scene = kernels_scene(run_of(KernelMatrix("sigmoid", gamma=1.0, coef0=-1.0)))
    (bars,) = marks(scene, Rects, "spectrum")
    assert at(bars.color, -1).tolist() == [255, 255, 2, 2]
    assert at(bars.color, 0).size == 0
    assert scene.legend[-1].text == "negative eigenvalue"
    assert result(formulas(scene.frames[-1])[-1].split(" for ")[0]) == pytest.approx(-0.965682)


def test_the_rows_outside_of_a_zero_extension_are_faint():
    scene = kernels_scene(run_of(KernelMatrix(operation="zero extension")))
    assert at(marks(scene, Points)[0].opacity, -1).tolist() == [1, 1, 0.25, 1]
    assert at(marks(scene, Points)[0].opacity, 0).tolist() == [1] * 4


def test_the_feature_space_has_the_kernels_products():
    run = run_of(KernelMatrix("linear"))
    data = feature_space_data(run)
    np.testing.assert_allclose(data.places @ data.places.T, run.fitted.kernel_matrix_, atol=1e-9)
    assert data.share == pytest.approx(1)
    assert len(feature_space(run).data) == 2


def test_a_run_that_was_stopped():
    assert kernels_scene(stopped(run_of(KernelMatrix()), 2)).frames[0].caption
