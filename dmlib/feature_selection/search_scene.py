"""A search as a picture: the way through the lattice of sets, or the columns in the set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.genetic_ledger import mean_score
from dmlib.feature_selection.lattice_scene import LatticePlot
from dmlib.feature_selection.membership_scene import MembershipPlot
from dmlib.feature_selection.rows_scene import Fit, FittedRows, PairRows, row_values, shown_step
from dmlib.feature_selection.scores import Subset, goodness
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.search_ledger import SHORT, SearchNarrator, better_is
from dmlib.feature_selection.subset_search import SCORES
from dmlib.feature_selection.walk import Walk, all_sets
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.places import line_through, path_until, vertices_until
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.pictures.words import upper_first
from dmlib.problem import Problem

MAX_IN_LATTICE = 6  # columns up to which all sets are drawn
CHOSEN, SCORED, BEST = 0, 1, 2  # colours
LEGEND = (
    Key("set", CHOSEN, 0),
    Key("scored before", SCORED, 0),
    Key("best of all sets", BEST, 0, hollow=True),
)


def search_scene(run: Run[Problem, Any], show_all: bool) -> Scene:
    """Draw a search: of up to six columns the lattice of all sets, of more those in the set."""
    problem, steps = run.problem, run.trace.steps
    walk, notes = _walk(run, show_all)
    plot: LatticePlot | MembershipPlot = MembershipPlot(walk)
    if walk.is_small:
        plot = LatticePlot(walk)
    scores, narrator = ScorePlot(walk), SearchNarrator(walk.score, problem.features, walk.number)
    fit = Fit(problem) if problem.numeric_target else None
    rows = FittedRows(fit) if fit else SetRows(problem)

    def draw(moment: Moment) -> Drawing:
        step: SearchStep = moment.step
        subset = shown_step(problem, steps, step).subset
        marks = (*plot.marks(moment), *scores.marks(moment), *rows.marks(subset))
        caption, ledger = narrator.caption_and_ledger(step, moment.before)
        ledger = [*ledger, *_selected_row(run, fit, step.subset, walk)]
        return Drawing(marks, caption, ledger, step.phase)

    legend = () if not walk.is_small else LEGEND[:2] if walk.best is None else LEGEND
    return story(
        run,
        draw,
        panels=(plot.panel, scores.panel, rows.panel),
        fold=plot.fold,
        legend=legend,
        notes=(f"{narrator.name} is to be {better_is(walk.score.name)}.", *notes),
    )


def _walk(run: Run[Problem, Any], show_all: bool) -> tuple[Walk, tuple[str, ...]]:
    """Return a run with its score, and a note where not all sets can be scored."""
    training, steps = run.problem.training, run.trace.steps
    score = run.once("score", lambda: run.model.scorer(training.X, training.y))
    for step in steps:
        score.remember((*step.candidates, step.subset), (*step.values, step.value))
    is_small = score.n_features <= MAX_IN_LATTICE
    sets = all_sets(score.n_features) if is_small else []
    is_slow = show_all and not score.affordable(sets)
    best: Subset | None = None
    if is_small and show_all and not is_slow:
        best = max(sets, key=lambda subset: goodness(score, score(subset)))
    if not is_small:
        sets = [subset for step in steps for subset in step.best or step.candidates]
    number = {subset: i for i, subset in enumerate(dict.fromkeys(sets), 1)}
    walk = Walk(steps, score, run.problem.features, best, number, is_small)
    if not is_slow:
        return walk, ()
    reason = "this model takes too long for all"
    return walk, (f"Scores are those of the sets that were compared: {reason}.",)


def _selected_row(run: Run[Problem, Any], fit: Fit | None, subset: Subset, walk: Walk) -> Blocks:
    if run.selected is None:
        return []
    if fit:
        return fit.row(subset, run.selected)
    columns = range(min(12, walk.score.n_features))
    return [row_values(run.problem, run.selected, columns, "" if walk.is_small else "column")]


class SetRows:
    """The rows by the first two columns of a set; of the empty set, by the first two of all.

    Parameters
    ----------
    problem : Problem
        The data.
    """

    def __init__(self, problem: Problem) -> None:
        self.rows = PairRows(problem, "Rows: two columns")
        self.panel, self.first = self.rows.panel, tuple(range(problem.X.shape[1]))[:2]

    def marks(self, subset: Subset) -> tuple[Mark, ...]:
        """Return the rows by columns of a set."""
        columns = subset or self.first
        return self.rows.marks((columns[0], columns[1] if len(columns) > 1 else None))


class ScorePlot:
    """The scores of the sets on the way by their size, or of annealing by the step.

    Parameters
    ----------
    walk : Walk
        The run.
    """

    def __init__(self, walk: Walk) -> None:
        self.walk, steps = walk, walk.steps
        self.has_best = bool(steps[-1].best)
        self.means = _mean_scores(steps)
        self.by_step = steps[0].incumbent is not None or bool(self.means)
        way = [(self._x(step), step.value) for step in steps]
        sets = dict.fromkeys(subset for step in steps for subset in self._sets(step))
        scores = [mean for _, mean in self.means] or [walk.score(subset) for subset in sets]
        values = np.array([*scores, *(value for _, value in way)])
        label = SHORT.get(walk.score.name, SCORES[walk.score.name])
        self.axis = Axis(label, *bounds(values[np.isfinite(values)], 0.08))
        x, unit = self._across()
        self.panel = Panel("scores", x, self.axis, f"{upper_first(label)} by {unit}", side=True)
        self.path = [place for place in way if np.isfinite(place[1])]
        self.n_places = np.cumsum([np.isfinite(value) for _, value in way])

    def _across(self) -> tuple[Axis, str]:
        """Return the horizontal axis, and what the title says of it."""
        if not self.by_step:
            n_features = self.walk.score.n_features
            return Axis("columns in the set", -0.3, n_features + 0.3, integer=True), "size"
        unit = "generation" if self.means else "step"
        last = len(self.means or self.walk.steps) - 1.0
        axis = Axis(unit, *bounds([0.0, max(last, 1.0)], 0.03), integer=True)
        return axis, f"{unit}; dashed: the mean" if self.means else unit

    def _x(self, step: SearchStep) -> int:
        if self.means:
            return min(step.iteration, len(self.means) - 1)  # the end is that of the last
        return step.iteration if self.by_step else len(step.subset)

    def _sets(self, step: SearchStep) -> tuple[Subset, ...]:
        return tuple(step.best if self.has_best else step.candidates)

    def marks(self, moment: Moment) -> tuple[Mark, ...]:
        """Return the scores up to a moment."""
        step: SearchStep = moment.step
        places = self._places(step)
        is_inside = (places[:, 1] >= self.axis.low) & (places[:, 1] <= self.axis.high)
        x, y, numbers = places[is_inside].T
        dots = Points(
            panel="scores",
            x=x,
            y=y,
            color=[SCORED],
            symbol=[0],
            size=[3.0],
            opacity=[0.7],
            numbers=numbers,
            of="set",
        )
        number = self.walk.number.get(step.subset, 0) if np.isfinite(step.value) else 0
        if self.has_best:
            return self._best_of_sizes(places), dots, self._spot(step, number)
        n_places = int(self.n_places[moment.index])
        vertices = vertices_until(len(self.path), n_places - 1)[:n_places]
        path = [self.path[i] for i in vertices]
        line, end = path_until(path, len(path), panel="scores")
        return dots, *self._mean(moment), line, replace(end, numbers=[number], of="set")

    def _mean(self, moment: Moment) -> tuple[Line, ...]:
        """Return the mean scores of the generations so far."""
        if not self.means:
            return ()
        n_known = min(moment.index + 1, len(self.means))
        vertices = vertices_until(len(self.means), n_known - 1)
        places = [self.means[i] for i in vertices if i < n_known and np.isfinite(self.means[i][1])]
        return (line_through(places, panel="scores", color="muted", width=1.5, dash=True),)

    def _places(self, step: SearchStep) -> Floats:
        """Return size, score and number of each set that has a score."""
        walk = self.walk
        triples = [
            (self._x(step) if self.by_step else len(each), walk.score(each), walk.number[each])
            for each in self._sets(step)
        ]
        scored = [triple for triple in triples if np.isfinite(triple[1])]
        return np.array(scored, float).reshape(-1, 3)

    def _best_of_sizes(self, places: Floats) -> Line:
        return line_through(places[:, :2], panel="scores", color="accent", width=1.5)

    def _spot(self, step: SearchStep, number: int) -> Points:
        """Return the place of the set of a step, at the edge where it is outside."""
        value = np.nan_to_num(step.value, nan=self.axis.high)
        return Points(
            panel="scores",
            x=[float(len(step.subset))],
            y=[float(np.clip(value, self.axis.low, self.axis.high))],
            color=[CHOSEN],
            symbol=[0],
            size=[6.0],
            numbers=[number],
            of="set",
        )


def _mean_scores(steps: Sequence[SearchStep]) -> list[tuple[int, float]]:
    """Return each generation with its mean score; none of other searches."""
    generations = [step for step in steps if step.has_population and step.phase != "done"]
    return [(step.iteration, mean_score(step)) for step in generations]
