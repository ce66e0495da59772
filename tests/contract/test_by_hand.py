"""The worked example of a lesson can be opened, and its numbers stand on the stage."""

import re
from itertools import chain

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.lessons import PRESET
from dashboard.presets import presets
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?![\w])")

# For each page its presets, what is changed on them, and the numbers of the lesson that they show.
EXAMPLES = {
    "bayesian_network": [
        ("The weather with a tree", {}, "0.4196 0.3118 0.006429 0.003968 0.618"),
        ("Two neighbours call", {}, "0.001578 0.001493 0.284"),
    ],
    "bias_variance": [("Four sets by hand", {}, "5.16 4.815 5.52 5.196 5.173 7.933 7.617 0.0623")],
    "classifier_metrics": [
        ("Twenty people by hand", {}, "0.75 0.6667 0.7059 0.4924 0.51 0.4898 0.65 0.5357")
    ],
    "data_overview": [
        ("Nine times by hand", {}, "1.12 -1.2 5.2 2.8 63.36 7.92 2.814 46.8 5.85 0.759")
    ],
    "dbscan": [("Eight points by hand", {}, "5.385")],
    "discretisation": [("Six rows by hand", {}, "0.522")],
    "ensembles": [
        ("Six rows, three bags", {"loss": "quadratic"}, "0.6701 0.125 0.5"),
        ("Six rows, three bags", {"loss": "informational"}, "0.415"),
    ],
    "factorisation": [
        ("Three rows by hand", {}, "20 21 95.2"),
        ("Two rows by hand", {}, "1.468 7.693 10.81 1.045 0.6002 5.225 0.8193 3.828"),
    ],
    "gaussian_mixture": [
        ("Six points by hand", {}, "2.333 -25.671 3.093 3.745 7.907 4.255 2.402 2.657 -25.499")
    ],
    "hierarchical": [
        ("Five points by hand", {}, "1.5 4.5 5.5 3.5 7.5"),
        ("Five points by hand", {"linkage": "average"}, "4.25 5.583"),
        ("Five points by hand", {"linkage": "ward"}, "4.619 8.65"),
    ],
    "kmeans": [("Six points by hand", {}, "128 48 36 30")],
    "kmeans_variants": [
        ("Two squares by hand", {}, "140 40 24"),
        ("Two squares by their BIC", {}, "-40.12 -35.88 -43.24 -42.12 -13.58 -16.28 -19.13 -21.83"),
    ],
    "knn": [("Five rows by hand", {}, "1.414 3.606 5.831 1.040 0.949 2.709 1.748 3.586 5.797")],
    "linear_regression": [
        ("Five points by absolute residuals", {}, "11 1.667 7.333 1.5 7 31.5 8 24"),
        ("Four rows by the LMS rule", {}, "2.4 0.44 0.68 0.52 0.836 1.164 0.6084 1.3016"),
    ],
    "logistic_regression": [
        (
            "Eighty patients by hand",
            {},
            "-55.452 -45.061 0.7577 -1.0963 2.1927 -1.0986 2.1972 -44.987 0.5164 3.27 24.76",
        )
    ],
    "missing_values": [
        ("Five rows by hand", {}, "8.49 9.9"),
        ("Five rows by hand", {"weights": "distance"}, "7.08"),
        ("Five rows by hand", {"strategy": "regression"}, "20"),
        ("Five rows by hand", {"strategy": "normal"}, "2.582 1.764 9.555"),
        ("Five rows by hand", {"strategy": "density"}, "1.527 1.123 3.715"),
    ],
    "mlp": [
        (
            "One row, forward and back",
            {},
            "0.9406 0.06174 0.05677 -0.07895 0.4759 0.7068 0.6138 0.3345 0.5828 0.5398 -0.4172",
        )
    ],
    "naive_bayes": [("The weather, by hand", {}, "0.00529 0.02057 0.205 0.795")],
    "optics": [("Eight points by hand", {}, "1.5")],
    "pca": [
        (
            "Five points by hand",
            {},
            "9.125 4.5 6.5 15.625 12.5 3.125 0.975 0.221 9.894 5.826 11.482 0.862 0.507 12.493",
        )
    ],
    "pcr": [("Four rows by hand", {}, "1.5 6.364 0.7071 0.5")],
    "polynomial_regression": [("Four rows by hand", {}, "1.5 2.236")],
    "resampling": [("Ten rows by hand", {}, "0.2 0.5 -3.162 0.0341 -2.108 0.1027 0.125")],
    "rnn": [("One unit by hand", {}, "-0.1346 0.1912 0.1889 0.0672 0.0204")],
    "roc": [("Ten rows by hand", {}, "0.6 0.75 0.333 0.4 19.5 0.8125 0.7929 2.5")],
    "similarity": [
        ("Two points by hand", {}, "4.498 0.0061"),
        ("Two penguins", {}, "27.5 0.01455 0.01389 0.2571"),
    ],
    "spectral": [("Two triangles by hand", {}, "0.438 0.465 0.261 0.333 0.143")],
    "svm": [
        ("Three rows by hand", {}, "0.25 0.5 2.828"),
        ("Three rows by hand", {"C": 0.1}, "0.1 0.16 -0.3 0.2"),
    ],
    "transformation": [
        ("One column by hand", {}, "1.871 1.604"),
        ("One column by hand", {"scale": "min_max"}, "0.4"),
        ("One column by hand", {"scale": "robust"}, "1.75"),
        ("A formula by hand", {}, "2.5"),
    ],
}

