"""The search of the home page finds what a student would type."""

import pytest

from dashboard.catalogue import CATALOGUE, ENTRIES
from dashboard.search import NOT_HERE, SYNONYMS, absent, matching, nearest


def matches(search):
    return [entry.slug for entry in matching(search)]


@pytest.mark.parametrize(
    ("search", "pages"),
    {
        "kmeans": ["kmeans", "kmeans_variants"],
        "overfitting": ["knn", "decision_tree", "svm"],
        "soft margin": ["svm"],
        "hinge": ["svm"],
        "regularization": ["logistic_regression", "svm"],
        "cross-validation": ["decision_tree", "roc", "classifier_metrics", "svm"],
        "decision boundary": ["svm", "logistic_regression", "knn", "decision_tree", "naive_bayes"],
        "apriori": ["apriori"],
        "eps": ["dbscan", "optics"],
        "centroid": ["kmeans"],
        "C4.5": ["decision_tree"],
        "nearest neighb": ["knn"],
    }.items(),
)
def test_what_is_typed_finds_its_pages(search, pages):
    assert set(pages) <= set(matches(search))


@pytest.mark.parametrize(
    "spellings",
    [
        ("k-means", "kmeans", "k means", "K-Means"),
        ("cross-validation", "cross validation", "crossvalidation"),
        ("regularisation", "regularization"),
        ("normalised cut", "normalized cut"),
        ("neighbours", "neighbors"),
        ("centre", "center"),
        ("a priori", "apriori"),
    ],
)
def test_spellings_find_the_same(spellings):
    results = [matches(spelling) for spelling in spellings]
    assert results[0]
    assert all(result == results[0] for result in results), results


def test_a_plural_is_not_the_beginning_of_the_next_word():
    assert "mean_shift" not in matches("k means")
    assert "mean_shift" in matches("mean s")
    assert matches("meansh")[0] == "mean_shift"


def test_words_are_found_from_their_beginning_only():
    assert "logistic_regression" not in matches("eps")  # its steps
    assert matches("eans") == []
    assert matches("olynomial") == []
    assert "svm" in matches("polynom")
    assert "hierarchical" in matches("centr")  # on the way to centre and to centroid


def test_a_title_comes_first():
    assert matches("spectral")[0] == "spectral"
    assert matches("k-means")[:2] == ["kmeans", "kmeans_variants"]
    titled = [slug for slug, entry in CATALOGUE.items() if "tree" in entry.title.lower()]
    assert matches("tree")[: len(titled)] == titled
    assert matches("gradient")[:2] == ["gradient_descent", "adaboost"]  # it begins with the word
    assert "spectral" in matches("k-means")[2:]  # its summary speaks of it


def test_every_title_finds_its_page_first():
    for slug, entry in CATALOGUE.items():
        assert matches(entry.title)[0] == slug


def test_nothing_typed_shows_all_in_their_order_and_nonsense_nothing():
    assert matches("") == matches("  - ") == list(ENTRIES)
    assert matches("xyzzy") == []
    assert matches("hinge xyzzy") == []


@pytest.mark.parametrize(
    ("search", "pages"),
    {
        "p-value": ["linear_regression", "association_rules"],
        "P values": ["linear_regression"],
        "overfitting": ["polynomial_regression", "bias_variance"],
        "overf": ["polynomial_regression", "bias_variance"],
        "PCA 85%": ["pca"],
        "random forest": ["ensembles"],
        "neural net": ["mlp", "perceptron"],
        "regression": ["linear_regression"],
        "clustering": ["kmeans", "hierarchical"],
        "XGBoost": ["adaboost", "ensembles"],
        "t-SNE": ["pca", "spectral"],
        "UMAP": ["pca", "spectral"],
    }.items(),
)
def test_what_a_synonym_means_comes_first(search, pages):
    assert matches(search)[: len(pages)] == pages


def test_every_synonym_leads_to_its_pages_in_their_order():
    for name, slugs in SYNONYMS.items():
        assert slugs
        assert len(slugs) == len(set(slugs)), name
        assert set(slugs) <= set(CATALOGUE), name
        ranked = matches(name)
        titled = [slug for slug in ranked if slug in slugs]
        assert set(titled) == set(slugs), name
        if name.lower() not in {entry.title.lower() for entry in CATALOGUE.values()}:
            assert ranked[: len(slugs)] == slugs, name


@pytest.mark.parametrize(
    ("search", "name"),
    {
        "XGBoost": "XGBoost",
        "xg boost": "XGBoost",
        "xgb": "XGBoost",
        "tsne": "t-SNE",
        "umap": "UMAP",
        "transformers": "Transformer",
        "k-means": "",
        "ran": "",
        "": "",
    }.items(),
)
def test_what_has_no_page_is_said(search, name):
    assert absent(search) == name


def test_what_has_no_page_has_none():
    titles = {entry.title.lower() for entry in CATALOGUE.values()}
    assert titles.isdisjoint(name.lower() for name in NOT_HERE)


@pytest.mark.parametrize(
    ("search", "slug"),
    {
        "suport vectr machine": "svm",
        "kmeens": "kmeans",
        "apiori": "apriori",
        "neurl network": "mlp",
        "svm tutorial": "svm",
        "hinge xyzzy": "svm",
    }.items(),
)
def test_what_is_misspelt_or_says_too_much_finds_the_nearest(search, slug):
    assert matches(search) == []
    assert nearest(search)[0].slug == slug


def test_nonsense_is_near_to_nothing():
    assert nearest("xyzzy") == nearest("") == nearest("  - ") == []
