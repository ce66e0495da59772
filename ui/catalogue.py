"""The list of pages: what the navigation, the gallery and the course tracks know of each technique."""

from __future__ import annotations

from dataclasses import dataclass

FAMILIES = (
    "Data",
    "Dimension",
    "Classification",
    "Neural networks",
    "Regression",
    "Clustering",
    "Association",
    "Evaluation",
    "Large data",
)
"""The families of techniques, in the order of the courses."""


@dataclass(frozen=True)
class Entry:
    """One page.

    Attributes
    ----------
    slug : str
        Name of the page's file, lesson, picture and link.
    title : str
        The technique's usual name.
    family : str
        One of ``FAMILIES``.
    summary : str
        One sentence on what one can see there.
    words : str
        Further words under which the search finds it.
    panel : str
        The panel of its stage that home shows: the one that it is known by.
    """

    slug: str
    title: str
    family: str
    summary: str
    words: str = ""
    panel: str = "data"


CATALOGUE = {
    entry.slug: entry
    for entry in (
        Entry(
            "data_overview",
            "Meet your data",
            "Data",
            "A column is sorted, cut into quarters, balanced at its mean; every column is typed, checked and drawn.",
            "attribute type nominal ordinal interval ratio quality missing outlier histogram Sturges box plot scatter "
            "matrix parallel coordinates radar star correlation covariance quantile median mode variance cleaning",
        ),
        Entry(
            "pca",
            "Principal components",
            "Dimension",
            "An axis turns until the feet of the rows on it spread most; what it explains is found, and taken out.",
            "PCA eigenvalue eigenvector covariance scree biplot loadings scores projection svd whitening denoising",
        ),
        Entry(
            "lda_projection",
            "Fisher's discriminant projection",
            "Dimension",
            "An axis turns from the first principal component to where the classes lie apart most for their spread.",
            "LDA Fisher linear discriminant canonical variates Rayleigh quotient generalised eigenvalue between within "
            "scatter projection supervised dimension reduction PCA",
        ),
        Entry(
            "naive_bayes",
            "Naive Bayes",
            "Classification",
            "One attribute's factor after the other multiplies into the prior, until the posterior names the class.",
            "bayes gaussian categorical laplace smoothing m-estimate prior posterior likelihood decision boundary "
            "missing values weather product",
        ),
        Entry(
            "knn",
            "k nearest neighbours",
            "Classification",
            "The rows that are nearest to a place join one by one and vote, while you drag the place and choose k.",
            "k-nn lazy instance-based distance metric mahalanobis vote weights scaling bias variance overfitting "
            "decision boundary leave-one-out pebls mvdm",
        ),
        Entry(
            "decision_tree",
            "Decision tree",
            "Classification",
            "Tree and regions grow together, by the best of all candidate splits, or by splits that you choose.",
            "ID3 C4.5 J48 CART CHAID QUEST 1R OneR gini entropy information gain ratio pruning overfitting "
            "cross-validation decision boundary surrogate missing rules rpart",
            panel="tree",
        ),
        Entry(
            "adaboost",
            "AdaBoost and gradient boosting",
            "Classification",
            "Stumps vote one after the other; rows that one misclassifies grow until the next must get them right.",
            "boosting ensemble weak learner stump SAMME AdaBoost.M1 weights exponential loss margin gradient boosting "
            "residual shrinkage learning rate additive model log-loss overfitting noise xor",
        ),
        Entry(
            "multiclass",
            "Many classes by binary problems",
            "Classification",
            "Classifiers for two classes tell many apart: each against the rest, each against each, or bit by bit.",
            "multiclass one-versus-rest one-vs-rest OvR one-against-all one-versus-one OvO pairwise voting round robin "
            "error-correcting output codes ECOC Hamming distance code word ties Dietterich Bakiri reduction",
        ),
        Entry(
            "logistic_regression",
            "Logistic regression",
            "Classification",
            "Lines of equal probability turn into place while Newton or gradient steps climb the likelihood.",
            "logit sigmoid maximum likelihood newton raphson gradient descent sgd odds ratio separation "
            "regularisation ridge penalty overfitting decision boundary glm",
        ),
        Entry(
            "lda_classifier",
            "Discriminant analysis",
            "Classification",
            "Each class gets a mean and an ellipse; pooled ellipses make straight boundaries, single ones curved.",
            "LDA QDA linear discriminant quadratic discriminant Fisher Gaussian covariance pooled Mahalanobis "
            "regularised shrinkage Ledoit Wolf diagonal Box M normal posterior decision boundary MASS",
        ),
        Entry(
            "svm",
            "Support vector machines",
            "Classification",
            "Two multipliers move at a time inside their box, and the widest margin settles on a few rows.",
            "svm svc nu-svc smo kernel trick rbf polynomial sigmoid soft margin hard margin hinge loss slack "
            "regularisation overfitting cross-validation decision boundary dual multiplier kkt hyperplane lagrange",
        ),
        Entry(
            "relational_neighbour",
            "Relational neighbour classifier",
            "Classification",
            "A network whose few known labels spread sweep by sweep, by the weighted vote of each node's neighbours.",
            "wvRN weighted-vote network graph node classification collective relaxation labelling label propagation "
            "homophily assortativity harmonic transductive semi-supervised social karate club annealing",
        ),
        Entry(
            "kernels",
            "Kernels",
            "Classification",
            "The kernel of every two rows fills a matrix; two kernels join, and eigenvalues tell whether one is left.",
            "kernel trick matrix Gram Mercer positive semidefinite eigenvalue linear polynomial rbf Gaussian sigmoid "
            "Laplacian closure sum product zero extension feature map feature space",
            panel="matrix",
        ),
        Entry(
            "perceptron",
            "Perceptron and Adaline",
            "Neural networks",
            "A line turns at each row that is on its wrong side, and the mistakes are counted against a bound.",
            "Rosenblatt Widrow-Hoff LMS delta rule pocket averaged perceptron Gallant Novikoff margin bound mistakes "
            "XOR linear threshold unit neuron learning rate epoch Boolean function Minsky Papert",
        ),
        Entry(
            "linear_regression",
            "Linear regression",
            "Regression",
            "Drag a point, and the line, its squared residuals, its limits and its tests follow at once.",
            "least squares OLS normal equations svd gradient descent residual leverage Cook R-squared ANOVA t-test "
            "F-test confidence prediction interval Anscombe VIF contrast dummy coding lm",
        ),
        Entry(
            "kmeans",
            "k-means",
            "Clustering",
            "Centres and clusters pull each other into place, half-step by half-step, while the squared error falls.",
            "lloyd k-means++ centroid SSE elbow silhouette voronoi partition",
        ),
        Entry(
            "kmeans_variants",
            "Bisecting k-means, X-means",
            "Clustering",
            "Clusters split in two, and a criterion decides which split is kept and when there are enough.",
            "bisecting x-means xmeans BIC number of clusters divisive",
        ),
        Entry(
            "kmedoids",
            "k-medoids",
            "Clustering",
            "Clusters around rows of the data: swaps of medoids lower the total deviation, and outliers pull less.",
            "pam clara fasterpam partitioning around medoids swap build voronoi manhattan cosine robust outlier",
        ),
        Entry(
            "hierarchical",
            "Agglomerative clustering",
            "Clustering",
            "The two nearest clusters merge, again and again; the dendrogram grows with them, and a line cuts it.",
            "hierarchical dendrogram linkage single complete average ward centroid upgma cophenetic lance williams",
            panel="tree",
        ),
        Entry(
            "dbscan",
            "DBSCAN",
            "Clustering",
            "A disc goes from row to row; where it holds enough of them a cluster grows, and what is left is noise.",
            "density eps min_samples minPts core border noise k-distance outliers shape",
        ),
        Entry(
            "optics",
            "OPTICS",
            "Clustering",
            "A walk visits dense places first; clusters of every density are valleys of one curve, cut where you like.",
            "density reachability plot core distance ordering xi steep dbscan eps hierarchy",
            panel="order",
        ),
        Entry(
            "gaussian_mixture",
            "Gaussian mixture, EM",
            "Clustering",
            "Ellipses take their share of each row and move to fit it, half-step by half-step; the likelihood rises.",
            "EM expectation maximisation GMM soft clustering responsibilities covariance BIC AIC density mclust",
        ),
        Entry(
            "spectral",
            "Spectral clustering",
            "Clustering",
            "Similar rows are joined, eigenvectors of the graph give them new places, and k-means clusters them there.",
            "laplacian graph cut ratio cut normalised cut eigenvalue gap similarity affinity fiedler embedding knn rbf",
        ),
        Entry(
            "graph_clustering",
            "Threshold graph clustering",
            "Clustering",
            "Edges join in the order of their weights until a threshold; what hangs together by then is a cluster.",
            "connected components single linkage single-link effect chaining spanning tree union-find Kruskal network "
            "community social karate club similarity distance bridge",
        ),
        Entry(
            "apriori",
            "Apriori",
            "Association",
            "Item sets join, lose those with an infrequent subset, and are counted, level by level up their lattice.",
            "frequent item sets itemset support market basket association rules candidate join prune lattice downward "
            "closure AprioriTid AIS maximal closed transactions shopping",
            panel="lattice",
        ),
        Entry(
            "fp_growth",
            "FP-growth",
            "Association",
            "A tree that shares what baskets have in common grows basket by basket; conditional trees are opened.",
            "frequent pattern growth FP-tree header table node link conditional pattern base item sets itemset support "
            "market basket without candidates prefix tree transactions shopping",
            panel="tree",
        ),
        Entry(
            "association_rules",
            "Association rules",
            "Association",
            "Item sets are split into rules that take their places by support and confidence; lift says their worth.",
            "market basket confidence support lift leverage conviction Zhang Kulczynski imbalance Fisher p-value "
            "multiple testing Bonferroni Holm Benjamini-Hochberg redundant antecedent consequent ap-genrules MSapriori "
            "minimum item support MIS rare items discretise table tea coffee",
        ),
        Entry(
            "classifier_metrics",
            "Confusion matrix and its measures",
            "Evaluation",
            "Rows fall into the cells of true and predicted class, and every measure lights up its cells.",
            "accuracy precision recall F1 kappa MCC balanced cost log loss Brier ZeroR baseline macro micro threshold "
            "error rate misclassified test set cross-validation",
        ),
        Entry(
            "roc",
            "ROC and other curves of a threshold",
            "Evaluation",
            "A threshold falls through the sorted scores, and ROC, precision-recall, gains and profit move with it.",
            "AUC lift gains profit cost iso-performance precision recall sensitivity specificity threshold deciles "
            "cross-validation receiver operating characteristic",
        ),
        Entry(
            "mapreduce",
            "MapReduce",
            "Large data",
            "Splits go to workers, their pairs to reducers; a slow or dead worker costs time, and nothing is lost.",
            "map combine shuffle reduce distributed cluster parallel Hadoop Spark Dask word count matrix vector "
            "k-means naive bayes frequent item sets SON big data worker straggler speculative execution skew fault "
            "tolerance communication cost scale",
            panel="schedule",
        ),
    )
}
"""All pages by slug, in the order in which they are shown."""
