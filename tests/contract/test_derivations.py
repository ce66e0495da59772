"""Numbers and formulas of derivations and remarks in lessons hold when they are computed."""

from collections import Counter
from itertools import product
from math import ceil, log, log2, sqrt

import networkx as nx
import numpy as np
import pytest
from scipy import stats
from scipy.linalg import eigh
from scipy.optimize import brentq, linprog
from sklearn.metrics import f1_score

from dmlib.classification import SVC, AdaBoostClassifier, LogisticRegression, NuSVC
from dmlib.clustering import GaussianMixture, KMedoids, SpectralClustering
from dmlib.decomposition import PCA
from dmlib.regression import LinearRegression, Ridge
from dmlib.trees.impurity import CRITERIA, impurity
from tests.contract.test_lessons import section, text_of

RNG = np.random.default_rng(7)
X = RNG.normal(size=(40, 3))
Y = X @ [1.0, -2.0, 0.5] + RNG.normal(size=40)
SIGNS = np.where(X @ [1.0, 1.0, 0.0] + 0.5 * RNG.normal(size=40) > 0, 1, -1)


def remarks(slug, title):
    return section(text_of(slug), title)


# Errors that are expected


def test_quest_cuts_where_class_share_times_density_is_equal():
    first_class, second_class = np.array([1.0, 2, 3]), np.array([6.0, 8, 10, 12])

    def difference(x, shares):
        return shares[0] * stats.norm.pdf(x, first_class.mean(), first_class.std(ddof=1)) - shares[
            1
        ] * stats.norm.pdf(x, second_class.mean(), second_class.std(ddof=1))

    text = remarks("decision_tree", "Significance tests: CHAID and QUEST")
    weighted = brentq(difference, 2, 9, args=([3 / 7, 4 / 7],))
    assert f"threshold is **{weighted:.2f}**" in text
    assert brentq(difference, 2, 9, args=([1, 1],)) == pytest.approx(4.287, abs=5e-4)


def test_variance_of_one_neighbour_does_not_fall_with_more_rows():
    def variance(n):
        places = np.sort(RNG.uniform(size=(4000, n)), axis=1)
        nearest = np.abs(places - 0.5).argmin(axis=1)
        location = places[np.arange(4000), nearest]
        return np.var(np.sin(6 * location) + 0.5 * RNG.normal(size=4000))

    assert variance(320) == pytest.approx(0.25, rel=0.1)
    assert variance(20) > variance(320)


def test_the_price_of_a_square_falls_ever_more_slowly():
    column, target = np.array([[-1.0], [0], [1]]), np.array([-1.0, 0, 1])
    b = Ridge(alpha=1000.0).fit(column, target).coef_[0]
    assert 0 < b < 0.01
    assert "its slope 2λb goes to 0" in remarks("ridge_lasso", "Answers")


def test_matching_and_jaccard_are_equal_without_a_common_absence_or_for_equal_sets():
    for a, b in product(product((0, 1), repeat=3), repeat=2):
        cells = Counter(zip(a, b, strict=True))
        differing = cells[0, 1] + cells[1, 0]
        if differing + cells[1, 1] == 0:
            continue
        matching, jaccard = 1 - differing / 3, cells[1, 1] / (cells[1, 1] + differing)
        assert (matching == pytest.approx(jaccard)) == (cells[0, 0] == 0 or a == b)


def test_slack_over_the_length_of_w_is_the_distance_beyond_the_edge():
    machine = SVC(C=0.3, kernel="linear").fit(X[:, :2], SIGNS)
    w, b = machine.coef_[0], machine.intercept_[0]
    scores = SIGNS * (X[:, :2] @ w + b)
    beyond = scores < 1
    # The edge of a row's class is the line f(x) = y.
    edge = np.abs(X[beyond, :2] @ w + b - SIGNS[beyond]) / np.linalg.norm(w)
    assert edge == pytest.approx((1 - scores[beyond]) / np.linalg.norm(w))


def test_medoid_and_row_nearest_to_the_mean_differ():
    rows = np.array([[0.0], [0], [1], [4], [10]])
    medoid = KMedoids(1).fit(rows)
    nearest = rows[np.abs(rows - rows.mean()).argmin()]
    text = remarks("kmedoids", "The objective")
    assert f"the mean is {rows.mean():.0f}: the nearest row is **{nearest[0]:.0f}**" in text
    assert f"sum to {np.abs(rows - nearest).sum():.0f}" in text
    assert (
        f"the medoid is **{medoid.cluster_centers_[0, 0]:.0f}**, with {medoid.inertia_:.0f}" in text
    )


