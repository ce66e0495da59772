"""Naive Bayes in words and numbers: priors, tables of the attributes, factors and their product."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_ledger import prior_text, table_by_class
from dmlib.classification.conditionals import NominalTable, NormalTable, Table, prior_estimates
from dmlib.classification.naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.products_ledger import (
    power_text,
    probability_text,
    product_table,
    share_formula,
    share_fraction,
)
from dmlib.classification.word_tables import MultinomialTable
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, upper_first
from dmlib.problem import Problem, Query

MAX_CLASSES = 4  # whose arithmetic is written out
MAX_FACTORS = 6  # in a product that is written out
MAX_VALUES = 6  # columns of a table of counts
MAX_CHARACTERS = 18  # of an attribute and its value in the table of two classes


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
        self.problem = problem
        self.model = model
        self.product = product
        self.names = [problem.classes[code] for code in model.classes_]
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))
        # Of many classes, those that are the most probable in the end are written out.
        likely = np.argsort(-product[-1].posterior, kind="stable")[:MAX_CLASSES]
        self.listed = sorted(likely.tolist())

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
        n = step.class_count
        is_set = self.model.priors is not None
        shares = [
            prior_text(f"P({self.names[i]})", n[i], n.sum(), step.class_prior[i], is_set=is_set)
            for i in self.listed
        ]
        caption = "The prior probability of a class is its share of the rows."
        if is_set:
            caption = "The prior probabilities of the classes are set, whatever their shares."
        return caption, [
            self._class_table(
                {"rows": n.astype(int), "prior": step.class_prior}, "Classes", absent=0
            ),
            *map(Formula, shares),
        ]

    def _class_table(
        self, columns: Mapping[str, Iterable[Any]], title: str, absent: Cell = None
    ) -> LedgerTable:
        return table_by_class(self.problem, self.model.classes_, columns, title, absent=absent)

    def _count(self, step: NaiveBayesStep) -> tuple[str, Blocks]:
        table = step.tables[-1]
        attribute = self.problem.features[len(step.tables) - 1]
        assert isinstance(table, NominalTable)
        if isinstance(table, MultinomialTable):
            return self._count_words(table, attribute)
        n_values = len(table.values)
        classes = range(len(self.names))
        fractions: dict[str, Iterable[str]] = {
            value: [self._fraction(table, c, v) for c in classes]
            for v, value in enumerate(table.values[:MAX_VALUES])
        }
        title = f"P({attribute} | class)"
        if n_values > MAX_VALUES:
            title += f" (the first {MAX_VALUES} of {n_values} values)"
        ledger: Blocks = [
            self._class_table(fractions, title),
            Formula(self._share_formula(n_values)),
        ]
        if table.cuts is not None:
            caption = (
                f"{attribute} is cut into {n_values} intervals, which are counted in each class."
            )
            return caption, ledger
        zeros = int((table.probabilities == 0).sum())
        remark = f"; {zeros} of the shares {'is' if zeros == 1 else 'are'} zero" if zeros else ""
        return f"The values of {attribute} are counted in each class{remark}.", ledger

    def _count_words(self, table: MultinomialTable, attribute: str) -> tuple[str, Blocks]:
        """Return how the share of a column in all counts of a class is estimated."""
        shares = [self._fraction(table, c, 0) for c in range(len(self.names))]
        columns: dict[str, Iterable[Any]] = {
            "count": table.counts[:, 0],
            "all counts": table.totals,
            "share": shares,
        }
        title = f"P({attribute} | class)"
        formula = f"{title} = count / all counts of the class"
        if self.model.laplace:
            laplace = f"{self.model.laplace:g}"
            formula = f"{title} = (count + {laplace}) / (all counts + {laplace} · columns)"
        caption = f"The counts of {attribute} are added up in each class."
        return caption, [self._class_table(columns, title), Formula(formula)]

    def _share_formula(self, n_values: int) -> str:
        """Return how a share is estimated from counts."""
        if not n_values:
            return "No value of this column is known, so it has no influence."
        return share_formula(self.model, n_values, "class", "rows of the class")

    def _estimate(self, step: NaiveBayesStep) -> tuple[str, Blocks]:
        table = step.tables[-1]
        attribute = self.problem.features[len(step.tables) - 1]
        assert isinstance(table, NormalTable)
        n, mean, variance = table.counts, table.mean, table.variance
        columns = {"rows": n.astype(int), "mean": mean, "sd": np.sqrt(variance)}
        means = [
            f"{self.names[i]}: mean = {num(mean[i] * n[i])} / {n[i]:g} = {num(mean[i])}, "
            f"variance = {num(variance[i])}"
            for i in self.listed
            if n[i]
        ]
        divisor = "n − 1" if self.model.ddof else "n"
        formula = f"variance = Σ (x − mean)² / ({divisor})"
        if self.model.var_smoothing:
            formula += f" + {self.model.var_smoothing:g} · largest variance of all columns"
        caption = (
            f"{attribute} is modelled as normal in each class, by mean and standard deviation."
        )
        return caption, [
            self._class_table(columns, f"{attribute} in each class"),
            *map(Formula, [*means, formula]),
        ]

    # --- classifying ------------------------------------------------------------------------------

    def _start(self, step: ProductStep) -> tuple[str, Blocks]:
        shares = ", ".join(f"{self.names[c]} {step.posterior[c]:.4g}" for c in self.listed)
        return f"{self.name} is to be classified: the product starts with the prior, {shares}.", []

    def _multiply(self, step: ProductStep, before: ProductStep) -> tuple[str, Blocks]:
        table = self._table(step)
        attribute = self._attribute(step)
        value = step.value if isinstance(step.value, str) else num(step.value or 0.0)
        is_zero = np.isneginf(step.log_joint)
        new_zeros = np.flatnonzero(is_zero & ~np.isneginf(before.log_joint))
        if is_zero.all():
            caption = (
                f"Times P({attribute} = {value} | class): now "
                "every product is zero, so only the prior is left."
            )
        elif new_zeros.size:
            classes = " and ".join(self.names[c] for c in new_zeros)
            caption = f"{value} never occurs with {classes}: one zero makes the whole product zero."
        elif isinstance(table, MultinomialTable):
            caption = f"Times P({attribute} | class) to the power {value}: {self._leader(step)}."
        elif isinstance(table, NormalTable):
            caption = f"Times the density of {attribute} at {value}: {self._leader(step)}."
        else:
            caption = f"Times P({attribute} = {value} | class): {self._leader(step)}."
        return caption, [Formula(self._factor(table, step, c)) for c in self.listed]

    def _skip(self, step: ProductStep) -> tuple[str, Blocks]:
        name = self._attribute(step)
        if step.value is None:
            return f"{name} is missing here, so its factor is skipped.", []
        return f"{step.value} was never seen in {name}, so its factor is skipped.", []

    def _normalise(self, step: ProductStep) -> tuple[str, Blocks]:
        best = int(step.posterior.argmax())
        prediction = f"{self.name[0].lower()}{self.name[1:]} is predicted {self.names[best]}"
        if np.isneginf(step.log_joint).all():
            caption = (
                f"Every product is zero, so {prediction}, "
                f"with its prior {step.posterior[best]:.4g}."
            )
            reason = "0 / 0 is no probability; with laplace or m_estimate above 0 no share is zero."
            return caption, [Formula(reason)]
        caption = (
            f"Divided by their sum, the products are probabilities: {prediction}, "
            f"with probability {probability_text(step.posterior[best])}."
        )
        terms = [power_text(step.log_joint[c]) for c in self.listed]
        if len(self.listed) < len(self.names):
            terms.append("…")
        quotient = f"{power_text(step.log_joint[best])} / ({' + '.join(terms)})"
        lines = [
            *(self._product(c) for c in self.listed),
            f"P({self.names[best]} | x) = {quotient} = {num(step.posterior[best])}",
        ]
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
        return f"{self.names[best]} leads with {probability_text(step.posterior[best])}"

    def _factor(self, table: Table, step: ProductStep, c: int) -> str:
        """Return the factor of a class with the numbers put in."""
        name = self.names[c]
        result = num(step.factor[c])
        if isinstance(table, MultinomialTable):
            power = num(float(step.value or 0.0))
            fraction = self._fraction(table, c, 0)
            word = self._attribute(step)
            return f"P({word} | {name})^{power} = ({fraction})^{power} = {result}"
        if isinstance(table, NominalTable):
            value = str(step.value)
            fraction = self._fraction(table, c, table.values.index(value))
            return f"P({value} | {name}) = {fraction} = {result}"
        mean = num(table.mean[c])
        variance = num(table.variance[c])
        x = float(step.value or 0.0)
        if table.precision:
            # All values around a multiple of the precision round to it.
            middle = num(round(x / table.precision) * table.precision)
            half = f"{table.precision / 2:.4g}"
            return f"P({middle} ± {half} | {name}), normal ({mean}, {variance}), = {result}"
        density = f"exp(−({num(x)} − {mean})² / (2 · {variance})) / √(2π · {variance})"
        return f"f({num(x)} | {name}) = {density} = {result}"

    def _fraction(self, table: NominalTable, c: int, v: int) -> str:
        """Return a share as a fraction of counts."""
        count = table.counts[c, v]
        n, n_values = table.counts[c].sum(), len(table.values)
        p = prior_estimates(table.counts, self.model.m_prior)[v]
        if isinstance(table, MultinomialTable):
            n, n_values, p = table.totals[c], table.n_columns, table.prior
        fraction = share_fraction(self.model, count, n, n_values, p)
        return fraction or num(table.probabilities[c, v])

    def _product(self, c: int) -> str:
        """Return the complete product of a class."""
        factors = [float(self.model.class_prior_[c])]
        factors += [float(step.factor[c]) for step in self.product if step.phase == "multiply"]
        product = abridged([num(factor) for factor in factors], MAX_FACTORS, " · ")
        return f"{self.names[c]}: {product} = {power_text(self.product[-1].log_joint[c])}"

    def _factor_table(self, last: ProductStep) -> LedgerTable:
        """Return the factors so far, a column for each class, with their product."""
        factors: list[tuple[str, Floats | str]] = [("prior", self.model.class_prior_[self.listed])]
        for step in self.product:
            if step.phase == "multiply":
                factors.append((self._factor_name(step), step.factor[self.listed]))
            elif step.phase == "skip":
                factors.append((self._factor_name(step), "–"))
            if step is last:
                break
        names = [self.names[c] for c in self.listed]
        joint, posterior = last.log_joint[self.listed], last.posterior[self.listed]
        is_complete = last.phase == "normalise"
        return product_table(names, factors, joint, posterior, is_complete=is_complete)

    def _factor_name(self, step: ProductStep) -> str:
        """Return a heading for the factors of an attribute, with its value where there is room."""
        name = self._attribute(step)
        value = "missing"
        if step.value is not None:
            value = step.value if isinstance(step.value, str) else f"{step.value:.5g}"
        has_room = len(self.listed) <= 2 and len(name) + len(value) <= MAX_CHARACTERS
        return f"{name} = {value}" if has_room else name
