"""Rules as Python that one can read: an if for each, in the order in which they are asked."""

from __future__ import annotations

from dmlib.classification.rule_learning.conditions import Condition
from dmlib.classification.rule_learning.learner import RuleLearner
from dmlib.outputs.trees import HEADER, INDENT, READERS, Reader
from dmlib.problem import Problem


def rules_code(model: RuleLearner, problem: Problem, *, has_holes: bool = False) -> str:
    """Return fitted rules as a Python function of a row.

    Parameters
    ----------
    model : RuleLearner
        Fitted.
    problem : Problem
        The data that it was fitted to.
    has_holes : bool
        Whether rows may have missing values; they fulfil no condition.

    Returns
    -------
    str
        A module with ``predict(row)``, in the units of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PRISM
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 9.0], "c": list("xyy")})
    >>> problem = prepare(table, ["a"], target="c", labelled=True)
    >>> print(rules_code(PRISM().fit(problem.X, problem.y), problem))
    \"\"\"Rules: the first that fires decides.\"\"\"
    <BLANKLINE>
    <BLANKLINE>
    def predict(row):
        \"\"\"Return the class of a row, a mapping of column names to values.\"\"\"
        if row['a'] > 0.5:
            return 'y'
        if row['a'] <= 0.5:
            return 'x'
        return 'y'
    <BLANKLINE>
    """
    reader = Reader(problem, has_holes)
    classes = [problem.classes[code] for code in model.classes_]
    lines = []
    for number in model.order_of(model.rules_):
        rule = model.rules_[number]
        conditions = [_condition(condition, reader) for condition in rule.conditions]
        lines.append(f"{INDENT}if {' and '.join(conditions) or 'True'}:")
        lines.append(f"{INDENT * 2}return {classes[rule.target]!r}")
    lines.append(f"{INDENT}return {classes[model.default_]!r}")
    header = HEADER.format(
        title="Rules: the first that fires decides.",
        imports="\nimport math\n" if has_holes else "",
        answer="the class",
        note="; None or NaN is missing" if has_holes else "",
    )
    return header + "\n".join(lines) + "\n" + (READERS if has_holes else "")


def _condition(condition: Condition, reader: Reader) -> str:
    """Return a condition as an expression."""
    value = reader.value(condition.column)
    if condition.operator == "=":
        name = reader.problem.categories[condition.column][int(condition.value)]
        return f"{value} == {str(name)!r}"
    operator = {"≤": "<=", ">": ">"}[condition.operator]
    return f"{value} {operator} {float(condition.value)!r}"
