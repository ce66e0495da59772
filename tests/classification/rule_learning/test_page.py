"""The page of rule learning: numbers of its presets and its lesson, the list, the figure."""

from functools import partial
from math import log2

import numpy as np
import pytest

from dmlib.classification import RIPPER, DecisionTreeClassifier, OneRule, SequentialCovering
from dmlib.classification.rule_learning.description_length import exception_bits
from dmlib.classification.rule_learning.figures.rule_table import plot_rule_table, rule_table_data
from dmlib.classification.rule_learning.reference import rule_learning_reference
from dmlib.classification.rule_learning.scene import rule_learning_scene
from dmlib.classification.rule_learning.simplification import pessimistic_error
from dmlib.classification.rule_learning.words import Words
from dmlib.pictures.run import Run
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import tables
from tests.visit import open_preset

run_of = partial(open_preset, "rule_learning")


def n_errors(run, model=None):
    """Misclassified rows of the training set and, where there is one, the test set."""
    model = model or run.fitted
    parts = [run.problem.training, run.problem.testing]
    return [int((model.predict(part.data) != part.y).sum()) for part in parts if part is not None]


def rules(run):
    words = Words(run.problem, run.fitted.classes_)
    return [words.rule(rule) for rule in run.fitted.rules_]


# Presets
# ---------------------------------------------------------------------------------------------


def test_the_weather():
    run, _, look_for = run_of("The weather in six rules")
    targets = [run.problem.classes[rule.target] for rule in run.fitted.rules_]
    assert (targets.count("yes"), targets.count("no")) == (4, 2)
    assert "Four rules for yes, two for no" in look_for
    assert {rule.accuracy for rule in run.fitted.rules_} == {1.0}
    assert n_errors(run) == [0]


def test_hard_lenses():
    run, scene, look_for = run_of("Hard lenses, by hand")
    counts = [
        (step.rule.n_right, step.rule.n_covered)
        for step in run.trace.steps[14:17]
        if step.phase == "grow"
    ]
    assert counts == [(4, 12), (4, 6), (3, 3)]
    assert "leaves 12 rows, 4 of them hard: 4/12" in look_for
    assert "raise that to 4/6 and 3/3" in look_for
    assert [frame["phase"] for frame in scene["frames"]][13:18] == ["class", *["grow"] * 3, "rule"]


def test_stray_points():
    run, _, look_for = run_of("Rules for stray points")
    assert f"{run.fitted.n_rules_} rules and no training error" in look_for
    assert n_errors(run) == [0, 20]
    small = sum(rule.n_covered <= 3 for rule in run.fitted.rules_)
    assert f"{small} rules cover at most 3 rows" in look_for
    run, *_ = run_of("Rules for stray points", max_conditions=1)
    training, test = n_errors(run)
    assert f"{run.fitted.n_rules_} rules, {training} training rows and {test} test" in look_for


def test_grow_prune_reject():
    run, _, look_for = run_of("Grow, prune, reject")
    steps = run.trace.steps
    removed = [
        len(step.before.conditions) - len(step.rule.conditions)
        for step in steps
        if step.phase == "prune"
    ]
    assert removed == [1, 1, 0]
    assert "Each of two rules loses its last condition" in look_for
    rejected = next(step for step in steps if step.phase == "reject")
    assert (rejected.prunings[0].n_right, rejected.prunings[0].n_covered) == (0, 2)
    assert n_errors(run)[1] == 14
    run, *_ = run_of("Grow, prune, reject", pruning=False)
    assert f"without Pruning {run.fitted.n_rules_} rules, and {n_errors(run)[1]}" in look_for


def test_no_column_alone():
    run, _, look_for = run_of("No column alone")
    assert [rule.n_covered for rule in run.fitted.rules_][:4] == [7, 2, 2, 1]
    assert all(len(rule.conditions) == 1 for rule in run.fitted.rules_[:4])
    assert f"{run.fitted.n_rules_} rules, {n_errors(run)[1]} of 60" in look_for
    other = Run.of(run.problem, SequentialCovering())
    assert (
        f"needs {other.fitted.n_rules_} rules, and misclassifies {n_errors(other)[1]}" in look_for
    )


