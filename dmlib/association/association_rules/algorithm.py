"""Association rules X ⇒ Y with support, confidence and lift."""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.association.apriori.algorithm import Apriori
from dmlib.association.association_rules.generation import ROUNDING, Generation, Lookup, RuleStep
from dmlib.association.association_rules.measures import CORRECTIONS, MEASURES
from dmlib.association.association_rules.ranges import rule_ranges
from dmlib.association.association_rules.rules_table import Levels, lookup_in, named, rules_table
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges, check_params
from dmlib.trace import result_of

__all__ = ["AssociationRules", "RuleStep", "association_rules"]

Itemset = Collection[Hashable]


class RuleMiner(BaseEstimator):
    """Base of the estimators of association rules: the second phase, and the filters of rules."""

    PARAMS: ClassVar[dict[str, Param]]

    alpha: float
    correction: str
    drop_redundant: bool
    max_rules: int
    metric: str
    min_confidence: float
    min_threshold: float
    significant_only: bool

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the rules of baskets, the rows of ``X``; ``y`` is ignored."""
        matrix = validate_data(self, X) != 0
        check_params(self.PARAMS, self.get_params())
        n_baskets, n_items = matrix.shape
        names = list(getattr(self, "feature_names_in_", range(n_items)))
        levels = result_of(self._mine_itemsets(matrix, names))
        generation = self._generation(matrix, levels)
        generation.run()
        rules = rules_table(generation, n_baskets, names, self.correction)
        self.rules_ = rules[self._passing(rules)].reset_index(drop=True)
        self.measures_ = self.rules_[["support", *MEASURES]].to_numpy(float)
        self.itemsets_ = [items for sets, _ in levels for items in named(sets.tolist(), names)]
        self.support_ = np.concatenate([counts for _, counts in levels]) / n_baskets
        self.n_rules_ = len(self.rules_)
        self.n_tested_ = generation.n_tested
        self.n_itemsets_ = generation.n_itemsets
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[Any]:
        """Yield the frequent item sets, and the tests of their consequents, smaller ones first."""
        matrix = check_array(X) != 0
        check_params(self.PARAMS, self.get_params())
        levels = yield from self._mine_itemsets(
            matrix, list(getattr(X, "columns", range(matrix.shape[1])))
        )
        generation = self._generation(matrix, levels)
        yield from generation.steps()
        columns = list(range(matrix.shape[1]))
        rules = rules_table(generation, len(matrix), columns, self.correction)
        retained = self._passing(rules)
        yield RuleStep(
            phase="done",
            retained=retained,
            n_itemsets=generation.n_itemsets,
            n_tested=generation.n_tested,
            n_rules=int(retained.sum()),
            reason=self._reason(generation, rules),
        )

    def _mine_itemsets(
        self, matrix: NDArray[np.bool_], names: list[Any]
    ) -> Generator[Any, None, Levels]:
        """Yield the steps of the first phase; return the frequent item sets with their counts."""
        raise NotImplementedError

    def _lookup(self, matrix: NDArray[np.bool_], levels: Levels) -> Lookup:
        """Return a lookup of the counts of all subsets of the item sets."""
        return lookup_in(levels)

    def _generation(self, matrix: NDArray[np.bool_], levels: Levels) -> Generation:
        return Generation(
            levels,
            self._lookup(matrix, levels),
            matrix.shape[1],
            self.min_confidence,
            self.max_rules,
        )

    def _passing(self, rules: pd.DataFrame) -> NDArray[np.bool_]:
        """Return which rules pass the filters."""
        passing: NDArray[np.bool_] = rules[self.metric].to_numpy() >= self.min_threshold - ROUNDING
        if self.significant_only:
            passing &= rules["adjusted_p_value"].to_numpy() <= self.alpha
        if self.drop_redundant:
            passing &= ~rules["redundant"].to_numpy()
        return passing

    def _reason(self, generation: Generation, rules: pd.DataFrame) -> str:
        """Say why there are no rules."""
        if not generation.n_tested:
            return (
                "No two items are frequent together, so there is no rule."
                " Lower the minimum support."
            )
        if not len(rules):
            parts = [part for level in generation.tested for part in level]
            highest = max((part.counts / part.antecedent_counts).max() for part in parts)
            return (
                f"No rule has a confidence of {self.min_confidence:.4g}:"
                f" the highest is {highest:.4g}. Lower min_confidence to that."
            )
        if not self._passing(rules).any():
            return (
                f"None of {len(rules)} rules passes the filters."
                " Lower min_threshold, or keep insignificant rules."
            )
        return ""


class AssociationRules(RuleMiner):
    r"""Find association rules in market baskets.

    In a first phase the frequent item sets are found (:class:`Apriori`), in a second one the rules
    that can be made of them. A rule A → B says that baskets with all of A (the *antecedent*) often
    hold all of B (the *consequent*): its *support* is :math:`P(AB)`, its *confidence* :math:`P(AB)
    / P(A)`. An item moved from A to B can only lower the confidence; so larger consequents are
    joined from those that have enough, and no other rule is tested.

    Parameters
    ----------
    min_support : float, default=0.1
        The share of baskets that must hold all items of a rule.
    min_confidence : float, default=0.6
        The share of the baskets with the antecedent that must hold the consequent too.
    metric : str, default="lift"
        A further measure by which rules are filtered: "confidence", "lift", "leverage",
        "conviction", "zhangs_metric", "kulczynski" or "imbalance_ratio".
    min_threshold : float, default=0.0
        What a rule's ``metric`` must reach.
    correction : {"none", "bonferroni", "holm", "fdr_bh"}, default="holm"
        How the p-values of Fisher's exact test are corrected for the number of rules that were
        tested.
    significant_only : bool, default=False
        Whether a rule is dropped if its corrected p-value is above ``alpha``.
    alpha : float, default=0.05
        The level of significance.
    drop_redundant : bool, default=False
        Whether a rule is dropped if a more general one, with fewer items in its antecedent and the
        same consequent, has at least its confidence, and so at least its lift.
    max_length : int or None, default=None
        The largest number of items in a rule; None means no limit.
    max_rules : int, default=100000
        If more rules than this are to be tested, the run is refused.

    Attributes
    ----------
    rules_ : DataFrame
        One row for each rule, in the order in which they are found, with mlxtend's names of
        columns: ``antecedents`` and ``consequents`` (tuples of items), ``antecedent support``,
        ``consequent support``, ``support``, the measures of :func:`rule_measures`, and ``p_value``,
        ``adjusted_p_value``, ``redundant``.
    measures_ : ndarray of shape (n_rules, 8)
        Support, confidence, lift, leverage, conviction, Zhang's metric, Kulczynski and imbalance
        ratio of each rule.
    itemsets_ : list of tuple
        The frequent item sets.
    support_ : ndarray of shape (n_itemsets,)
        Their supports.
    n_rules_, n_tested_, n_itemsets_ : int
        How many rules were found, how many were tested for it, and how many item sets are frequent.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or there are too many candidates or rules; the message says
        what would help.

    Notes
    -----
    An item set of k items has :math:`2^k - 2` rules. All numbers are counts of the first phase, so
    the second one does not read the baskets again. A p-value is corrected for all rules that were
    tested, not only for those that are found: these are selected by the same baskets.

    References
    ----------
    R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules, section 3
    (ap-genrules). R. Bayardo, R. Agrawal and D. Gunopulos (1999), Constraint-based rule mining in
    large, dense databases (redundancy).

    Examples
    --------
    >>> X = [[1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [1, 1, 0, 1, 0], [1, 1, 0, 0, 1], [1, 0, 1, 0, 1]]
    >>> model = AssociationRules(0.6, 0.7).fit(X)
    >>> model.rules_[["antecedents", "consequents", "confidence"]].values.tolist()
    [[(1,), (0,), 0.75], [(0,), (1,), 0.75]]
    """

    RANGES: ClassVar[Ranges] = staticmethod(rule_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "min_support": Number(1e-6, 1.0, shown=(0.01, 1.0), step=0.01),
        "min_confidence": Number(0.0, 1.0, step=0.01),
        "metric": Choice(tuple(MEASURES)),
        "min_threshold": Number(-1.0, 1e9, shown=(0.0, 3.0), step=0.05),
        "correction": Choice(CORRECTIONS),
        "significant_only": Flag(),
        "alpha": Number(0.0, 1.0, shown=(0.01, 0.2), step=0.01),
        "drop_redundant": Flag(),
        "max_length": Integer(1, 1000, shown=(1, 8), none="no limit"),
        "max_rules": Integer(1, 10_000_000, shown=(1_000, 100_000)),
    }

    def __init__(
        self,
        min_support: float = 0.1,
        min_confidence: float = 0.6,
        *,
        metric: str = "lift",
        min_threshold: float = 0.0,
        correction: str = "holm",
        significant_only: bool = False,
        alpha: float = 0.05,
        drop_redundant: bool = False,
        max_length: int | None = None,
        max_rules: int = 100_000,
    ) -> None:
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.metric = metric
        self.min_threshold = min_threshold
        self.correction = correction
        self.significant_only = significant_only
        self.alpha = alpha
        self.drop_redundant = drop_redundant
        self.max_length = max_length
        self.max_rules = max_rules

    def _mine_itemsets(
        self, matrix: NDArray[np.bool_], names: list[Any]
    ) -> Generator[Any, None, Levels]:
        """Return the frequent item sets of each size with their counts."""
        yield from ()  # the page of Apriori shows how they are found
        steps = Apriori(self.min_support, max_length=self.max_length).steps(matrix)
        return [
            (step.candidates[step.frequent], step.counts[step.frequent].astype(float))
            for step in steps
            if step.phase == "count"
        ]


def association_rules(
    itemsets: Mapping[Itemset, float] | pd.DataFrame,
    min_confidence: float = 0.8,
    metric: str = "confidence",
    min_threshold: float = 0.0,
    *,
    n_baskets: int | None = None,
    correction: str = "holm",
    max_rules: int = 100_000,
) -> pd.DataFrame:
    """Return the association rules of frequent item sets.

    Parameters
    ----------
    itemsets : mapping of collections to float, or DataFrame
        The support of each frequent item set, as :func:`apriori` returns them; or mlxtend's table
        of them, with the columns ``support`` and ``itemsets``.
    min_confidence : float
        The share of the baskets with the antecedent that must hold the consequent too.
    metric : str
        A further measure by which rules are filtered, one of :func:`rule_measures`.
    min_threshold : float
        What a rule's ``metric`` must reach.
    n_baskets : int or None
        The number of baskets, for the p-values; without it they are missing (NaN).
    correction : {"none", "bonferroni", "holm", "fdr_bh"}
        How the p-values are corrected for the number of rules that were tested.
    max_rules : int
        More tested rules are refused.

    Returns
    -------
    DataFrame
        As :attr:`AssociationRules.rules_`.

    Raises
    ------
    ValueError
        If the support of a subset is missing, or a parameter is out of bounds.

    Notes
    -----
    See :class:`AssociationRules`.

    References
    ----------
    R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules, section 3.

    Examples
    --------
    >>> from dmlib.association import apriori
    >>> baskets = [{"tea", "milk"}, {"tea"}, {"tea", "milk"}, {"milk", "tea"}]
    >>> rules = association_rules(apriori(baskets, 0.5), 0.9)
    >>> rules[["antecedents", "consequents", "support", "lift"]]
      antecedents consequents  support  lift
    0     (milk,)      (tea,)     0.75   1.0
    """
    values = {
        "min_confidence": min_confidence,
        "metric": metric,
        "min_threshold": min_threshold,
        "correction": correction,
        "max_rules": max_rules,
    }
    check_params({name: AssociationRules.PARAMS[name] for name in values}, values)
    if isinstance(itemsets, pd.DataFrame):
        sets, supports = map(frozenset, itemsets["itemsets"]), itemsets["support"].astype(float)
        itemsets = dict(zip(sets, supports, strict=True))
    names = list(dict.fromkeys(item for items in itemsets for item in items))
    levels = _levels(itemsets, names, n_baskets)
    lookup = lookup_in(levels)
    generation = Generation(levels, lookup, max(1, len(names)), min_confidence, max_rules)
    generation.run()
    rules = rules_table(generation, n_baskets, names, correction)
    return rules[rules[metric] >= min_threshold - ROUNDING].reset_index(drop=True)


def _levels(itemsets: Mapping[Itemset, float], names: list[Any], n: int | None) -> Levels:
    """Return the item sets of each size, sorted, with their counts; without n their supports."""
    column = {name: j for j, name in enumerate(names)}
    sets = sorted(
        (sorted(column[item] for item in items), support) for items, support in itemsets.items()
    )
    levels = []
    for k in range(1, 1 + max((len(items) for items, _ in sets), default=1)):
        level = [(items, support) for items, support in sets if len(items) == k]
        counts = np.array([round(support * n) if n else support for _, support in level], float)
        items = np.array([items for items, _ in level], np.intp).reshape(len(level), k)
        levels.append((items, counts))
    return levels
