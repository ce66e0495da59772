import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import LIBRARY, Baskets, GraphData, Table, load, names
from dmlib.datasets._files import data_path

LICENCES = data_path("LICENSES.md").read_text(encoding="utf-8")
TABLES = names("table")


def frame(name):
    return load(name).frame


@pytest.mark.parametrize("name", LIBRARY)
def test_an_entry_says_where_it_is_from_and_is_in_the_list_of_licences(name):
    entry = LIBRARY[name]
    assert entry.title
    assert entry.description.endswith(".")
    assert entry.source
    assert entry.licence
    assert f"| `{name}` |" in LICENCES


def test_the_list_of_licences_and_the_folder_hold_nothing_else():
    assert set(re.findall(r"^\| `(\w+)` \|", LICENCES, re.MULTILINE)) == set(LIBRARY)
    files = {path.stem for path in data_path("LICENSES.md").parent.glob("*.csv")}
    assert files == {name for name, entry in LIBRARY.items() if entry.stored}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_as_its_entry_says(name):
    entry, table = LIBRARY[name], load(name)
    assert isinstance(table, Table)
    assert table.frame.shape == (entry.rows, entry.columns)
    assert (table.name, table.title, table.target) == (name, entry.title, entry.target)
    assert (table.description, table.source, table.licence) == (
        entry.description,
        entry.source,
        entry.licence,
    )
    assert set(entry.features) <= set(table.numeric)
    assert len(entry.features) in (0, 2)
    assert isinstance(table.frame.index, pd.RangeIndex)
    assert all(re.fullmatch(r"\w+", column) for column in table.frame)


@pytest.mark.parametrize("name", TABLES)
def test_kinds_agree_with_the_values(name):
    table = load(name)
    for column, kind in table.kinds.items():
        values = table.frame[column]
        assert pd.api.types.is_numeric_dtype(values) or kind != "numeric"
        assert not pd.api.types.is_numeric_dtype(values) or kind != "nominal"
        assert values.notna().any()


@pytest.mark.parametrize(
    "name", [name for name in TABLES if LIBRARY[name].levels and not LIBRARY[name].installed]
)
def test_declared_levels_are_those_of_the_file(name):
    raw = pd.read_csv(data_path(f"{name}.csv"), dtype="str", keep_default_na=False)
    for column, levels in LIBRARY[name].levels.items():
        assert set(raw[column]) - {""} == set(levels)


def test_two_loads_share_nothing():
    first = load("iris")
    first.frame.iloc[0, 0] = 99
    assert load("iris").frame.iloc[0, 0] == 5.1


def test_an_unknown_name_is_refused_with_the_names():
    with pytest.raises(ValueError, match=r"no data set 'irises'. Choose one of iris"):
        load("irises")


def test_iris_is_that_of_scikit_learn():
    from sklearn.datasets import load_iris

    np.testing.assert_array_equal(frame("iris").iloc[:, :4], load_iris().data)
    means = frame("iris").groupby("species", observed=True)["petal_length"].mean()
    assert means.round(3).to_dict() == {"setosa": 1.462, "versicolor": 4.26, "virginica": 5.552}


@pytest.mark.parametrize("name", ["wine", "breast_cancer", "digits", "diabetes"])
def test_installed_tables_keep_their_classes(name):
    import sklearn.datasets

    options = {"scaled": False} if name == "diabetes" else {}
    bunch = getattr(sklearn.datasets, f"load_{name}")(**options)
    table = load(name)
    target = table.frame[table.target]
    numeric = table.frame[[column for column in table.numeric if column != table.target]]
    codes = target.cat.codes if name != "diabetes" else target
    np.testing.assert_array_equal(codes, bunch.target)
    assert numeric.shape[1] == bunch.data.shape[1] - (name == "diabetes")
    assert numeric.sum().sum() == pytest.approx(
        bunch.data.sum() - (bunch.data[:, 1].sum() if options else 0)
    )


def test_titanic_counts():
    t = frame("titanic")
    assert t["survived"].value_counts().to_dict() == {"no": 1490, "yes": 711}
    assert t["class"].value_counts().to_dict() == {"crew": 885, "3rd": 706, "1st": 325, "2nd": 285}
    assert t["sex"].value_counts().to_dict() == {"male": 1731, "female": 470}
    assert (t["age"] == "child").sum() == 109


def test_weather_counts_and_order():
    nominal, numeric = frame("weather_nominal"), frame("weather_numeric")
    assert nominal["play"].value_counts().to_dict() == {"yes": 9, "no": 5}
    assert nominal["outlook"].tolist() == numeric["outlook"].tolist()
    assert nominal.iloc[0].tolist() == ["sunny", "hot", "high", "FALSE", "no"]
    assert nominal["outlook"].cat.categories.tolist() == ["sunny", "overcast", "rainy"]
    assert numeric.groupby("play", observed=True)["temperature"].mean().round(1).to_dict() == {
        "yes": 73.0,
        "no": 74.6,
    }


def test_contact_lenses_are_all_combinations():
    t = frame("contact_lenses")
    assert t["lenses"].value_counts().to_dict() == {"none": 15, "soft": 5, "hard": 4}
    assert len(t.iloc[:, :4].drop_duplicates()) == 24