def test_wiener_index_as_a_sum_and_as_a_mean():
    graph = nx.path_graph(5)
    n = len(graph)
    mean = 2 * nx.wiener_index(graph) / (n * (n - 1))
    assert mean == pytest.approx(nx.average_shortest_path_length(graph))
    assert "2W / (n(n-1))" in remarks("graphs_similarity", "Shortest paths: Floyd and Warshall")


# Support vector machines


def test_conditions_of_karush_kuhn_and_tucker_hold_at_the_solution():
    rows, C = X[:, :2], 0.5
    machine = SVC(C=C, kernel="linear", tol=1e-8).fit(rows, SIGNS)
    alpha_y = np.zeros(len(rows))
    alpha_y[machine.support_] = machine.dual_coef_[0]
    alpha, w = alpha_y * SIGNS, alpha_y @ rows
    scores = SIGNS * (rows @ w + machine.intercept_[0])
    slack = np.maximum(0, 1 - scores)
    assert w == pytest.approx(machine.coef_[0])
    assert alpha_y.sum() == pytest.approx(0, abs=1e-9)
    assert alpha * (scores - 1 + slack) == pytest.approx(0, abs=1e-5)
    assert (C - alpha) * slack == pytest.approx(0, abs=1e-5)
    dual = alpha.sum() - w @ w / 2
    assert dual == pytest.approx(w @ w / 2 + C * slack.sum(), rel=1e-5)
    hinge = np.maximum(0, 1 - scores).sum() + w @ w / (2 * C)
    assert hinge == pytest.approx(dual / C, rel=1e-5)


def test_intercept_of_a_hard_margin_lies_half_way():
    rows = np.array([[3.0, 3], [4, 3], [1, 1]])
    signs = np.array([1, 1, -1])
    machine = SVC(C=np.inf, kernel="linear").fit(rows, signs)
    products = rows @ machine.coef_[0]
    half_way = -(products[signs < 0].max() + products[signs > 0].min()) / 2
    assert half_way == pytest.approx(machine.intercept_[0], abs=1e-3)


def test_losses_of_the_table():
    text = remarks("svm", "As a penalty: the hinge loss")
    margins = 2, 0, -1
    assert "| 0/1 | $[m \\le 0]$ | 0 | 1 | 1 |" in text
    hinge = " | ".join(f"{max(0, 1 - m)}" for m in margins)
    logistic = " | ".join(f"{log(1 + np.exp(-m)):.3f}" for m in margins)
    assert f"| {hinge} |" in text
    assert f"| {logistic} |" in text


def test_multipliers_of_the_nu_machine_are_those_of_its_primal_problem_times_n():
    """At the optimum the primal objective, in the scale of the lesson, is minus half of w'w."""
    rows, nu, n = X[:, :2], 0.5, len(X)
    machine = NuSVC(nu=nu, kernel="linear", tol=1e-8).fit(rows, SIGNS)
    w, b = machine.coef_[0], machine.intercept_[0]
    # The solution is divided by rho, so its edges are at 1; undone, multipliers are at most 1 / n.
    rho = 1 / np.abs(machine.dual_coef_).max() / n
    scores = SIGNS * (rows @ w + b) * rho
    slack = np.maximum(0, rho - scores)
    primal = rho**2 * (w @ w) / 2 - nu * rho + slack.mean()
    assert primal == pytest.approx(-(rho**2) * (w @ w) / 2, rel=1e-3)


# Regression and components


def test_least_squares_is_a_stationary_point_and_the_likeliest():
    terms = np.c_[np.ones(40), X]
    b = np.r_[(model := LinearRegression().fit(X, Y)).intercept_, model.coef_]
    assert terms.T @ (Y - terms @ b) == pytest.approx(0, abs=1e-8)

    def likelihood(b):
        return stats.norm.logpdf(Y, terms @ b, 1.3).sum()

    assert all(likelihood(b) > likelihood(b + 0.01 * step) for step in RNG.normal(size=(20, 4)))


def test_formulas_of_one_column():
    x, n = X[:, 0], 40
    fit = stats.linregress(x, Y)
    assert fit.slope == pytest.approx(fit.rvalue * Y.std() / x.std())
    t = fit.rvalue * sqrt((n - 2) / (1 - fit.rvalue**2))
    assert t == pytest.approx(fit.slope / fit.stderr)
    sxx = ((x - x.mean()) ** 2).sum()
    s = sqrt(((Y - fit.intercept - fit.slope * x) ** 2).sum() / (n - 2))
    assert fit.intercept_stderr == pytest.approx(s * sqrt(1 / n + x.mean() ** 2 / sxx))


@pytest.mark.parametrize(("n", "r"), [(10, 0.63), (100, 0.2)])
def test_correlations_at_the_five_percent_limit(n, r):
    t = stats.t.ppf(0.975, n - 2)
    assert t / sqrt(n - 2 + t**2) == pytest.approx(r, abs=0.005)
    assert f"{r:g}" in remarks("data_overview", "The spread")


