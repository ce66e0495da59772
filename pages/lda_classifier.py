import dashboard
from dmlib.classification import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from dmlib.classification.lda_classifier.figures.assumptions import assumptions
from dmlib.classification.lda_classifier.figures.logistic_rival import logistic_rival
from dmlib.classification.lda_classifier.questions import Rule, questions
from dmlib.classification.lda_classifier.reference import lda_reference
from dmlib.classification.lda_classifier.scene import lda_scene

TECHNIQUE = dashboard.Technique(
    slug="lda_classifier",
    methods={
        "Linear": LinearDiscriminantAnalysis,
        "Quadratic": QuadraticDiscriminantAnalysis,
        "Regularised": RegularizedDiscriminantAnalysis,
        "Diagonal": DiagonalDiscriminantAnalysis,
    },
    labels={
        "Algorithm": {
            "reg_param": "Regularisation (reg_param)",
            "pooling": "Pooling λ",
            "gamma": "Shrinkage γ",
            "pooled": "Pooled variances",
        }
    },
    data=dashboard.Table("classes", {"source": "library", "data": "penguins"}),
    scene=lda_scene,
    check=dashboard.Check(lda_reference, ("means_", "predict_proba")),
    results={},
    figures=(
        dashboard.Plot(
            "Logistic regression",
            logistic_rival,
            "Boundaries and errors of logistic regression on the same rows.",
        ),
        dashboard.Plot(
            "Assumptions", assumptions, "Are the classes normal, with equal covariance matrices?"
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Ask(always=True), dashboard.ClassPriors()),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
