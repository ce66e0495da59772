import dashboard
from dmlib.classification import PRISM, RIPPER, C45Rules, OneRule, SequentialCovering
from dmlib.classification.rule_learning.figures.rule_table import rule_table
from dmlib.classification.rule_learning.questions import Rule, questions
from dmlib.classification.rule_learning.reference import rule_learning_reference
from dmlib.classification.rule_learning.scene import rule_learning_scene

TECHNIQUE = dashboard.Technique(
    slug="rule_learning",
    methods={
        "PRISM": PRISM,
        "Sequential covering": SequentialCovering,
        "RIPPER": RIPPER,
        "C4.5rules": C45Rules,
        "1R": OneRule,
    },
    labels={
        "Rules": {
            "max_conditions": "Max. conditions of a rule",
            "k": "Optimisation passes k",
            "class_order": "Order of the classes",
            "pruning": "Pruning",
            "prune_fraction": "Pruning set fraction",
            "min_bucket": "Min. bucket size",
            "confidence": "Confidence level CF",
            "min_samples_leaf": "Min. samples per leaf",
        }
    },
    data=dashboard.Table("classes", row_limit=2000),
    opening="the-weather-in-six-rules",
    scene=rule_learning_scene,
    check=dashboard.Check(rule_learning_reference, ("predict",)),
    results={"Rules": "n_rules_"},
    figures=(
        dashboard.Plot(
            "Rules", rule_table, "All rules in the order in which they are asked, and the default."
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Ask(always=True),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
