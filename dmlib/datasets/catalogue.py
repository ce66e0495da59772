"""What is in the library: facts about each data set, readable without loading any of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Entry:
    """One data set of the library.

    Attributes
    ----------
    title, description : str
        A few words, and one sentence.
    rows, columns : int
        The size; of baskets: their number and the number of items; of a graph: nodes and edges.
    source, licence : str
        Who made it, and on what terms it is passed on.
    kind : {"table", "baskets", "graph"}
        What `load` returns: `Table`, `Baskets` or `GraphData`.
    target : str or None
        The column (of a graph: the node attribute) that is predicted or holds the known groups.
    features : tuple of (str, str)
        Two numeric columns for a first look in the plane; empty where there are none.
    levels : mapping of str to tuple of str
        The values of nominal columns, in the order in which they are declared and shown.
    ordinal : tuple of str
        The columns whose levels, or numbers, are ordered.
    installed : str
        Where an installed package has it, as "module:function"; otherwise it is a file in assets/data.
    count : str
        The column of the file that says how often a row occurs; empty where each row stands for itself.
    numeric_target : bool
        Whether the target is a number to predict, not a class.
    """

    title: str
    description: str
    rows: int
    columns: int
    source: str
    licence: str
    kind: Literal["table", "baskets", "graph"] = "table"
    target: str | None = None
    features: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordinal: tuple[str, ...] = ()
    installed: str = ""
    count: str = ""
    numeric_target: bool = False

    @property
    def size(self) -> str:
        """The size in words."""
        words = {"table": ("rows", "columns"), "baskets": ("baskets", "items"), "graph": ("nodes", "edges")}
        rows, columns = words[self.kind]
        return f"{self.rows} {rows}, {self.columns} {columns}"


_UCI = "CC BY 4.0 (UCI Machine Learning Repository)"
_FACTS = "Published table of facts, cited"
_PUBLIC = "Public domain"
_NO_YES = ("no", "yes")
_ZOO = (
    "hair",
    "feathers",
    "eggs",
    "milk",
    "airborne",
    "aquatic",
    "predator",
    "toothed",
    "backbone",
    "breathes",
    "venomous",
    "fins",
    "tail",
    "domestic",
    "catsize",
)
_WEATHER = {
    "outlook": ("sunny", "overcast", "rainy"),
    "windy": ("TRUE", "FALSE"),
    "play": ("yes", "no"),
}
_QUINLAN = "Quinlan (1986), Induction of decision trees, Machine Learning 1, Table 1"

LIBRARY: Mapping[str, Entry] = {
    "iris": Entry(
        "Iris",
        "Lengths and widths of the sepals and petals, in cm, of 150 iris flowers of three species.",
        150,
        5,
        "Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7; "
        "measured by E. Anderson",
        _UCI,
        target="species",
        features=("petal_length", "petal_width"),
        levels={"species": ("setosa", "versicolor", "virginica")},
    ),
    "penguins": Entry(
        "Palmer penguins",
        "Size, sex and island of 344 penguins of three species, with some values missing.",
        344,
        8,
        "Horst, Hill and Gorman (2020), palmerpenguins; measured by K. Gorman and the Palmer Station LTER",
        "CC0 1.0",
        target="species",
        features=("flipper_length_mm", "bill_length_mm"),
        levels={
            "species": ("Adelie", "Chinstrap", "Gentoo"),
            "island": ("Biscoe", "Dream", "Torgersen"),
            "sex": ("female", "male"),
        },
    ),
    "faithful": Entry(
        "Old Faithful",
        "Length of 272 eruptions of the geyser Old Faithful and the wait until the next, in minutes.",
        272,
        2,
        "Azzalini and Bowman (1990), A look at some data on the Old Faithful geyser, Applied Statistics 39",
        _FACTS,
        features=("eruptions", "waiting"),
    ),
    "wine": Entry(
        "Wine",
        "Thirteen chemical measurements of 178 wines from three cultivars; the scales differ a thousandfold.",
        178,
        14,
        "Aeberhard and Forina (1992), Wine, UCI Machine Learning Repository",
        _UCI,
        target="cultivar",
        features=("flavanoids", "proline"),
        levels={"cultivar": ("1", "2", "3")},
        installed="sklearn.datasets:load_wine",
    ),
    "breast_cancer": Entry(
        "Breast cancer (Wisconsin)",
        "Thirty measurements of the cell nuclei in 569 breast tumours, malignant or benign.",
        569,
        31,
        "Wolberg, Mangasarian, Street and Street (1995), Breast Cancer Wisconsin (Diagnostic), "
        "UCI Machine Learning Repository",
        _UCI,
        target="diagnosis",
        features=("mean_radius", "mean_texture"),
        levels={"diagnosis": ("malignant", "benign")},
        installed="sklearn.datasets:load_breast_cancer",
    ),
    "digits": Entry(
        "Handwritten digits",
        "1,797 handwritten digits as pictures of 8 x 8 grey values from 0 to 16.",
        1797,
        65,
        "Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits, UCI Machine Learning Repository",
        _UCI,
        target="digit",
        features=("pixel_2_4", "pixel_5_2"),
        levels={"digit": tuple("0123456789")},
        installed="sklearn.datasets:load_digits",
    ),
    "diabetes": Entry(
        "Diabetes progression",
        "Ten measurements of 442 patients and the progress of their diabetes a year later.",
        442,
        11,
        "Efron, Hastie, Johnstone and Tibshirani (2004), Least angle regression, Annals of Statistics 32",
        "Distributed with scikit-learn (BSD 3-Clause)",
        target="progression",
        numeric_target=True,
        features=("bmi", "s5"),
        levels={"sex": ("1", "2")},
        installed="sklearn.datasets:load_diabetes",
    ),
    "weather_nominal": Entry(
        "Weather, nominal",
        "Fourteen days, their weather in words, and whether the game was played.",
        14,
        5,
        _QUINLAN,
        _FACTS,
        target="play",
        levels={
            "outlook": _WEATHER["outlook"],
            "temperature": ("hot", "mild", "cool"),
            "humidity": ("high", "normal"),
            "windy": _WEATHER["windy"],
            "play": _WEATHER["play"],
        },
    ),
    "weather_numeric": Entry(
        "Weather, numeric",
        "The same fourteen days with temperature and humidity as numbers.",
        14,
        5,
        "Quinlan (1993), C4.5: Programs for Machine Learning, Morgan Kaufmann; in the form of "
        "Witten and Frank (2000), Data Mining, Table 1.3",
        _FACTS,
        target="play",
        features=("temperature", "humidity"),
        levels=_WEATHER,
    ),
    "contact_lenses": Entry(
        "Contact lenses",
        "All 24 combinations of four attributes of a patient, and the lenses that suit.",
        24,
        5,
        "Cendrowska (1987), PRISM: an algorithm for inducing modular rules, "
        "International Journal of Man-Machine Studies 27",
        _UCI,
        target="lenses",
        levels={
            "age": ("young", "pre-presbyopic", "presbyopic"),
            "spectacle_prescription": ("myope", "hypermetrope"),
            "astigmatism": _NO_YES,
            "tear_rate": ("reduced", "normal"),
            "lenses": ("soft", "hard", "none"),
        },
    ),
    "titanic": Entry(
        "Titanic",
        "Class, age, sex and survival of the 2,201 people on board.",
        2201,
        4,
        "Dawson (1995), The unusual episode data revisited, Journal of Statistics Education 3(3)",
        _FACTS,
        target="survived",
        levels={
            "class": ("1st", "2nd", "3rd", "crew"),
            "age": ("adult", "child"),
            "sex": ("male", "female"),
            "survived": ("yes", "no"),
        },
        count="count",
    ),
    "zoo": Entry(
        "Zoo",
        "Traits of 101 animals of seven types: fifteen of them yes (1) or no (0), and the number of legs.",
        101,
        18,
        "Forsyth (1990), Zoo, UCI Machine Learning Repository",
        _UCI,
        target="type",
        levels={
            **dict.fromkeys(_ZOO, ("0", "1")),
            "type": ("mammal", "bird", "reptile", "fish", "amphibian", "insect", "invertebrate"),
        },
    ),
    "heart_disease": Entry(
        "Heart disease (Cleveland)",
        "Age, sex, symptoms and tests of 303 patients, and whether an artery was narrowed; six values missing.",
        303,
        14,
        "Detrano et al. (1989), International application of a new probability algorithm for the diagnosis of coronary "
        "artery disease, American Journal of Cardiology 64; Heart Disease, UCI Machine Learning Repository",
        _UCI,
        target="narrowing",
        features=("age", "max_heart_rate"),
        levels={
            "sex": ("female", "male"),
            "chest_pain": ("typical angina", "atypical angina", "non-anginal", "asymptomatic"),
            "fasting_sugar_over_120": _NO_YES,
            "rest_ecg": ("normal", "ST-T abnormal", "left vent hypertrophy"),
            "exercise_angina": _NO_YES,
            "st_slope": ("upsloping", "flat", "downsloping"),
            "thal": ("normal", "fixed defect", "reversible defect"),
            "narrowing": _NO_YES,
        },
        ordinal=("st_slope",),
    ),
    "banks": Entry(
        "Financially weak banks",
        "Loans and expenses as shares of the assets of 20 banks, half of which an expert called financially weak.",
        20,
        3,
        "Patel (2003), Data Mining, MIT course 15.062, notes on logistic regression, Table 2",
        _FACTS,
        target="weak",
        features=("loans_to_assets", "expenses_to_assets"),
        levels={"weak": _NO_YES},
    ),
    "telephone": Entry(
        "Telephone service, grouped",
        "10,524 households in eight groups: how many took a new telephone service, and how many did not.",
        16,
        5,
        "Patel (2003), Data Mining, MIT course 15.062, notes on logistic regression, Table 1",
        _FACTS,
        target="adopted",
        features=("college", "moved"),
        levels={"adopted": _NO_YES},
    ),
    "automobile": Entry(
        "Automobiles 1985",
        "Make, build, engine and price of 205 cars, with 59 values missing.",
        205,
        26,
        "Schlimmer (1987), Automobile, UCI Machine Learning Repository; from Ward's Automotive Yearbook 1985",
        _UCI,
        target="price",
        numeric_target=True,
        features=("horsepower", "price"),
        ordinal=("symboling",),
    ),
    "mtcars": Entry(
        "Motor Trend cars",
        "Fuel consumption and ten aspects of build of 32 cars of 1973 and 1974.",
        32,
        12,
        "Henderson and Velleman (1981), Building multiple regression models interactively, Biometrics 37",
        _FACTS,
        target="mpg",
        numeric_target=True,
        features=("wt", "mpg"),
    ),
    "wages": Entry(
        "Wages 1985",
        "Hourly wage in dollars, education, experience and circumstances of 534 workers.",
        534,
        11,
        "Berndt (1991), The Practice of Econometrics, Addison-Wesley; Current Population Survey 1985",
        "PDDL 1.0, contents CC0 1.0",
        target="wage",
        numeric_target=True,
        features=("education", "wage"),
        levels={"south": _NO_YES, "union": _NO_YES, "married": _NO_YES},
    ),
    "us_crime": Entry(
        "Crime in the US states 2009",
        "Crime rates, schooling, poverty and city life in the 50 states and the capital.",
        51,
        8,
        "American Statistical Abstract and American Community Survey 2009, in statsmodels (statecrime)",
        _PUBLIC,
        features=("poverty", "violent"),
    ),
    "us_arrests": Entry(
        "Arrests in the US states 1973",
        "Arrests per 100,000 people for murder, assault and rape, and percent city people, in the 50 states.",
        50,
        5,
        "McNeil (1977), Interactive Data Analysis, Wiley, from the World Almanac and Book of Facts 1975",
        _FACTS,
        features=("murder", "assault"),
    ),
    "airquality": Entry(
        "Air quality in New York 1973",
        "Ozone, sunlight, wind and temperature on 153 days; ozone is missing on 37, sunlight on 7.",
        153,
        6,
        "Chambers, Cleveland, Kleiner and Tukey (1983), Graphical Methods for Data Analysis, Wadsworth",
        _FACTS,
        target="ozone",
        numeric_target=True,
        features=("temperature", "ozone"),
    ),
    "seattle_weather": Entry(
        "Weather in Seattle",
        "Rain, temperature, wind and kind of weather on the 1,461 days of 2012 to 2015.",
        1461,
        8,
        "US National Oceanic and Atmospheric Administration, in vega-datasets (seattle-weather)",
        "Public domain (US Government)",
        target="weather",
        features=("temp_min", "temp_max"),
        levels={"weather": ("sun", "fog", "drizzle", "rain", "snow")},
    ),
    "el_nino": Entry(
        "El Niño sea temperatures",
        "Monthly surface temperature in degrees Celsius of the eastern Pacific, 1950 to 2010, one row a year.",
        61,
        13,
        "US National Oceanic and Atmospheric Administration, in statsmodels (elnino)",
        _PUBLIC,
        features=("jan", "jul"),
    ),
    "anscombe": Entry(
        "Anscombe's quartet",
        "Four pairs of columns with the same means, variances and regression line, and four different stories.",
        11,
        8,
        "Anscombe (1973), Graphs in statistical analysis, American Statistician 27",
        _FACTS,
        target="y1",
        numeric_target=True,
        features=("x1", "y1"),
    ),
    "longley": Entry(
        "Longley's economy",
        "Employment and six nearly collinear figures of the US economy, 1947 to 1962.",
        16,
        7,
        "Longley (1967), An appraisal of least squares programs, Journal of the American Statistical Association 62",
        _PUBLIC,
        target="employed",
        numeric_target=True,
        features=("gnp", "employed"),
    ),
    "stackloss": Entry(
        "Stack loss",
        "Ammonia lost on 21 days by a plant, with the settings of its operation: a classic case for outliers.",
        21,
        4,
        "Brownlee (1965), Statistical Theory and Methodology in Science and Engineering, Wiley",
        _PUBLIC,
        target="stack_loss",
        numeric_target=True,
        features=("air_flow", "stack_loss"),
    ),
    "nile": Entry(
        "The Nile at Aswan",
        "Yearly flow of the Nile, 1871 to 1970, in 10^8 cubic metres; it falls about 1898.",
        100,
        2,
        "Cobb (1978), The problem of the Nile, Biometrika 65",
        _PUBLIC,
        target="volume",
        numeric_target=True,
        features=("year", "volume"),
    ),
    "planted_baskets": Entry(
        "Baskets with planted rules",
        "200 made-up market baskets in which three rules are planted: butter follows bread, sugar follows coffee and "
        "milk, crisps follow beer.",
        200,
        10,
        "Made by this program; not real purchases",
        "CC0 1.0",
        kind="baskets",
        installed="dmlib.datasets.generators:planted_baskets",
    ),
    "karate_club": Entry(
        "Karate club",
        "Friendships among 34 members of a club that split in two; the weight is the number of shared activities.",
        34,
        78,
        "Zachary (1977), An information flow model for conflict and fission in small groups, "
        "Journal of Anthropological Research 33",
        "Distributed with networkx (BSD 3-Clause)",
        kind="graph",
        target="club",
        installed="networkx:karate_club_graph",
    ),
    "les_miserables": Entry(
        "Les Misérables",
        "Which of the 77 characters of the novel appear together; the weight is the number of chapters.",
        77,
        254,
        "Knuth (1993), The Stanford GraphBase, ACM Press",
        "Distributed with networkx (BSD 3-Clause)",
        kind="graph",
        installed="networkx:les_miserables_graph",
    ),
    "southern_women": Entry(
        "Davis's southern women",
        "Which of 18 women attended which of 14 social events: a graph with two sides.",
        32,
        89,
        "Davis, Gardner and Gardner (1941), Deep South, University of Chicago Press",
        "Distributed with networkx (BSD 3-Clause)",
        kind="graph",
        target="bipartite",
        installed="networkx:davis_southern_women_graph",
    ),
    "florentine_families": Entry(
        "Florentine families",
        "Marriages among 15 families of Florence in the fifteenth century; the Medici stand in the middle.",
        15,
        20,
        "Padgett and Ansell (1993), Robust action and the rise of the Medici, American Journal of Sociology 98; "
        "Breiger and Pattison (1986)",
        "Distributed with networkx (BSD 3-Clause)",
        kind="graph",
        installed="networkx:florentine_families_graph",
    ),
}
