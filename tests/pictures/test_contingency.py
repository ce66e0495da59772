import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from dmlib.pictures.figures.contingency import MAX_CLASSES, contingency_data, plot_contingency

HOSTILE = ("<b>bold</b>", "a & b", "<img src=x onerror=1>", "%{z}")


@pytest.fixture
def partitions():
    rng = np.random.default_rng(0)
    return rng.integers(0, 3, 200), rng.integers(0, 4, 200)


def test_counts_and_indices(partitions):
    labels, y = partitions
    data = contingency_data(labels, y, HOSTILE)
    for i, cluster in enumerate(data.clusters):
        for j in range(4):
            assert data.counts[i, j] == ((labels == cluster) & (y == j)).sum()
    assert data.adjusted_rand == pytest.approx(adjusted_rand_score(y, labels))
    assert data.mutual_information == pytest.approx(normalized_mutual_info_score(y, labels))


def test_classes_without_rows_are_left_out():
    data = contingency_data([0, 1, 1], [0, 3, 3], ["a", "b", "c", "d"])
    assert data.classes == ("a", "d")
    assert data.counts.tolist() == [[1, 0], [0, 2]]


def test_data_without_classes_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match=r"no known classes\. Choose"):
        contingency_data([0, 1], None, ())


def test_too_many_classes_are_refused_with_the_number():
    n = MAX_CLASSES + 1
    with pytest.raises(ValueError, match=f"{n} different values"):
        contingency_data(np.zeros(n), np.arange(n), [str(i) for i in range(n)])


def test_figure_shows_names_literally(partitions):
    labels, y = partitions
    figure = plot_contingency(contingency_data(labels, y, HOSTILE))
    assert all("<" not in name for name in figure.layout.xaxis.ticktext)
    assert figure.data[0].hovertemplate.count("%{") == 3
    assert list(figure.data[0].y) == [1, 2, 3]


def test_the_largest_figure_is_small():
    rng = np.random.default_rng(0)
    labels, y = rng.integers(0, 256, 2000), rng.integers(0, MAX_CLASSES, 2000)
    figure = plot_contingency(
        contingency_data(labels, y, [f"class number {i}" for i in range(MAX_CLASSES)])
    )
    assert len(figure.to_json()) < 40_000