@pytest.mark.parametrize("wide", [False, True])
def test_ridge_shrinks_along_singular_vectors(wide):
    columns = RNG.normal(size=(5, 8)) if wide else X
    columns = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    y = RNG.normal(size=len(columns))
    y -= y.mean()
    U, s, Vt = np.linalg.svd(columns, full_matrices=False)
    b = Vt.T @ (s / (s**2 + 2.0) * (U.T @ y))
    assert b == pytest.approx(
        np.linalg.solve(columns.T @ columns + 2 * np.eye(columns.shape[1]), columns.T @ y)
    )
    assert Ridge(alpha=2.0).fit(columns, y).coef_ == pytest.approx(b, abs=1e-8)


def test_components_make_the_covariance_matrix_diagonal():
    centring = np.eye(40) - np.ones((40, 40)) / 40
    assert centring @ centring == pytest.approx(centring)
    S = X.T @ centring @ X / 39
    assert pytest.approx(np.cov(X.T)) == S
    U = PCA(3).fit(X).components_.T
    diagonal = U.T @ S @ U
    assert diagonal == pytest.approx(np.diag(np.diag(diagonal)), abs=1e-9)


# Graphs and mixtures


def test_cuts_are_traces_and_eigenvalues_bound_them():
    graph = nx.karate_club_graph()
    W = nx.to_numpy_array(graph)
    D = np.diag(W.sum(axis=0))
    L = D - W
    sides = np.array([graph.nodes[node]["club"] == "Officer" for node in graph])
    C = np.c_[sides, ~sides].astype(float)
    cut = W[sides][:, ~sides].sum()
    assert np.diag(C.T @ L @ C) == pytest.approx(cut)
    for weights, names in (np.eye(len(W)), "size"), (D, "volume"):
        X = C / np.sqrt(np.diag(C.T @ weights @ C))
        assert X.T @ weights @ X == pytest.approx(np.eye(2), abs=1e-12), names
        objective = sum(cut / np.diag(C.T @ weights @ C)) / 2
        assert np.trace(X.T @ L @ X) / 2 == pytest.approx(objective)
        assert eigh(L, weights, eigvals_only=True)[:2].sum() / 2 <= objective


def test_more_components_than_clusters_may_be_used():
    points = np.r_[X, X + 8]
    model = SpectralClustering(2, n_components=3, random_state=0).fit(points)
    assert sorted(np.bincount(model.labels_)) == [40, 40]


def test_the_bound_of_em_is_the_likelihood_less_a_divergence():
    model = GaussianMixture(2, random_state=0).fit(X)
    joint = np.stack(
        [
            np.log(weight) + stats.multivariate_normal.logpdf(X, mean, covariance)
            for weight, mean, covariance in zip(
                model.weights_, model.means_, model.covariances_, strict=True
            )
        ],
        axis=1,
    )
    posterior = model.predict_proba(X)
    r = RNG.dirichlet([1, 1], size=40)
    bound = (r * (joint - np.log(r))).sum()
    likelihood = np.logaddexp(*joint.T).sum()
    assert bound == pytest.approx(likelihood - (r * np.log(r / posterior)).sum())


# Trees and ensembles


def test_twoing_is_half_the_gini_gain_for_two_classes():
    branches = RNG.integers(1, 20, size=(2, 2, 50)).astype(float)
    twoing = CRITERIA["twoing"].score(branches, 0.0)
    assert twoing == pytest.approx(CRITERIA["gini"].score(branches, 0.0) / 2)


@pytest.mark.parametrize(("name", "largest"), [("gini", 0.8), ("error", 0.8), ("entropy", log2(5))])
def test_largest_impurities(name, largest):
    assert impurity(np.ones(5), name) == pytest.approx(largest)
    assert (impurity(RNG.integers(0, 9, size=(5, 50)), name) <= largest + 1e-12).all()


def test_criteria_of_the_table():
    branches = np.array([[8.0, 2.0], [3.0, 7.0]])
    (first, second), n = (branches / branches.sum(axis=0)).T, branches.sum()
    score = {
        name: float(criterion.score(branches[..., None], 0.0)[0])
        for name, criterion in CRITERIA.items()
    }
    assert score["g2"] == pytest.approx(2 * n * log(2) * score["entropy"])
    assert score["g2"] == pytest.approx(
        stats.chi2_contingency(branches, correction=False, lambda_="log-likelihood").statistic
    )
    assert score["chi2"] == pytest.approx(
        stats.chi2_contingency(branches, correction=False).statistic
    )
    assert score["distance"] == pytest.approx(
        score["entropy"] / impurity(branches.ravel(), "entropy")
    )
    assert score["ks"] == pytest.approx(abs(first - second).sum() / 2)
    cosine = branches[0] @ branches[1] / np.linalg.norm(branches, axis=1).prod()
    assert score["ort"] == pytest.approx(1 - cosine)