def test_too_few_rows():
    run, _, look_for = run_of("Too few rows to prune")
    (step,) = [step for step in run.trace.steps if step.phase == "prune"]
    assert f"has {(step.active & ~step.growing).sum()} of 14 rows" in look_for
    assert step.prunings[0].n_covered == 0
    assert (run.fitted.n_rules_, n_errors(run)) == (0, [5])
    run, *_ = run_of("Too few rows to prune", pruning=False)
    assert (run.fitted.n_rules_, n_errors(run)) == (2, [0])


def test_the_order_of_the_classes():
    rare, _, look_for = run_of("The order of the classes")
    frequent = run_of("The order of the classes", class_order="frequent").run
    assert f"Rarest first: {rare.fitted.n_rules_} rules" in look_for
    assert f"Most frequent first: {frequent.fitted.n_rules_} rules" in look_for
    defaults = [run.problem.classes[run.fitted.default_] for run in (rare, frequent)]
    assert defaults == ["mammal", "amphibian"]
    assert "if breathes = 0 then fish" in rules(rare)
    assert "if fins = 1 then fish" in rules(frequent)


def test_one_column():
    run, _, look_for = run_of("One column is enough")
    training, test = n_errors(run)
    assert f"{training} of 105 training rows and {test} of 45 test rows" in look_for
    assert isinstance(run.model, OneRule)
    assert run.fitted.n_rules_ == 3


def test_the_bits_of_a_rule():
    run, *_ = run_of("The bits of a rule")
    step = run.trace.steps[4]
    (length,) = step.lengths
    assert (step.phase, step.rule.n_right, step.rule.n_covered) == ("rule", 3, 3)
    assert [f"{bits:.2f}" for bits in length.bits] == ["4.11", "12.06", "16.17"]
    assert (length.n_false_negatives, length.n_uncovered) == (2, 11)
    for number in ("4.11", "12.06", "16.17", "18.89"):
        assert number in text_of("rule_learning")
    assert exception_bits(0, 14, 0, 5) == pytest.approx(18.89, abs=0.005)


def test_one_pass_of_optimisation():
    run, _, look_for = run_of("One pass of optimisation")
    plain = Run.of(run.problem, RIPPER(k=0))
    errors = [n_errors(each)[1] / len(run.problem.testing.y) for each in (plain, run)]
    assert f"{plain.fitted.n_rules_} rules, {errors[0]:.1%}".replace("%", " %") in look_for
    assert f"{run.fitted.n_rules_} rules stay" in look_for
    assert f"test error is {errors[1]:.1%}".replace("%", " %") in look_for
    choices = [step for step in run.trace.steps if step.phase == "choose"]
    assert choices[1].variants[choices[1].chosen].kind == "replacement"


def test_seven_leaves():
    run, scene, look_for = run_of("Seven leaves, six rules")
    steps = run.trace.steps
    assert sum(step.phase == "leaf" for step in steps) == 7
    assert run.fitted.n_rules_ == 6
    assert [step.phase for step in steps].count("reject") == 1
    step = steps[6]
    assert step.phase == "drop"
    assert scene["frames"][6]["phase"] == "drop"
    before, after = (f"{pessimistic_error(n, n, 0.25):.4g}" for n in (2, 4))
    assert f"U = 1 − 0.25^(1/2) = {before}" in look_for
    assert f"covers {step.rule.n_covered}, all right: {after}" in look_for
    assert step.candidates.scores[0] == pessimistic_error(4, 4, 0.25)
    formula = {"if a1 > 0 and a2 > 0 then yes", "if a3 > 0 and a4 > 0 then yes"}
    assert formula == {text for text in rules(run) if text.endswith("yes")}


def test_a_rule_that_costs_more():
    run, _, look_for = run_of("A rule that costs more than it saves")
    step = run.trace.steps[18]
    bits = [f"{step.lengths[number].total:.2f}" for number in (0, step.chosen + 1)]
    assert f"two rules, {bits[0]} bits" in look_for
    assert f"there are {bits[1]}: it goes" in look_for
    words = Words(run.problem, run.fitted.classes_)
    removed = step.pool[step.chosen]
    assert removed not in step.rules
    assert f"for which {words.conditions(removed)}" in look_for


