"""Rule learning as pictures: rules in the plane, their list, and conditions by what they cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.rule_learning.boxes_scene import RuleBoxes
from dmlib.classification.rule_learning.coverage_scene import CoverageSpace, path_of_rule
from dmlib.classification.rule_learning.learner import RuleLearner, RuleStep
from dmlib.classification.rule_learning.ledger import Narrator
from dmlib.classification.rule_learning.list_scene import RuleList
from dmlib.classification.rule_learning.tree_rules import C45Rules
from dmlib.classification.rule_learning.tree_rules_ledger import TreeRulesNarrator
from dmlib.classification.rule_learning.words import Words
from dmlib.classification.staged_scene import ErrorCurves
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    evaluated,
    held_note,
    query_handle,
    region_panel,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, data_alone, story
from dmlib.problem import Problem

MAX_FRAMES = 60
MAX_FADED = 30_000  # rows times frames up to which rows are faded
REMOVED, OUTSIDE, WAITING = 0.12, 0.4, 0.25  # opacities of rows


def rule_learning_scene(run: Run[Problem, RuleLearner]) -> Scene:
    """Draw how rules are learned.

    Parameters
    ----------
    run : Run
        Steps of one of the rule learners.

    Returns
    -------
    Scene
        One frame a step; of a long run, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PRISM
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> [frame.phase for frame in rule_learning_scene(Run.of(problem, PRISM())).frames]
    ['class', 'grow', 'rule', 'class', 'grow', 'rule', 'done']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model, steps = run.problem, run.fitted, run.trace.steps
    thinned = thin(len(steps), MAX_FRAMES)
    numbers = thinned.tolist()
    visible = [steps[number] for number in numbers]
    plane, words = region_panel(problem), Words(problem, model.classes_)
    boxes = RuleBoxes(problem, plane, visible, words.codes)
    rules, space = RuleList(words, visible), CoverageSpace(problem, words.codes)
    curves = _curves(run, visible)
    rows = class_points(problem)
    narrator = (TreeRulesNarrator if isinstance(model, C45Rules) else Narrator)(
        problem, model, words, run.current_query
    )
    is_faded = len(problem.X) * len(numbers) <= MAX_FADED
    empty = np.empty(0, np.uint8)

    def draw(moment: Moment) -> Drawing:
        step: RuleStep = moment.step
        marks = (
            *step_surfaces(None if moment.is_last else (empty, empty), 1, run.surface, plane),
            *boxes.marks(step, is_last=moment.is_last),
            replace(rows, opacity=_opacity(problem, step)) if is_faded else rows,
            *rules.marks(step),
            *space.marks(step, moment.so_far),
            *curves.marks(numbers.index(moment.index) + 1),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plane, rules.panel, space.panel, curves.panel),
        numbers=numbers,
        fold=Fold((), path_of_rule),
        legend=class_legend(problem, Key("rule that grows", kind="line")),
        handles=(query_handle(run.current_query),),
        notes=(*held_note(problem), *rules.notes(), *thinned_note(thinned)),
    )


def _opacity(problem: Problem, step: RuleStep) -> Floats:
    """Return the opacities of rows: removed ones are pale, and those that a rule covers strong."""
    opacity = np.full(len(problem.X), 1.0 if step.phase in ("column", "done") else WAITING)
    training = np.where(step.active, 1.0, REMOVED)
    if step.rule is not None and step.candidate is not None:
        judges = step.growing if step.phase == "grow" else step.active & ~step.growing
        judges = judges if judges.any() else step.active
        training[step.active & ~step.covered] = OUTSIDE
        training[step.active & ~judges] = WAITING
    opacity[problem.trained] = training
    return opacity


def _curves(run: Run[Problem, RuleLearner], steps: Sequence[RuleStep]) -> ErrorCurves:
    """Return the errors of the rules so far on the training set, and on the test set."""
    model = run.fitted
    errors = {
        name: np.array([(labels != part.y).mean() for labels in model.predict_at(steps, part.data)])
        for name, part in evaluated(run.problem, model).items()
    }
    top = bounds(np.concatenate([*errors.values(), [0.0]]), 0.12)[1]
    return ErrorCurves("step", errors["training"], None, errors.get("test"), top)
