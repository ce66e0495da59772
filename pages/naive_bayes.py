import dashboard
from dmlib.classification import NaiveBayes
from dmlib.classification.naive_bayes.questions import Rule, questions
from dmlib.classification.naive_bayes.reference import naive_bayes_reference
from dmlib.classification.naive_bayes.scene import naive_bayes_scene

TECHNIQUE = dashboard.Technique(
    slug="naive_bayes",
    methods={"Naive Bayes": NaiveBayes},
    labels={
        "Algorithm": {
            "laplace": "Laplace smoothing",
            "m_estimate": "m-estimate (m rows)",
            "m_prior": "Prior estimate p",
            "numeric": "Numeric columns",
        },
        "Details": {
            "n_bins": "Number of bins",
            "ddof": "Delta degrees of freedom",
            "var_smoothing": "Variance smoothing",
        },
    },
    data=dashboard.Table("classes"),
    opening="the-weather-by-hand",
    scene=naive_bayes_scene,
    check=dashboard.Check(naive_bayes_reference, ("predict_proba",)),
    results={},
    figures=(dashboard.confusion_matrix(),),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Ask(always=True), dashboard.ClassPriors()),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