def test_simplified_rules():
    run, _, look_for = run_of("Rules of a tree, simplified")
    tree = Run.of(run.problem, DecisionTreeClassifier())
    parts = run.problem.training, run.problem.testing
    shares = [
        f"{n / len(part.y):.1%}".replace("%", " %")
        for each in (tree, run)
        for n, part in zip(n_errors(each), parts, strict=True)
    ]
    assert f"{shares[0]} training error and {shares[1]} test error" in look_for
    n_rules = run.fitted.n_rules_
    text = f"Right {n_rules} simplified rules of a tree of C4.5: {shares[2]} and {shares[3]}"
    assert text in look_for


# The lesson
# ---------------------------------------------------------------------------------------------


def test_the_table_by_hand_is_that_of_the_ledger():
    """The very numbers of the text stand in the ledger of the three steps."""
    lines = [
        [cell.strip().strip("*") for cell in line.strip("|").split("|")]
        for line in section(text_of("rule_learning"), "By hand").splitlines()
        if line.startswith("| ") and " = " in line.split("|")[1]
    ]
    run, *_ = run_of("Hard lenses, by hand")
    frames = rule_learning_scene(run).frames
    for column, number in enumerate((14, 15, 16), 1):
        table = tables(frames[number])["Conditions that can be added"]
        counts = {row[0]: f"{row[1]}/{row[2]}" for row in table.rows}
        text = {line[0]: line[column] for line in lines if line[column]}
        assert counts == text
        assert list(table.emphasis) == [0]
    assert len(lines) == 9


def test_the_dropped_condition_by_hand_is_that_of_the_ledger():
    text = section(text_of("rule_learning"), "By hand").partition("A condition that is dropped")[2]
    lines = [
        tuple(cell.strip().strip("*") for cell in line.strip("|").split("|"))
        for line in text.splitlines()
        if line.startswith("| a")
    ]
    run, *_ = run_of("Seven leaves, six rules")
    table = tables(rule_learning_scene(run).frames[6])["The rule without a condition"]
    assert [tuple(f"{cell}" for cell in row) for row in table.rows] == lines
    limits = [pessimistic_error(*counts, 0.25) for counts in ((5, 6), (2, 2))]
    answer = f"$U(1, 6) = {limits[0]:.3f}$ is less than $U(0, 2) = {limits[1]:g}$"
    assert answer in text_of("rule_learning")


def test_the_gain_of_the_lesson():
    assert 4 * (log2(4 / 12) - log2(4 / 24)) == pytest.approx(4)
    gain = 29 * (log2(29 / 30) + 1)
    assert f"= {gain:.1f}$" in text_of("rule_learning")
    run, *_ = run_of("Hard lenses, by hand")
    X, y = run.problem.training.arguments
    steps = SequentialCovering(pruning=False).steps(X, y)
    step = next(step for step in steps if step.phase == "grow")
    assert run.problem.classes[step.target] == "hard"
    assert step.candidates.scores[step.chosen] == pytest.approx(4)


# Figure and check
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["Rules for stray points", "Grow, prune, reject"])
def test_the_table_of_rules_accounts_for_every_row(title):
    run = run_of(title).run
    data = rule_table_data(run)
    parts = {"training": run.problem.training, "test": run.problem.testing}
    for (name, part), wrong in zip(parts.items(), n_errors(run), strict=True):
        decided = np.array([row.decided[name] for row in data])
        assert decided[:, 1].sum() == len(part.y)
        assert (decided[:, 1] - decided[:, 0]).sum() == wrong
    figure = plot_rule_table(data)
    assert figure.data[0].cells["values"][0][-1] == "no rule fires"
    assert figure.layout.title.text.startswith(f"{run.fitted.n_rules_} rules")


@pytest.mark.parametrize("title", ["The weather in six rules", "Too few rows to prune"])
def test_pandas_finds_the_same_rows(title):
    run = run_of(title).run
    X = run.problem.training.data
    reference = rule_learning_reference(run).answer(run)
    assert reference.predict(X).tolist() == run.fitted.predict(X).tolist()
