"""Run scikit-learn's own tests on the project's classes: `dev.py test --theirs [part of a name]`.

Every failure must have a reason in `out_of_scope.toml`; what is listed there and passes is told.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.theirs.plugin import RESULTS

FOLDER = Path(__file__).parent
MODULES = (
    "cluster/tests/test_bisect_k_means.py",
    "cluster/tests/test_dbscan.py",
    "cluster/tests/test_hierarchical.py",
    "cluster/tests/test_k_means.py",
    "cluster/tests/test_optics.py",
    "cluster/tests/test_spectral.py",
    "cross_decomposition/tests/test_pls.py",
    "decomposition/tests/test_nmf.py",
    "decomposition/tests/test_pca.py",
    "ensemble/tests/test_bagging.py",
    "ensemble/tests/test_forest.py",
    "ensemble/tests/test_gradient_boosting.py",
    "ensemble/tests/test_weight_boosting.py",
    "linear_model/tests/test_base.py",
    "linear_model/tests/test_coordinate_descent.py",
    "linear_model/tests/test_logistic.py",
    "linear_model/tests/test_perceptron.py",
    "linear_model/tests/test_ridge.py",
    "mixture/tests/test_gaussian_mixture.py",
    "tests/test_multiclass.py",
    "neighbors/tests/test_neighbors.py",
    "neural_network/tests/test_mlp.py",
    "svm/tests/test_svm.py",
    "tests/test_discriminant_analysis.py",
    "tests/test_naive_bayes.py",
    "tree/tests/test_tree.py",
)


@dataclass(frozen=True)
class Reason:
    """Reason why tests of these names fail, if the failure's last line has one of ``says``."""

    pattern: str
    sentence: str
    says: tuple[str, ...] = ()

    def means(self, test: str, why: str) -> bool:
        """Return whether it is the reason of a failure."""
        return matches(self.pattern, test) and (
            not self.says or any(text in why for text in self.says)
        )


def listed() -> list[Reason]:
    """Return why tests are out of scope."""
    groups = tomllib.loads((FOLDER / "out_of_scope.toml").read_text(encoding="utf-8"))["group"]
    return [
        Reason(test, group["reason"], tuple(group.get("says", ())))
        for group in groups
        for test in group["tests"]
    ]


def matches(pattern: str, test: str) -> bool:
    """Return whether a pattern matches a test: a star is any text, parameters may be left out.

    Examples
    --------
    >>> [matches("a.py::test_*fit", test) for test in ("a.py::test_a_fit[0]", "a.py::test_fitted")]
    [True, False]
    """
    form = re.escape(pattern).replace(r"\*", ".*")
    return re.fullmatch(rf"{form}(\[.*\])?", test, re.DOTALL) is not None


def judge(
    outcomes: Mapping[str, Mapping[str, Any]], reasons: Sequence[Reason]
) -> tuple[list[str], list[str]]:
    """Return the failures that have no reason, and the patterns of reasons that mean no failure.

    Examples
    --------
    >>> outcomes = {"a.py::x": {"outcome": "failed", "why": "E"}, "a.py::y": {"outcome": "passed"}}
    >>> judge(outcomes, [Reason("a.py::y", "Not offered.")])
    (['a.py::x'], ['a.py::y'])
    """
    failed = {
        test: outcome["why"] for test, outcome in outcomes.items() if outcome["outcome"] == "failed"
    }
    unlisted = [
        test
        for test, why in failed.items()
        if not any(reason.means(test, why) for reason in reasons)
    ]
    idle = [
        each.pattern
        for each in reasons
        if not any(each.means(test, why) for test, why in failed.items())
    ]
    return unlisted, idle


def run(modules: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Run modules of tests in a process of their own, and return what became of each test."""
    import sklearn

    folder = Path(sklearn.__file__).parent
    with tempfile.TemporaryDirectory() as temporary:
        results = Path(temporary) / "outcomes.json"
        options = ["-q", "--tb=short", "-rN", "-n", "2", "--dist", "loadfile", "--show-capture=no"]
        plugins = ["-p", "tests.theirs.plugin", "-p", "no:cacheprovider"]
        place = ("-c", os.devnull, "--rootdir", folder)
        files = (folder / module for module in modules)
        command = [sys.executable, "-m", "pytest", *options, *plugins, *place, *files]
        # A worker of our own suite must not take itself for one of theirs.
        outside = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
        }
        environment = {**outside, RESULTS: str(results), "PYTHONPATH": str(FOLDER.parents[1])}
        done = subprocess.run(
            [str(part) for part in command],
            env=environment,
            cwd=temporary,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode > 1 or not results.is_file():
            sys.exit(f"scikit-learn's tests could not be run:\n{done.stdout}\n{done.stderr}")
        outcomes: dict[str, dict[str, Any]] = json.loads(results.read_text())
    return {test.rpartition("sklearn/")[2]: outcome for test, outcome in outcomes.items()}


def main(names: Sequence[str]) -> int:
    """Run the modules whose names contain one of these; return 0 if every failure has a reason."""
    modules = [module for module in MODULES if not names or any(name in module for name in names)]
    if not modules:
        sys.exit(f"No module is called so; there are {', '.join(MODULES)}.")
    outcomes = run(modules)
    reasons = [each for each in listed() if each.pattern.partition("::")[0] in (*modules, "*")]
    unlisted, idle = judge(outcomes, reasons)
    for test in unlisted:
        print(f"FAILED {test}\n    {outcomes[test]['why']}")
    for pattern in set(idle) - {"*"}:
        print(f"listed, but fails no more (or is not there): {pattern}")
    ours = [
        outcome["outcome"]
        for outcome in outcomes.values()
        if outcome["ours"] or outcome["outcome"] == "failed"
    ]
    print(
        f"{ours.count('passed')} of scikit-learn's tests pass on the project's classes; of"
        f" {ours.count('failed')} failures, {len(unlisted)} have no reason in"
        " tests/theirs/out_of_scope.toml."
    )
    return int(bool(unlisted))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