@pytest.mark.parametrize("n", [1000, 8])
def test_code_lengths_of_two_trees(n):
    lengths = [
        inner * ceil(log2(16)) + leaves * ceil(log2(3)) + errors * ceil(log2(n))
        for inner, leaves, errors in ((2, 3, 7), (4, 5, 4))
    ]
    text = remarks("tree_pruning", "Bits, sizes, chance")
    small, large = lengths
    bold = f"= **{small}** bits" in text and f"= **{large}** and" in text
    assert bold or f"they take {small} and {large}" in text


def test_the_product_of_normalisers_is_the_mean_exponential_loss():
    model = AdaBoostClassifier(n_estimators=5).fit(X, SIGNS)
    total, bound = np.zeros(40), 1.0
    weights = np.full(40, 1 / 40)
    for tree in model.estimators_:
        predictions = tree.predict(X).astype(int)
        error = weights[predictions != SIGNS].sum()
        alpha = log((1 - error) / error) / 2
        weights = weights * np.exp(-alpha * SIGNS * predictions)
        bound *= (normaliser := weights.sum())
        assert normaliser == pytest.approx(2 * sqrt(error * (1 - error)))
        weights /= normaliser
        total += alpha * predictions
    assert np.exp(-SIGNS * total).mean() == pytest.approx(bound)
    assert (SIGNS * total <= 0).mean() <= bound


# Probabilities


def test_harmonic_mean_of_the_lesson():
    y = np.r_[np.ones(10), np.zeros(90)]
    text = remarks("classifier_metrics", "Two classes, four cells")
    assert f"F1 is **{f1_score(y, np.ones(100)):.3f}**" in text


def test_expected_losses_split_as_told():
    true, predicted = RNG.dirichlet(np.ones(4), size=2)
    quadratic = sum(share * ((predicted - np.eye(4)[k]) ** 2).sum() for k, share in enumerate(true))
    assert quadratic == pytest.approx(((predicted - true) ** 2).sum() + 1 - (true**2).sum())
    informational = -(true * np.log2(predicted)).sum()
    divergence = (true * np.log2(true / predicted)).sum()
    assert informational == pytest.approx(divergence + impurity(true, "entropy"))


def test_a_hundred_tests_of_nothing():
    text = remarks("association_rules", "Could it be chance?")
    assert f"**{1 - 0.95**100:.3f}**" in text


def test_m_estimate_is_the_most_probable_share():
    counts, m, p = np.array([3.0, 0, 2]), 3.0, np.full(3, 1 / 3)
    estimate = (counts + m * p) / (counts.sum() + m)

    def log_posterior(shares):
        return ((counts + m * p) * np.log(shares)).sum()

    assert all(
        log_posterior(estimate) >= log_posterior(shares)
        for shares in RNG.dirichlet(np.ones(3), size=200)
    )


def test_losses_by_sign_and_by_likelihood_are_one():
    model = LogisticRegression(C=np.inf).fit(X, SIGNS)
    scores = model.decision_function(X)
    by_sign = np.log1p(np.exp(-SIGNS * scores)).sum()
    probability = model.predict_proba(X)[np.arange(40), (SIGNS > 0).astype(int)]
    assert by_sign == pytest.approx(-np.log(probability).sum())
    expected = model.predict_proba(X)[:, 1] @ X
    assert (SIGNS > 0) @ X == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("separable", [False, True])
def test_a_linear_programme_detects_separation(separable):
    signs = np.where(X[:, 0] > 0, 1, -1) if separable else SIGNS
    terms = signs[:, None] * np.c_[np.ones(40), X]
    programme = linprog(np.zeros(4), A_ub=-terms, b_ub=-np.ones(40), bounds=(None, None))
    assert programme.success == separable


def test_three_units_compute_xor():
    text = remarks("mlp", "What one hidden layer can do")
    assert "$h_1 = [x_1 + x_2 > 0.5]$, $h_2 = [x_1 + x_2 > 1.5]$" in text
    for first, second in product((0, 1), repeat=2):
        h_1, h_2 = first + second > 0.5, first + second > 1.5
        assert (h_1 - int(h_2) > 0.5) == (first != second)


def test_optimism_of_a_fit_is_twice_the_variance_for_each_coefficient():
    terms = np.c_[np.ones(40), X]
    hat = terms @ np.linalg.pinv(terms)
    noise, fresh = RNG.normal(size=(2, 20000, 40))
    fitted = noise @ hat
    optimism = ((fresh - fitted) ** 2 - (noise - fitted) ** 2).sum(axis=1).mean()
    assert optimism == pytest.approx(2 * 4, rel=0.1)