def test_zoo_counts():
    t = frame("zoo")
    assert t["type"].value_counts().to_dict() == {
        "mammal": 41,
        "bird": 20,
        "fish": 13,
        "invertebrate": 10,
        "insect": 8,
        "reptile": 5,
        "amphibian": 4,
    }
    assert (t["animal"] == "frog").sum() == 2
    assert ((t["milk"] == "1") == (t["type"] == "mammal")).all()


def test_faithful_and_mtcars_means():
    assert frame("faithful").mean().round(4).to_dict() == {"eruptions": 3.4878, "waiting": 70.8971}
    assert frame("mtcars")["mpg"].mean() == pytest.approx(20.090625)
    assert frame("mtcars")["wt"].mean() == pytest.approx(3.21725)


def test_arrests_are_those_of_the_monograph():
    t = frame("us_arrests")
    assert t.iloc[:, 1:].mean().round(3).to_dict() == {
        "murder": 7.788,
        "assault": 170.76,
        "urban_pop": 65.54,
        "rape": 21.232,
    }
    assert t["state"].iloc[[0, 4, 44]].tolist() == ["Alabama", "California", "Vermont"]


def test_anscombe_shares_its_statistics():
    t = frame("anscombe")
    for pair in range(1, 5):
        x, y = t[f"x{pair}"], t[f"y{pair}"]
        assert (x.mean(), x.var()) == (9, 11)
        assert y.mean() == pytest.approx(7.5, abs=0.01)
        assert np.polyfit(x, y, 1) == pytest.approx([0.5, 3], abs=0.01)


def test_holes_are_holes():
    air = frame("airquality")
    assert air.isna().sum().to_dict() == {
        "ozone": 37,
        "solar_radiation": 7,
        "wind": 0,
        "temperature": 0,
        "month": 0,
        "day": 0,
    }
    assert air["ozone"].mean() == pytest.approx(42.12931, abs=1e-5)
    penguins = frame("penguins")
    assert penguins["sex"].isna().sum() == 11
    assert penguins["bill_length_mm"].isna().sum() == 2
    assert penguins["species"].value_counts().to_dict() == {
        "Adelie": 152,
        "Gentoo": 124,
        "Chinstrap": 68,
    }
    assert frame("heart_disease").isna().sum().sum() == 6
    assert frame("heart_disease")["narrowing"].value_counts().to_dict() == {"no": 164, "yes": 139}
    assert frame("automobile").isna().sum().sum() == 59


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("us_crime", "statecrime"),
        ("el_nino", "elnino"),
        ("longley", "longley"),
        ("stackloss", "stackloss"),
        ("nile", "nile"),
    ],
)
def test_files_agree_with_statsmodels(name, package):
    import statsmodels.datasets

    theirs = getattr(statsmodels.datasets, package).load_pandas().data.select_dtypes("number")
    ours = frame(name).select_dtypes("number")
    # The names differ, and statsmodels makes the state an index.
    assert sorted(ours.sum().round(6)) == pytest.approx(sorted(theirs.sum().round(6)))


def test_wages_are_dollars_an_hour():
    assert frame("wages")["wage"].mean() == pytest.approx(9.024, abs=1e-3)
    assert (frame("wages")["union"] == "yes").sum() == 96
    assert (frame("wages")["married"] == "yes").sum() == 350


def test_seattle_has_every_day_of_four_years():
    t = frame("seattle_weather")
    days = pd.to_datetime(t[["year", "month", "day"]])
    assert (days.diff().dropna() == pd.Timedelta(days=1)).all()
    assert t["weather"].value_counts().to_dict() == {
        "rain": 641,
        "sun": 640,
        "fog": 101,
        "drizzle": 53,
        "snow": 26,
    }


@pytest.mark.parametrize("name", names("graph"))
def test_a_graph_is_as_its_entry_says(name):
    entry, data = LIBRARY[name], load(name)
    assert isinstance(data, GraphData)
    assert (data.graph.number_of_nodes(), data.graph.number_of_edges()) == (
        entry.rows,
        entry.columns,
    )
    assert data.digest == load(name).digest
    if data.target:
        assert all(data.target in attributes for _, attributes in data.graph.nodes(data=True))


def test_the_planted_rules_are_there():
    data = load("planted_baskets")
    assert isinstance(data, Baskets)
    assert (len(data.transactions), len(data.items)) == (200, 10)
    assert all(data.transactions)
    for cause, item, chance in (
        ({"bread"}, "butter", 0.7),
        ({"coffee", "milk"}, "sugar", 0.8),
        ({"beer"}, "crisps", 0.6),
    ):
        with_cause = [basket for basket in data.transactions if cause <= basket]
        assert sum(item in basket for basket in with_cause) / len(with_cause) == pytest.approx(
            chance, abs=0.15
        )


def test_the_catalogue_is_readable_without_heavy_imports():
    code = (
        "import sys, dmlib.datasets as d; d.load('iris'); sys.exit(any(m in sys.modules for m in"
        " ('sklearn', 'statsmodels', 'networkx', 'python_calamine', 'scipy')))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2]
        ).returncode
        == 0
    )


def test_sizes_are_said_in_words():
    assert LIBRARY["iris"].size == "150 rows, 5 columns"
    assert LIBRARY["karate_club"].size == "34 nodes, 78 edges"
