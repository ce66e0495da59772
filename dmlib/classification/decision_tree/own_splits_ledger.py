"""The reader's splits in words and numbers, beside those that the algorithm prefers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable
from dmlib.problem import Problem
from dmlib.trees.significance_ledger import digits, short
from dmlib.trees.split_ledger import SCORES
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.tests_ledger import question

CLOSE = 1e-9  # scores that differ by less are equal


class OwnSplits:
    """The splits that the reader prescribed.

    Parameters
    ----------
    problem : Problem
        The data.
    paths : collection of str
        The paths of the nodes that the reader split.
    criterion : str
        The split criterion.
    """

    def __init__(self, problem: Problem, paths: Collection[str], criterion: str) -> None:
        self.problem, self.paths, self.score_name = problem, paths, SCORES[criterion]

    def of(self, steps: Sequence[DecisionTreeStep]) -> list[DecisionTreeStep]:
        """Return the steps that made such a split."""
        return [step for step in steps if step.phase == "split" and step.path in self.paths]

    def caption(self, step: DecisionTreeStep) -> str:
        """Compare a split with the one that the algorithm would have made."""
        assert step.chosen is not None
        assert step.best is not None
        test, score = question(step.chosen.split, self.problem), short(step.chosen.score)
        own = f"You split {node_name(step.node)} by {test}, with {self.score_name} {score}"
        best = f"{question(step.best.split, self.problem)} has {short(step.best.score)}"
        if step.loss > CLOSE:
            return f"{own}; {best}, so {short(step.loss)} is lost."
        if step.loss < -CLOSE:
            return f"{own}; {best}, and is preferred as its gain is not below average."
        return f"{own}; no other split has more."

    def turn(self, step: DecisionTreeStep, earlier_steps: Sequence[DecisionTreeStep]) -> str:
        """Return the caption while the reader chooses a split, with the loss of the last one."""
        own = self.of(earlier_steps)
        if not own:
            return (
                f"Your turn at {node_name(step.node)}: choose a column and a split of its values,"
                " then press Split."
            )
        last = own[-1]
        loss = f"lost {short(last.loss)}" if last.loss > CLOSE else "lost nothing"
        return (
            f"Your split of {node_name(last.node)} {loss}; now it is the turn of"
            f" {node_name(step.node)}."
        )

    def comparison(self, steps: Sequence[DecisionTreeStep]) -> Blocks:
        """Return a table of these splits and the best ones, and the losses."""
        rows: list[list[Cell]] = []
        losses: Blocks = []
        for step in self.of(steps):
            chosen, best = step.chosen, step.best
            assert chosen is not None
            assert best is not None
            is_best = best.split == chosen.split
            authors = [("both", chosen)] if is_best else [("you", chosen), ("best", best)]
            for author, candidate in authors:
                test = question(candidate.split, self.problem)
                rows.append([step.node + 1, author, test, digits(candidate.score)])
            if step.loss > CLOSE:
                difference = f"{short(best.score)} − {short(chosen.score)} = {short(step.loss)}"
                losses.append(Formula(f"lost at {node_name(step.node)}: {difference}"))
        if not rows:
            return []
        head = ("node", "by", "test", self.score_name)
        return [LedgerTable(head, rows, "Your splits and the algorithm's"), *losses]
