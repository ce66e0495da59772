import ui
from dmlib.classification import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from dmlib.classification.lda_classifier.figures.assumptions import assumptions
from dmlib.classification.lda_classifier.figures.logistic_rival import logistic_rival
from dmlib.classification.lda_classifier.reference import lda_reference
from dmlib.classification.lda_classifier.scene import lda_scene

ui.show(
    ui.Technique(
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
        data=ui.Table("classes", {"source": "library", "data": "penguins"}),
        scene=lda_scene,
        check=ui.Check(lda_reference, ("means_", "predict_proba")),
        results={},
        figures=(
            ui.Plot(
                "Logistic regression",
                logistic_rival,
                "Boundaries and errors of logistic regression on the same rows.",
            ),
            ui.Plot(
                "Assumptions",
                assumptions,
                "Are the classes normal, with equal covariance matrices?",
            ),
            ui.confusion_matrix(),
        ),
        tools=(ui.Ask(always=True),),
    )
)
