"""The arithmetic of a search: scores of candidates, and the formula of the set's score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dmlib.feature_selection.scores import LARGE_IS_GOOD, LeastSquaresScore, Score, Subset, goodness
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.subset_search import SCORES
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, short_table
from dmlib.pictures.words import changes, count, num, num4, short

MAX_CANDIDATES = 24
MAX_NAMES = 6
SHORT = {"adjusted_r2": "adj. R²", "cv": "MSE", "accuracy": "accuracy"}  # names for narrow places


class SearchNarrator:
    """Captions and ledgers of a search.

    Parameters
    ----------
    score : Score
        The score of sets.
    features : sequence of str
        The columns.
    number : mapping of tuple of int to int
        The numbers of the sets that are drawn.
    """

    def __init__(self, score: Score, features: Sequence[str], number: Mapping[Subset, int]) -> None:
        self.score, self.features, self.number = score, features, number
        self.name = SCORES[score.name].replace("Cross", "cross").replace("Adj", "adj")

    def tell(self, step: SearchStep, before: SearchStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        ledger: Blocks = [*self._candidates(step), *self.formula(step)]
        if step.phase == "cut":
            ledger = [*self._bounds(step), *ledger]
        if step.best:
            ledger.append(self._sizes(step))
        ledger.append(
            Formula(f"sets scored so far: {step.n_evaluated} of {2**self.score.n_features:,}")
        )
        if step.reason:
            ledger.append(Formula(step.reason))
        return self._caption(step, before), ledger

    def set_of(self, subset: Subset) -> str:
        """Return the names of a set."""
        if len(subset) == self.score.n_features > MAX_NAMES:
            return f"all {len(subset)} columns"
        names = [self.features[j] for j in subset[:MAX_NAMES]]
        left = len(subset) - len(names)
        return (
            "{" + ", ".join(names) + (f" and {left} more" if left else "") + "}"
            if names
            else "the empty set"
        )

    def value(self, value: float) -> Cell:
        """Return a score as a cell: nothing where it has none."""
        return None if np.isnan(value) else float(value)

    def _caption(self, step: SearchStep, before: SearchStep) -> str:
        is_now = "has no score" if np.isnan(step.value) else f"has {self.name} {num4(step.value)}"
        if step.phase == "start":
            return f"The search starts from {self.set_of(step.subset)}, which {is_now}."
        if step.phase in ("add", "remove"):
            assert step.moved is not None
            verb = "joins" if step.phase == "add" else "leaves"
            moved = changes(self.name, short(before.value), short(step.value)).replace(
                "nan", "undefined"
            )
            return (
                f"{self.features[step.moved]} {verb}: {moved}, the best of"
                f" {count(len(step.values), 'set', 'sets')}."
            )
        if step.phase == "branch":
            cheapest = min(step.candidates, key=self._sse) if step.candidates else step.subset
            return (
                f"Of {self.set_of(step.subset)} less one column, {self.set_of(cheapest)} fits best."
            )
        if step.phase == "cut":
            return (
                f"The sets below {self.set_of(step.subset)} are left out: they cannot fit better"
                " than those known."
            )
        return f"Done: {self.set_of(step.subset)} {is_now}."

    def _sse(self, subset: Subset) -> float:
        return self.score.sse(subset) if isinstance(self.score, LeastSquaresScore) else np.nan

    def _candidates(self, step: SearchStep) -> Blocks:
        """Return the sets that were compared, the best first."""
        if not step.candidates:
            return []
        squares = isinstance(self.score, LeastSquaresScore)
        badness = [-goodness(self.score, value) for value in step.values]
        if step.phase == "branch":
            badness = [self._sse(subset) for subset in step.candidates]
        order = sorted(range(len(step.candidates)), key=badness.__getitem__)
        rows = []
        for i in order:
            subset = step.candidates[i]
            extra = [self._sse(subset)] if squares and self.score.name != "cv" else []
            rows.append([self._label(step, subset), *extra, self.value(step.values[i])])
        head = [
            "set",
            *(["SSE"] if squares and self.score.name != "cv" else []),
            SHORT.get(self.score.name, self.name),
        ]
        title = {
            "branch": "Without one column",
            "done": "Best set of each size" if step.best else "Neighbours, none better",
        }.get(step.phase, "Candidates")
        emphasis = [0] if step.phase in ("add", "remove", "branch") else []
        numbers = [self.number.get(step.candidates[i]) for i in order]
        return [
            short_table(
                head, rows, title, emphasis, max_rows=MAX_CANDIDATES, by="set", numbers=numbers
            )
        ]

    def _label(self, step: SearchStep, subset: Subset) -> str:
        """Return what tells a candidate from the set that it was made from."""
        if step.phase == "done" and step.best:
            return self.set_of(subset)
        base = set(step.subset)
        if step.moved is not None:
            base ^= {step.moved}
        more, less = set(subset) - base, base - set(subset)
        return (
            " ".join(
                [*(f"+ {self.features[j]}" for j in more), *(f"− {self.features[j]}" for j in less)]
            )
            or "as it is"
        )

    def _bounds(self, step: SearchStep) -> Blocks:
        """Return the best sets of the sizes below a branch, whose SSE its own cannot beat."""
        bound = num(step.bound)
        return [
            Formula(
                f"every set in {self.set_of(step.subset)} has SSE ≥ {bound}; the best known are not"
                " above it"
            )
        ]

    def _sizes(self, step: SearchStep) -> LedgerTable:
        rows = [[len(subset), self.set_of(subset), self._sse(subset)] for subset in step.best]
        head, numbers = (
            ("size", "best set so far", "SSE"),
            [self.number.get(subset) for subset in step.best],
        )
        return short_table(head, rows, "Best of each size", max_rows=21, by="set", numbers=numbers)

    def formula(self, step: SearchStep) -> Blocks:
        """Write out the score of the set of a step."""
        score, k, value = self.score, len(step.subset), step.value
        if np.isnan(value):
            return [
                Formula(
                    f"{self.name}: {count(k, 'column leaves', 'columns leave')} no residual degree"
                    " of freedom"
                )
            ]
        if score.name in ("accuracy", "cv"):
            name, how = ("MSE", ", fold by fold") if score.name == "cv" else ("accuracy", "")
            n = int(score.n)  # type: ignore[attr-defined]
            return [Formula(f"{name} = ({_sum(step.parts)}) / {n} = {num(value)}{how}")]
        assert isinstance(score, LeastSquaresScore)
        sse = score.sse(step.subset)
        return [Formula(f"{_criterion(score, k, num(sse))} = {num(value)}")]


def _criterion(score: LeastSquaresScore, k: int, sse: str) -> str:
    """Return the formula of a criterion, and the same with its numbers."""
    n = score.n
    if score.name == "aic":
        return f"AIC = n ln(SSE/n) + 2(k+1) = {n} ln({sse}/{n}) + 2·{k + 1}"
    if score.name == "bic":
        return f"BIC = n ln(SSE/n) + ln(n)(k+1) = {n} ln({sse}/{n}) + ln({n})·{k + 1}"
    if score.name == "cp":
        return f"Cp = SSE/s² − n + 2(k+1) = {sse}/{num(score.variance)} − {n} + 2·{k + 1}"
    below, total = f"({sse}/{n - k - 1})", f"({num(score.total)}/{n - 1})"
    return f"adjusted R² = 1 − (SSE/(n−k−1)) / (SST/(n−1)) = 1 − {below} / {total}"


def _sum(parts: Sequence[float] | np.ndarray) -> str:
    shown = [num4(part) for part in parts[:8]]
    return " + ".join([*shown, *(["…"] if len(parts) > 8 else [])])


def better_is(name: str) -> str:
    """Return whether a score should be large or small."""
    return "large" if name in LARGE_IS_GOOD else "small"
