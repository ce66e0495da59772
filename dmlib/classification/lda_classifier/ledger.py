"""Discriminant analysis in words and numbers: means, covariance matrices, discriminants and posterior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep, alike
from dmlib.classification.lda_classifier.equality import box_m
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, few, short_table
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
    model : classifier
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    last : DiscriminantStep
        The last step of the fit.
    """

    def __init__(self, problem: Problem, model: Any, query: Query, last: DiscriminantStep) -> None:
        self.problem, self.model, self.query = problem, model, query
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
        features = self.problem.features[:MAX_COLUMNS]
        rows = [
            (int(n), float(prior), *map(float, mean[: len(features)]))
            for n, prior, mean in zip(step.counts, step.priors, step.means, strict=True)
        ]
        name, total = self.problem.features[0], step.counts.sum()
        sums = [
            Formula(
                f"{self.names[k]}: prior {step.counts[k]} / {total} = {num(step.priors[k])}; "
                f"mean of {name} = {num(step.means[k, 0] * step.counts[k])} / "
                f"{step.counts[k]} = {num(step.means[k, 0])}"
            )
            for k in range(min(len(self.names), MAX_CLASSES))
        ]
        table = self._by_class(
            ("rows", "prior", *(f"mean {name}" for name in features)), rows, "Means and priors"
        )
        return "Each class has a mean, and a prior: its fraction of the training set.", [
            table,
            *sums,
        ]

    def _covariance(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        k, n = step.index or 0, int(step.counts[step.index or 0])
        matrix, mean = step.singles[-1], step.means[k]
        deviations = np.sqrt(np.diag(matrix))
        i, j = self._pair
        first, second = self.problem.features[i], self.problem.features[j]
        caption = f"{self.names[k]}: the standard deviation of {first} is {deviations[i]:.4g}."
        if i != j:
            r = matrix[i, j] / (deviations[i] * deviations[j]) if deviations[[i, j]].all() else 0.0
            caption = (
                f"{self.names[k]}: the standard deviations of {first} and {second} are "
                f"{deviations[i]:.4g} and {deviations[j]:.4g}, their correlation is {r:.3g}."
            )
        total = float(matrix[i, j] * n)
        product = f"Σ (x − {signed(mean[i])})(y − {signed(mean[j])}) / n"
        return caption.replace("-", "−") if i == j else caption, [
            self._matrix(matrix, f"Covariance matrix of {self.names[k]}"),
            Formula(f"s({first}, {second}) = {product} = {num(total)} / {n} = {num(matrix[i, j])}"),
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
            Formula(f"{name} = {few(terms, MAX_TERMS)} = {num(step.pooled[i, j])}"),
        ]
        test = box_m(step.singles, step.counts)
        if test is not None:
            ledger.append(Formula(test.sentence))
        ending = ", so that the boundaries are straight" if self.linear else ""
        return (
            f"Pool: the covariance matrices are averaged, each weighted by its rows{ending}.",
            ledger,
        )

    def _regularise(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        i, j = self._pair
        rows = [
            (float(own[i, i]), float(own[i, j]), float(used[i, i]), float(used[i, j]))
            for own, used in zip(step.singles, step.matrices, strict=True)
        ]
        first, second = self.problem.features[i], self.problem.features[j]
        head = (f"var({first})", f"s({first}, {second})", "var, used", "s, used")
        caption, formulas = self._regularisation(step)
        return caption, [
            self._by_class(head, rows, "Class matrices, and those that are used"),
            *map(Formula, formulas),
        ]

    def _regularisation(self, step: DiscriminantStep) -> tuple[str, list[str]]:
        """Return how the matrices of the classes become those of the discriminants, in words and in symbols."""
        model = self.model
        if hasattr(model, "pooled"):
            caption = (
                "Diagonal: all covariances are set to 0, as if "
                "the columns were independent within the classes."
            )
            return caption, ["Σ = diag(variances)"]
        if hasattr(model, "pooling"):
            n, total, pooling = int(step.counts[0]), int(step.counts.sum()), model.pooling
            own, pooled = (1 - pooling) * n, pooling * total
            mixed = f"({num(own)} S_k + {num(pooled)} S) / {num(own + pooled)}"
            formula = (
                f"Σ(λ) = ((1 − λ) n S_k + λ N S) / ((1 − λ) n + λ N); {self.names[0]}: {mixed}"
            )
            shrunk = "each S_k as Ledoit and Wolf estimate it"
            if model.gamma != "auto":
                shrunk = (
                    f"Σ = (1 − {model.gamma:g}) Σ(λ) + {model.gamma:g} "
                    f"tr(Σ(λ)) / {len(step.matrices[0])} · I"
                )
            return (
                (
                    "Regularise: matrices are pooled by λ = "
                    f"{pooling:g} and shrunk by γ = {model.gamma}."
                ),
                [formula, shrunk],
            )
        if getattr(model, "reg_param", 0):
            share = model.reg_param
            return f"Regularise: every matrix is shrunk towards the identity by {share:g}.", [
                f"Σ = (1 − {share:g}) S + {share:g} I"
            ]
        return (
            "Shrink: the covariances are shrunk towards 0, and the variances towards their mean.",
            ["Σ = (1 − γ) S + γ tr(S) / d · I"],
        )

    # --- the discriminants ------------------------------------------------------------------------

    def _discriminant(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        assert step.index is not None
        assert step.weights is not None
        assert step.constants is not None
        k = step.index
        w, b = step.weights[k], float(step.constants[k])
        weights = few([f"{value:.4g}".replace("-", "−") for value in w], 3, ", ")
        quad = "" if self.linear else " − ½ x′Σ⁻¹x"
        caption = (
            f"{self.names[k]}: the discriminant w′x + b{quad} "
            f"has w = ({weights}) and b = {short(b):g}."
        )
        rows = [
            (name, float(m), float(each))
            for name, m, each in zip(self.problem.features, step.means[k], w, strict=True)
        ]
        return caption.replace("b = -", "b = −"), [
            short_table(
                ("column", "mean μ", "w = Σ⁻¹ μ"), rows, f"Discriminant of {self.names[k]}", most=8
            ),
            self._matrix(step.inverses[k], "Inverse matrix Σ⁻¹"),
            Formula(self._weight(step, k)),
            Formula(self._constant(step, k)),
            Formula(self._score(step, k)),
        ]

    def _weight(self, step: DiscriminantStep, k: int) -> str:
        pairs = zip(step.inverses[k][0], step.means[k], strict=True)
        terms = [f"{signed(a)} · {signed(m)}" for a, m in pairs]
        assert step.weights is not None
        return (
            f"w({self.problem.features[0]}) = {few(terms, MAX_TERMS)} = {num(step.weights[k, 0])}"
        )

    def _constant(self, step: DiscriminantStep, k: int) -> str:
        assert step.weights is not None
        assert step.constants is not None
        square = float(step.means[k] @ step.weights[k])
        prior, b = num(step.priors[k]), num(step.constants[k])
        if self.linear:
            return f"b = ln π − ½ μ′w = ln {prior} − ½ · {signed(square)} = {b}"
        spread = float(np.linalg.slogdet(step.matrices[k])[1])
        return (
            f"b = ln π − ½ ln |Σ| − ½ μ′w = ln {prior} − ½ · "
            f"{signed(spread)} − ½ · {signed(square)} = {b}"
        )

    def _score(self, step: DiscriminantStep, k: int) -> str:
        assert step.weights is not None
        assert step.constants is not None
        x, w, b = self.query.x, step.weights[k], float(step.constants[k])
        terms = [f"{signed(a)} · {signed(value)}" for a, value in zip(w, x, strict=True)]
        text = f"{self.problem.name(self.query)}: {few(terms, MAX_TERMS)} + {signed(b)}"
        if not self.linear:
            text += f" − ½ · {signed(x @ step.inverses[k] @ x)}"
        return f"{text} = {num(self._scores(step)[k])}"

    def _scores(self, step: DiscriminantStep) -> list[float]:
        """Return the scores of the query by the discriminants so far."""
        assert step.weights is not None
        assert step.constants is not None
        x = self.query.x
        bent = [0.0 if self.linear else float(x @ inverse @ x) / 2 for inverse in step.inverses]
        return [
            float(w @ x + b - q) for w, b, q in zip(step.weights, step.constants, bent, strict=True)
        ]

    def _done(self, step: DiscriminantStep) -> tuple[str, Blocks]:
        scores, posterior = np.array(self._scores(step)), self.posterior
        order = np.argsort(-posterior, kind="stable")
        first, second = int(order[0]), int(order[1])
        name = self.problem.name(self.query)
        sure = "more than 0.9999" if posterior[first] > 0.99995 else f"{posterior[first]:.4g}"
        kind = "straight" if self.linear else "curved"
        caption = (
            f"{upper_first(name)} is predicted {self.names[first]}, with "
            f"probability {sure}; the boundaries are {kind}. {step.reason}"
        )
        rows = [(float(s), float(p)) for s, p in zip(scores, posterior, strict=True)]
        best, next_best = float(scores[first]), float(scores[second])
        gap = best - next_best if best - next_best > ROUNDING * abs(best) else 0.0
        odds = f"{num(best)} − {signed(next_best)} = {num(gap)}"
        return caption.strip(), [
            self._by_class(("score", "P"), rows, f"Posterior of {name}", first),
            Formula(f"ln P({self.names[first]}) / P({self.names[second]}) = {odds}"),
            Formula(self._softmax(scores, first)),
            Formula(self._boundary(step, first, second)),
            query_table(self.problem, self.query),
            error_table(self.problem, self.model),
        ]

    def _softmax(self, scores: Floats, first: int) -> str:
        gaps = np.delete(scores, first) - scores[first]
        terms = few([f"e^{signed(gap)}" for gap in gaps], MAX_TERMS)
        return f"P({self.names[first]}) = 1 / (1 + {terms}) = {num(self.posterior[first])}"

    def _boundary(self, step: DiscriminantStep, first: int, second: int) -> str:
        """Write out where the two most probable classes tie."""
        names = f"{self.names[first]} and {self.names[second]} tie where"
        if not self.linear:
            return (
                f"{names} −½ x′(Σ₁⁻¹ − Σ₂⁻¹)x + (w₁ − w₂)′x + (b₁ "
                "− b₂) = 0: a conic, since the matrices differ"
            )
        assert step.weights is not None
        assert step.constants is not None
        w, b = (
            step.weights[first] - step.weights[second],
            float(step.constants[first] - step.constants[second]),
        )
        terms = [f"{signed(a)} · {name}" for a, name in zip(w, self.problem.features, strict=True)]
        return (
            f"{names} {few(terms, MAX_TERMS)} + {signed(b)} "
            "= 0: −½ x′Σ⁻¹x is the same in both, and cancels"
        )

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
        remark = (
            ""
            if len(names) == len(matrix)
            else f" (the first {len(names)} of {len(matrix)} columns)"
        )
        return LedgerTable(("", *names), rows, title + remark)

    def _by_class(
        self,
        head: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        title: str,
        best: int | None = None,
    ) -> LedgerTable:
        """Return a table with a row for each class of the data, also for those that no training row has."""
        lines: list[list[Cell]] = [[name, *[None] * len(head)] for name in self.problem.classes]
        for code, row in zip(self.model.classes_, rows, strict=True):
            lines[code] = [self.problem.classes[code], *row]
        emphasis = [] if best is None else [int(self.model.classes_[best])]
        return short_table(("class", *head), lines, title, emphasis, classes=True)
