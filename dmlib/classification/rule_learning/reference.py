"""The rules held against pandas: it finds the rows of each rule, and predicts by them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.rule_learning.learner import RuleLearner
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


class RuleQueries:
    """Rules as queries of a data frame by pandas.

    Parameters
    ----------
    model : RuleLearner
        Fitted; its rules are taken over, and nothing else.
    """

    def __init__(self, model: Any) -> None:
        self.model, self.classes_ = model, model.classes_
        self.rules = [model.rules_[number] for number in model.order_of(model.rules_)]

    def frame(self, X: Any) -> Any:
        """Return rows as a data frame with columns c0, c1, ..."""
        import pandas as pd

        frame = pd.DataFrame(X).reset_index(drop=True)
        return frame.set_axis([f"c{j}" for j in range(frame.shape[1])], axis=1)

    def covered(self, rule: Any, frame: Any) -> Any:
        """Return the rows that fulfil all conditions of a rule."""
        terms, values = [], {}
        for number, condition in enumerate(rule.conditions):
            value, categories = condition.value, self.model.columns_.categories[condition.column]
            values[f"v{number}"] = value if categories is None else categories[int(value)]
            operator = {"=": "==", "≤": "<=", ">": ">"}[condition.operator]
            terms.append(f"c{condition.column} {operator} @v{number}")
        return frame.query(" and ".join(terms), local_dict=values).index if terms else frame.index

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the first rule that finds a row, else the default class."""
        frame = self.frame(X)
        places = np.full(len(frame), self.model.default_)
        for rule in reversed(self.rules):
            places[self.covered(rule, frame)] = rule.target
        labels: NDArray[Any] = self.classes_[places]
        return labels


def rules_by_pandas(X: Any, y: Any, model: Any) -> RuleQueries:
    """Ask pandas which rows fulfil each rule: scikit-learn has no rule learner."""
    return RuleQueries(model)


def rule_learning_reference(run: Run[Problem, RuleLearner]) -> Reference:
    """Return the same rules, asked of the data by pandas.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PRISM
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> run = Run.of(problem, PRISM())
    >>> rule_learning_reference(run).answer(run).predict(problem.X).tolist()
    [0, 0, 1, 1]
    """
    return Reference(rules_by_pandas, "X", "y", "model", helpers=(RuleQueries,))