# Examples that many courses teach: each number that is to be looked for, with what is derived.
TAUGHT = {
    "association_rules": [("Cocoa and milk", set())],
    "decision_tree": [
        ("Ten taxpayers", set()),
        ("The same test twice", set()),
        ("Parity needs every case", set()),
    ],
    "linear_regression": [
        ("Hooke's law", set()),
        ("A rating below 0 %", {"2013"}),
        ("Moore's law", {"2.19"}),
    ],
    "mlp": [("Iris by 4 - 25 - 3", set())],
    "naive_bayes": [("DNA: red or blue", set())],
    "pca": [("Miles and kilometres", set())],
    "roc": [("102 rows, two of them positive", set())],
    "spectral": [("Nine nodes, not the smallest cut", set())],
}


def numbers(text):
    """Return the numbers of a text, whatever its minus sign."""
    return [number.replace(",", "") for number in NUMBER.findall(text.replace("−", "-"))]


def words(part):
    """Return all texts and numbers of a block of the ledger, as texts."""
    if isinstance(part, dict):
        return chain.from_iterable(map(words, part.values()))
    if isinstance(part, list | tuple):
        return chain.from_iterable(map(words, part))
    return [] if part is None else [str(part)]


def on_stage(scene):
    """Return all numbers of the captions, headlines and ledgers of a scene."""
    said = chain.from_iterable(
        words([frame["caption"], frame.get("headline"), frame["ledger"]])
        for frame in scene["frames"]
    )
    return [float(number) for number in numbers(" ".join(said))]


def is_in(number, values):
    """Return whether a value, rounded as the number is, is the number."""
    step = 10.0 ** -len(number.partition(".")[2])
    return any(abs(value - float(number)) <= 0.51 * step for value in values)


@pytest.mark.parametrize("slug", EXAMPLES)
def test_the_numbers_of_an_example_are_on_the_stage(slug):
    text = section(text_of(slug), "By hand")
    told = {float(number) for number in numbers(text)}
    for title, changed, claimed in EXAMPLES[slug]:
        values = on_stage(open_preset(slug, title, **changed).scene)
        for number in claimed.split():
            assert float(number) in told, f"{number} is not in the lesson"
            assert is_in(number, values), f"{number} is not in {title} {changed}"


@pytest.mark.parametrize("slug", CATALOGUE)
def test_an_example_links_its_preset(slug):
    named = set(PRESET.findall(section(text_of(slug), "By hand")))
    titles = {title for title, *_ in EXAMPLES.get(slug, ())}
    assert {preset.slug for preset in presets(slug) if preset.title in titles} <= named
    assert named


@pytest.mark.parametrize("slug", TAUGHT)
def test_what_an_example_says_is_on_the_stage(slug):
    for title, derived in TAUGHT[slug]:
        opened = open_preset(slug, title)
        values = on_stage(opened.scene)
        for number in set(numbers(opened.look_for)) - derived:
            percent = f"{float(number) / 100:.{len(number.partition('.')[2]) + 2}f}"
            assert is_in(number, values) or is_in(percent, values), f"{number}: {title}"


def test_moore_doubles_in_two_years_and_a_bit():
    opened = open_preset("linear_regression", "Moore's law")
    assert f"{1 / opened.run.fitted.coef_[0]:.2f} years" in opened.look_for


def test_the_nine_nodes_have_the_cuts_of_the_lesson():
    W = open_preset("spectral", "Nine nodes, not the smallest cut").run.fitted.affinity_matrix_
    W = W.toarray() if hasattr(W, "toarray") else W
    text = section(text_of("spectral"), "Why not the smallest cut")
    for part, ratio, normalised in (([8], "0.562", "0.519"), ([0, 1, 2, 3], "0.45", "0.146")):
        rest = [i for i in range(9) if i not in part]
        cut = W[part][:, rest].sum()
        assert f"{(cut / len(part) + cut / len(rest)) / 2:.4g}"[: len(ratio)] == ratio
        assert f"{(cut / W[part].sum() + cut / W[rest].sum()) / 2:.3f}" == normalised
        assert {f"**{ratio}**", f"**{normalised}**"} <= set(re.findall(r"\*\*[^*]+\*\*", text))
