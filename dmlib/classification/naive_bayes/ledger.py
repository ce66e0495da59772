"""Naive Bayes in words and numbers: priors, tables of the attributes, factors and their product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.classification.conditionals import NominalTable, NormalTable, Table
from dmlib.classification.naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, few
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, short, upper_first
from dmlib.problem import Problem, Query

MAX_CLASSES = 4  # whose arithmetic is written out
MAX_FACTORS = 6  # in a product that is written out
MAX_VALUES = 6  # columns of a table of counts
ROOM = 18  # characters of an attribute and its value in the table of two classes
MAX_LISTED = 16  # factors in the table


class Narrator:
    """Captions and ledgers of naive Bayes.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : NaiveBayes
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    product : sequence of ProductStep
        The steps of its classification.
    """

    def __init__(
        self, problem: Problem, model: NaiveBayes, query: Query, product: Sequence[ProductStep]
    ) -> None:
        self.problem, self.model, self.product = problem, model, product
        self.names = [problem.classes[code] for code in model.classes_]
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))
        # With many classes, those that are the most probable in the end are written out.
        likely = np.argsort(-product[-1].posterior, kind="stable")[:MAX_CLASSES]
        self.written = sorted(likely.tolist())

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        if isinstance(moment.step, NaiveBayesStep):
            learn = {"prior": self._prior, "count": self._count, "estimate": self._estimate}
            return learn[moment.step.phase](moment.step)
        step: ProductStep = moment.step
        if step.phase == "multiply":
            caption, blocks = self._multiply(step, moment.before)
        else:
            classify = {"prior": self._start, "skip": self._skip, "normalise": self._normalise}
            caption, blocks = classify[step.phase](step)
        blocks = [*blocks, self._factor_table(step)]
        if step.phase in ("prior", "normalise"):
            blocks.append(self.query_table)
        if step.phase == "normalise":
            blocks.append(error_table(self.problem, self.model))
        return caption, blocks

    # --- learning ---------------------------------------------------------------------------------

    def _prior(self, step: NaiveBayesStep) -> tuple[str, Blocks]:
        total = step.class_count.sum()
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        for code, n, prior in zip(
            self.model.classes_, step.class_count, step.class_prior, strict=True
        ):
            rows[code] = [self.problem.classes[code], int(n), float(prior)]
        table = LedgerTable(("class", "rows", "prior"), rows, "Classes", classes=True)
        shares = [
            f"P({self.names[i]}) = {step.class_count[i]:g} / {total:g} = {num(step.class_prior[i])}"
            for i in self.written
        ]
        return "The prior probability of a class is its share of the rows.", [
            table,
            *map(Formula, shares),
        ]

    def _count(self, step: NaiveBayesStep) -> tuple[str, Blocks]:
        table, attribute = step.tables[-1], self.problem.features[len(step.tables) - 1]
        assert isinstance(table, NominalTable)
        values = table.values[:MAX_VALUES]
        rows: list[list[Cell]] = [[name, *[None] * len(values)] for name in self.problem.classes]
        for i, code in enumerate(self.model.classes_):
            rows[code] = [
                self.problem.classes[code],
                *(self._fraction(table, i, v) for v in range(len(values))),
            ]
        remark = (
            ""
            if len(values) == len(table.values)
            else f" (the first {len(values)} of {len(table.values)} values)"
        )
        ledger: Blocks = [
            LedgerTable(("class", *values), rows, f"P({attribute} | class){remark}", classes=True)
        ]
        ledger += [Formula(line) for line in self._estimates(table)]
        if table.cuts is not None:
            return (
                (
                    f"{attribute} is cut into {len(table.values)} "
                    "intervals, which are counted in each class."
                ),
                ledger,
            )
        zeros = int((table.probabilities == 0).sum())
        caption = f"The values of {attribute} are counted in each class."
        if zeros:
            caption = (
                f"The values of {attribute} are counted in "
                f"each class; {zeros} of the shares are zero."
            )
        return caption, ledger

    def _estimates(self, table: NominalTable) -> list[str]:
        """Return in general and in numbers how a share is estimated."""
        model, n_values = self.model, len(table.values)
        added = model.laplace + model.m_estimate / max(n_values, 1)
        if not table.values:
            return ["No value of this column is known, so it has no influence."]
        if added == 0:
            return ["P(value | class) = rows of the class with the value / rows of the class"]
        numerator, denominator = ["n(value)"], ["n"]
        if model.laplace:
            numerator.append(f"{model.laplace:g}")
            denominator.append(f"{model.laplace:g} · {n_values}")
        if model.m_estimate:
            numerator.append(f"{model.m_estimate:g} / {n_values}")
            denominator.append(f"{model.m_estimate:g}")
        return [f"P(value | class) = ({' + '.join(numerator)}) / ({' + '.join(denominator)})"]

    def _estimate(self, step: NaiveBayesStep) -> tuple[str, Blocks]:
        table, attribute = step.tables[-1], self.problem.features[len(step.tables) - 1]
        assert isinstance(table, NormalTable)
        rows: list[list[Cell]] = [[name, 0, None, None] for name in self.problem.classes]
        for i, code in enumerate(self.model.classes_):
            rows[code] = [
                self.problem.classes[code],
                int(table.counts[i]),
                float(table.mean[i]),
                float(np.sqrt(table.variance[i])),
            ]
        ledger: Blocks = [
            LedgerTable(
                ("class", "rows", "mean", "sd"), rows, f"{attribute} in each class", classes=True
            )
        ]
        ledger += [
            Formula(
                f"{self.names[i]}: mean = {num(table.mean[i] * table.counts[i])} / "
                f"{table.counts[i]:g} = {num(table.mean[i])}, variance = {num(table.variance[i])}"
            )
            for i in self.written
            if table.counts[i]
        ]
        ledger.append(Formula(self._variance()))
        return (
            f"{attribute} is modelled as normal in each class, by mean and standard deviation.",
            ledger,
        )

    def _variance(self) -> str:
        divisor = "n − 1" if self.model.ddof else "n"
        added = ""
        if self.model.var_smoothing:
            added = f" + {self.model.var_smoothing:g} · largest variance of all columns"
        return f"variance = Σ (x − mean)² / ({divisor}){added}"

    # --- classifying ------------------------------------------------------------------------------

    def _start(self, step: ProductStep) -> tuple[str, Blocks]:
        shares = ", ".join(f"{self.names[c]} {step.posterior[c]:.4g}" for c in self.written)
        return f"{self.name} is to be classified: the product starts with the prior, {shares}.", []

    def _multiply(self, step: ProductStep, before: ProductStep) -> tuple[str, Blocks]:
        table, attribute = self._table(step), self._attribute(step)
        value = step.value if isinstance(step.value, str) else num(step.value or 0.0)
        caption = f"Times P({attribute} = {value} | class): {self._leader(step)}."
        if isinstance(table, NormalTable):
            caption = f"Times the density of {attribute} at {value}: {self._leader(step)}."
        if np.isneginf(step.log_joint).all():
            caption = (
                f"Times P({attribute} = {value} | class): now "
                "every product is zero, so only the prior is left."
            )
        elif (np.isneginf(step.log_joint) & ~np.isneginf(before.log_joint)).any():
            lost = [
                self.names[c]
                for c in np.flatnonzero(np.isneginf(step.log_joint) & (before.log_joint > -np.inf))
            ]
            caption = (
                f"{value} never occurs with {' and '.join(lost)}: "
                "one zero makes the whole product zero."
            )
        return caption, [Formula(self._factor(table, step, c)) for c in self.written]

    def _skip(self, step: ProductStep) -> tuple[str, Blocks]:
        name = self._attribute(step)
        if step.value is None:
            return f"{name} is missing here, so its factor is skipped.", []
        return f"{step.value} was never seen in {name}, so its factor is skipped.", []

    def _normalise(self, step: ProductStep) -> tuple[str, Blocks]:
        best = int(step.posterior.argmax())
        caption = (
            "Divided by their sum, the products are probabilities: "
            f"{self.name[0].lower()}{self.name[1:]} is predicted "
            f"{self.names[best]}, with probability {_share(step.posterior[best])}."
        )
        if np.isneginf(step.log_joint).all():
            prior = f"{self.names[best]}, with its prior {step.posterior[best]:.4g}"
            return (
                (
                    "Every product is zero, so "
                    f"{self.name[0].lower()}{self.name[1:]} is predicted {prior}."
                ),
                [
                    Formula(
                        "0 / 0 is no probability; with laplace "
                        "or m_estimate above 0 no share is zero."
                    )
                ],
            )
        lines = [self._product(c) for c in self.written]
        sums = " + ".join(_power(step.log_joint[c]) for c in self.written)
        dots = " + …" if len(self.written) < len(self.names) else ""
        quotient = f"{_power(step.log_joint[best])} / ({sums}{dots})"
        lines.append(f"P({self.names[best]} | x) = {quotient} = {num(step.posterior[best])}")
        return caption, list(map(Formula, lines))

    def _table(self, step: ProductStep) -> Table:
        assert step.attribute is not None
        table: Table = self.model.tables_[step.attribute]
        return table

    def _attribute(self, step: ProductStep) -> str:
        assert step.attribute is not None
        return self.problem.features[step.attribute]

    def _leader(self, step: ProductStep) -> str:
        best = int(step.posterior.argmax())
        return f"{self.names[best]} leads with {_share(step.posterior[best])}"

    def _factor(self, table: Table, step: ProductStep, c: int) -> str:
        """Return the factor of a class with the numbers put in."""
        result = num(step.factor[c])
        if isinstance(table, NominalTable):
            value = str(step.value)
            return (
                f"P({value} | {self.names[c]}) = "
                f"{self._fraction(table, c, table.values.index(value))} = {result}"
            )
        mean, variance = num(table.mean[c]), num(table.variance[c])
        if table.precision:
            # All values around a multiple of the precision round to it.
            middle = num(round(float(step.value or 0.0) / table.precision) * table.precision)
            return (
                f"P({middle} ± {table.precision / 2:.4g} | "
                f"{self.names[c]}), normal ({mean}, {variance}), = {result}"
            )
        x = num(float(step.value or 0.0))
        return (
            f"f({x} | {self.names[c]}) = exp(−({x} − {mean})² / "
            f"(2 · {variance})) / √(2π · {variance}) = {result}"
        )

    def _fraction(self, table: NominalTable, c: int, v: int) -> str:
        """Return a share as a fraction of counts."""
        count, n, n_values = table.counts[c, v], table.counts[c].sum(), len(table.values)
        added = self.model.laplace + self.model.m_estimate / n_values
        if added:
            return f"({count:g} + {added:.4g}) / ({n:g} + {added * n_values:.4g})"
        return f"{count:g} / {n:g}" if n else num(table.probabilities[c, v])

    def _product(self, c: int) -> str:
        """Return the whole product of a class."""
        factors = [float(self.model.class_prior_[c])]
        factors += [float(step.factor[c]) for step in self.product if step.phase == "multiply"]
        product = few([num(factor) for factor in factors], MAX_FACTORS, " · ")
        return f"{self.names[c]}: {product} = {_power(self.product[-1].log_joint[c])}"

    def _factor_table(self, last: ProductStep) -> LedgerTable:
        """Return the factors so far, a column for each class, with their product."""
        rows: list[list[Cell]] = [
            ["prior", *(short(self.model.class_prior_[c]) for c in self.written)]
        ]
        n_steps = next(i for i, step in enumerate(self.product, 1) if step is last)
        for step in self.product[:n_steps]:
            if step.phase in ("multiply", "skip"):
                factors = [
                    short(step.factor[c]) if step.phase == "multiply" else "–" for c in self.written
                ]
                rows.append([self._factor_name(step), *factors])
        if len(rows) > MAX_LISTED:
            rows = [["…", *["" for _ in self.written]], *rows[-MAX_LISTED:]]
        newest = len(rows) - 1
        rows.append(["product", *(_cell(last.log_joint[c]) for c in self.written)])
        rows.append(["share", *(short(last.posterior[c]) for c in self.written)])
        emphasis = [newest + 2] if last.phase == "normalise" else [newest]
        return LedgerTable(
            ("factor", *(self.names[c] for c in self.written)), rows, "The product", emphasis
        )

    def _factor_name(self, step: ProductStep) -> str:
        """Return a heading for the factors of an attribute; with the value, where there is room for it."""
        name = self._attribute(step)
        value = (
            "missing"
            if step.value is None
            else step.value
            if isinstance(step.value, str)
            else f"{step.value:.5g}"
        )
        return (
            f"{name} = {value}"
            if len(self.written) <= 2 and len(name) + len(value) <= ROOM
            else name
        )


def _share(probability: Any) -> str:
    """Return a probability for a sentence; one that is nearly 1 is not called 1."""
    text = f"{probability:.4g}"
    return "more than 0.9999" if text == "1" and probability < 1 else text


def _cell(logarithm: Any) -> Cell:
    """Return a number that is given by its logarithm, as text where it is too small or large for a computer number."""
    text = _power(logarithm)
    return text if text.startswith("10^") else short(np.exp(logarithm))


def _power(logarithm: Any) -> str:
    """Return a number that is given by its logarithm, also where it is too small for a computer number.

    Examples
    --------
    >>> _power(-1.0), _power(-1000.0), _power(float("-inf"))
    ('0.367879', '10^−434.294', '0')
    """
    value = float(np.exp(np.minimum(logarithm, 700.0)))
    if np.isneginf(logarithm) or (value > 1e-300 and logarithm < 700):
        return num(value)
    return f"10^{num(float(logarithm) / np.log(10))}"
