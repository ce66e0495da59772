"""Discriminant analysis in words and numbers: means, covariances, discriminants and posterior."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_ledger import prior_text, table_by_class
from dmlib.classification.discriminant import Discriminant, DiscriminantStep, alike
from dmlib.classification.lda_classifier.diagonal import DiagonalDiscriminantAnalysis
from dmlib.classification.lda_classifier.equality import box_m
from dmlib.classification.lda_classifier.quadratic import (
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, short, signed, upper_first
from dmlib.problem import Problem, Query

MAX_COLUMNS = 4  # of a matrix that is written out
MAX_TERMS = 5  # of a sum
MAX_CLASSES = 4  # whose sums are written out
ROUNDING = 1e-12  # share of the scores up to which two are equal


class Narrator:
    """Captions and ledgers of discriminant analysis.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : Discriminant
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    last : DiscriminantStep
        The last step of the fit.
    """

    def __init__(
        self, problem: Problem, model: Discriminant, query: Query, last: DiscriminantStep
    ) -> None:
        self.problem = problem
        self.model = model
        self.query = query
        self.names = [problem.classes[code] for code in model.classes_]
        self.posterior: Floats = model.predict_proba(problem.table(query.x[None]))[0]
        self.linear = alike(last.matrices)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DiscriminantStep = moment.step
        narrate = {
            "mean": self._mean,
            "covariance": self._covariance,
            "pool": self._pool,
            "regularise": self._regularise,
            "discriminant": self._discriminant,
            "done": self._done,
        }
        return narrate[step.phase](step)

    # --- estimating -------------------------------------------------------------------------------

    def _mean(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        counts = step.counts
        total = counts.sum()
        features = self.problem.features[:MAX_COLUMNS]
        columns: dict[str, Iterable[Any]] = {"rows": counts, "prior": step.priors}
        columns |= {f"mean {name}": step.means[:, j] for j, name in enumerate(features)}
        is_set = self.model.priors is not None
        formulas = []
        for k, name in enumerate(self.names[:MAX_CLASSES]):
            n, mean = counts[k], step.means[k, 0]
            prior = prior_text("prior", n, total, step.priors[k], is_set=is_set)
            formulas.append(
                f"{name}: {prior}; mean of {features[0]} = {num(mean * n)} / {n} = {num(mean)}"
            )
        source = "set, whatever its rows" if is_set else "its fraction of the training set"
        return f"Each class has a mean, and a prior: {source}.", [
            self._by_class(columns, "Means and priors"),
            *map(Formula, formulas),
        ]

    def _covariance(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        k = step.index or 0
        name, n, mean, matrix = self.names[k], step.counts[k], step.means[k], step.singles[-1]
        i, j = self._pair
        first, second = self.problem.features[i], self.problem.features[j]
        deviations = np.sqrt(np.diag(matrix))
        caption = f"{name}: the standard deviation of {first} is {deviations[i]:.4g}."
        if i == j:
            caption = caption.replace("-", "−")
        else:
            r = matrix[i, j] / (deviations[i] * deviations[j]) if deviations[[i, j]].all() else 0.0
            caption = (
                f"{name}: the standard deviations of {first} and {second} are "
                f"{deviations[i]:.4g} and {deviations[j]:.4g}, their correlation is {r:.3g}."
            )
        product = f"Σ (x − {signed(mean[i])})(y − {signed(mean[j])}) / n"
        quotient = f"{num(matrix[i, j] * n)} / {n}"
        return caption, [
            self._matrix(matrix, f"Covariance matrix of {name}"),
            Formula(f"s({first}, {second}) = {product} = {quotient} = {num(matrix[i, j])}"),
        ]

    def _pool(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        assert step.pooled is not None
        i, j = self._pair
        total = step.counts.sum()
        terms = [
            f"{n} / {total} · {signed(matrix[i, j])}"
            for n, matrix in zip(step.counts, step.singles, strict=True)
        ]
        name = f"s({self.problem.features[i]}, {self.problem.features[j]})"
        ledger: Blocks = [
            self._matrix(step.pooled, "Pooled covariance matrix"),
            Formula(f"{name} = {abridged(terms, MAX_TERMS)} = {num(step.pooled[i, j])}"),
        ]
        test = box_m(step.singles, step.counts)
        if test is not None:
            ledger.append(Formula(test.sentence))
        consequence = ", so that the boundaries are straight" if self.linear else ""
        return (
            f"Pool: the covariance matrices are averaged, each weighted by its rows{consequence}.",
            ledger,
        )

    def _regularise(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        i, j = self._pair
        own = np.array(step.singles)
        used = np.array(step.matrices)
        first, second = self.problem.features[i], self.problem.features[j]
        columns: dict[str, Iterable[Any]] = {
            f"var({first})": own[:, i, i],
            f"s({first}, {second})": own[:, i, j],
            "var, used": used[:, i, i],
            "s, used": used[:, i, j],
        }
        caption, formulas = self._regularisation(step)
        return caption, [
            self._by_class(columns, "Class matrices, and those that are used"),
            *map(Formula, formulas),
        ]

    def _regularisation(self, step: DiscriminantStep) -> tuple[str, list[str]]:
        """Return how the matrices are regularised, as a sentence and in formulas."""
        model = self.model
        if isinstance(model, DiagonalDiscriminantAnalysis):
            caption = (
                "Diagonal: all covariances are set to 0, as if "
                "the columns were independent within the classes."
            )
            return caption, ["Σ = diag(variances)"]
        if isinstance(model, RegularizedDiscriminantAnalysis):
            gamma = model.gamma
            own = (1 - model.pooling) * step.counts[0]
            pooled = model.pooling * step.counts.sum()
            mixed = f"({num(own)} S_k + {num(pooled)} S) / {num(own + pooled)}"
            shrunk = "each S_k as Ledoit and Wolf estimate it"
            if not isinstance(gamma, str):
                d = len(step.matrices[0])
                shrunk = f"Σ = (1 − {gamma:g}) Σ(λ) + {gamma:g} tr(Σ(λ)) / {d} · I"
            caption = (
                f"Regularise: matrices are pooled by λ = {model.pooling:g} "
                f"and shrunk by γ = {gamma}."
            )
            return caption, [
                f"Σ(λ) = ((1 − λ) n S_k + λ N S) / ((1 − λ) n + λ N); {self.names[0]}: {mixed}",
                shrunk,
            ]
        if isinstance(model, QuadraticDiscriminantAnalysis) and model.reg_param:
            share = f"{model.reg_param:g}"
            caption = f"Regularise: every matrix is shrunk towards the identity by {share}."
            return caption, [f"Σ = (1 − {share}) S + {share} I"]
        caption = (
            "Shrink: the covariances are shrunk towards 0, and the variances towards their mean."
        )
        return caption, ["Σ = (1 − γ) S + γ tr(S) / d · I"]

    # --- the discriminants ------------------------------------------------------------------------

    def _discriminant(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        assert step.index is not None
        assert step.weights is not None
        assert step.constants is not None
        k = step.index
        w, b = step.weights[k], float(step.constants[k])
        weights = abridged([f"{value:.4g}".replace("-", "−") for value in w], 3, ", ")
        quadratic = "" if self.linear else " − ½ x′Σ⁻¹x"
        caption = (
            f"{self.names[k]}: the discriminant w′x + b{quadratic} "
            f"has w = ({weights}) and b = {short(b):g}."
        )
        head = ("column", "mean μ", "w = Σ⁻¹ μ")
        rows = list(zip(self.problem.features, step.means[k], w, strict=True))
        return caption.replace("b = -", "b = −"), [
            short_table(head, rows, f"Discriminant of {self.names[k]}", max_rows=8),
            self._matrix(step.inverses[k], "Inverse matrix Σ⁻¹"),
            Formula(self._weight(step, k)),
            Formula(self._constant(step, k)),
            Formula(self._score(step, k)),
        ]

    def _weight(self, step: DiscriminantStep, k: int) -> str:
        pairs = zip(step.inverses[k][0], step.means[k], strict=True)
        terms = [f"{signed(a)} · {signed(m)}" for a, m in pairs]
        assert step.weights is not None
        weight = num(step.weights[k, 0])
        return f"w({self.problem.features[0]}) = {abridged(terms, MAX_TERMS)} = {weight}"

    def _constant(self, step: DiscriminantStep, k: int) -> str:
        assert step.weights is not None
        assert step.constants is not None
        prior = num(step.priors[k])
        square = signed(step.means[k] @ step.weights[k])
        b = num(step.constants[k])
        if self.linear:
            return f"b = ln π − ½ μ′w = ln {prior} − ½ · {square} = {b}"
        log_det = signed(np.linalg.slogdet(step.matrices[k])[1])
        numbers = f"ln {prior} − ½ · {log_det} − ½ · {square}"
        return f"b = ln π − ½ ln |Σ| − ½ μ′w = {numbers} = {b}"

    def _score(self, step: DiscriminantStep, k: int) -> str:
        assert step.weights is not None
        assert step.constants is not None
        x = self.query.x
        pairs = zip(step.weights[k], x, strict=True)
        terms = [f"{signed(weight)} · {signed(value)}" for weight, value in pairs]
        text = f"{self.problem.name(self.query)}: {abridged(terms, MAX_TERMS)}"
        text += f" + {signed(step.constants[k])}"
        if not self.linear:
            text += f" − ½ · {signed(x @ step.inverses[k] @ x)}"
        return f"{text} = {num(self._scores(step)[k])}"

    def _scores(self, step: DiscriminantStep) -> Floats:
        """Return the scores of the query by the discriminants so far."""
        assert step.weights is not None
        assert step.constants is not None
        x = self.query.x
        scores: Floats = step.weights @ x + step.constants
        if not self.linear:
            scores = scores - np.array([x @ inverse @ x for inverse in step.inverses]) / 2
        return scores

    def _done(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        scores = self._scores(step)
        posterior = self.posterior
        order = np.argsort(-posterior, kind="stable")
        first, second = int(order[0]), int(order[1])
        name = self.problem.name(self.query)
        probability = f"{posterior[first]:.4g}"
        if posterior[first] > 0.99995:
            probability = "more than 0.9999"
        shape = "straight" if self.linear else "curved"
        caption = (
            f"{upper_first(name)} is predicted {self.names[first]}, with probability "
            f"{probability}; the boundaries are {shape}. {step.reason}"
        )
        best = float(scores[first])
        gap = best - float(scores[second])
        if gap <= ROUNDING * abs(best):
            gap = 0.0
        log_odds = f"{num(best)} − {signed(scores[second])} = {num(gap)}"
        columns: dict[str, Iterable[Any]] = {"score": scores, "P": posterior}
        return caption.strip(), [
            self._by_class(columns, f"Posterior of {name}", first),
            Formula(f"ln P({self.names[first]}) / P({self.names[second]}) = {log_odds}"),
            Formula(self._softmax(scores, first)),
            Formula(self._boundary(step, first, second)),
            query_table(self.problem, self.query),
            error_table(self.problem, self.model),
        ]

    def _softmax(self, scores: Floats, first: int) -> str:
        gaps = np.delete(scores, first) - scores[first]
        terms = abridged([f"e^{signed(gap)}" for gap in gaps], MAX_TERMS)
        return f"P({self.names[first]}) = 1 / (1 + {terms}) = {num(self.posterior[first])}"

    def _boundary(self, step: DiscriminantStep, first: int, second: int) -> str:
        """Return the equation of the places where the two most probable classes tie."""
        names = f"{self.names[first]} and {self.names[second]} tie where"
        if not self.linear:
            equation = "−½ x′(Σ₁⁻¹ − Σ₂⁻¹)x + (w₁ − w₂)′x + (b₁ − b₂) = 0"
            return f"{names} {equation}: a conic, since the matrices differ"
        assert step.weights is not None
        assert step.constants is not None
        w = step.weights[first] - step.weights[second]
        b = step.constants[first] - step.constants[second]
        terms = [f"{signed(a)} · {name}" for a, name in zip(w, self.problem.features, strict=True)]
        equation = f"{abridged(terms, MAX_TERMS)} + {signed(b)} = 0"
        return f"{names} {equation}: −½ x′Σ⁻¹x is the same in both, and cancels"

    # --- parts ------------------------------------------------------------------------------------

    @property
    def _pair(self) -> tuple[int, int]:
        """The two columns that are written out: those of the picture, or the first."""
        axes = self.problem.plane.basis
        columns = [int(np.flatnonzero(axis)[0]) for axis in axes if (axis != 0).sum() == 1]
        if len(columns) == 2:
            return columns[0], columns[1]
        return (0, 1) if len(self.problem.features) > 1 else (0, 0)

    def _matrix(self, matrix: Floats, title: str) -> LedgerTable:
        names = self.problem.features[:MAX_COLUMNS]
        rows: list[list[Cell]] = [
            [name, *map(float, line[: len(names)])]
            for name, line in zip(names, matrix, strict=False)
        ]
        if len(matrix) > MAX_COLUMNS:
            title += f" (the first {MAX_COLUMNS} of {len(matrix)} columns)"
        return LedgerTable(("", *names), rows, title)

    def _by_class(
        self, columns: dict[str, Iterable[Any]], title: str, best: int | None = None
    ) -> LedgerTable:
        return table_by_class(self.problem, self.model.classes_, columns, title, best=best)
