"""Every page takes every table of the library, every generator, what is drawn, and any file."""

import re
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.data import Table
from dashboard.form import Form
from dashboard.settings import Settings
from dmlib.datasets import GENERATORS, LIBRARY, encode_points, generators
from dmlib.params import Integer
from tests.visit import (
    ignored,
    linked,
    methods,
    open_part,
    picture,
    plain,
    reopened,
    sentences_of,
    sound,
    stage,
    takes_tables,
    technique,
    upload,
    visit,
    warnings,
    widgets,
)

SLUGS = tuple(CATALOGUE)
# Every file and drawing is tried here: a page without classes, one with them.
EVERY_FILE = ("kmeans", "decision_tree")
N_PAGES = 2  # pages on which each table and generator is tried

POINTS = {
    "none": np.empty((0, 3)),
    "one": [[5, 5, 0]],
    "two": [[1, 1, 0], [9, 9, 1]],
    "equal": [[5, 5, 0]] * 12,
    "on a line": [[i / 2, 5, i % 3] for i in range(20)],
    "few": [[1, 2, 0], [2, 1, 0], [8, 9, 1]],
    "most": np.column_stack(
        [np.random.default_rng(0).integers(0, 4001, (300, 2)) / 400, np.arange(300) % 64]
    ),
}
FILES = {
    "usual.csv": "a,b,c\n1,2,x\n2,1,x\n1,1,x\n2,2,x\n8,9,y\n9,8,y\n8,8,y\n9,9,y\n",
    "text.csv": "outlook,play\nsunny,no\nrain,yes\nrain,yes\n",
    "constant.csv": "a,b,c\n1,5,1\n1,5,2\n1,5,4\n1,5,9\n",
    "all_equal.csv": "a,b\n1,5\n1,5\n1,5\n1,5\n",
    "one_row.csv": "a,b\n1,2\n",
    "one_column.csv": "a\n1\n2\n8\n9\n",
    "header_only.csv": "a,b\n",
    "empty.csv": "",
    "holes.csv": "a,b,c\n1,NA,3\n,2,\n4,5,6\n7,?,9\n2,2,-\n1,1,1\n",
    "no_whole_row.csv": "a,b\n1,\n,2\n3,\n,4\n",
    "huge.csv": "a,b\n1e308,-1e308\n-1e308,1e308\n1e307,0\n0,1e307\n1,1\n",
    "tiny.csv": "a,b\n1e-308,2e-308\n3e-308,1e-308\n9e-308,9e-308\n",
    "far.csv": "a,b\n1e15,1\n1000000000000001,2\n1000000000000009,8\n1000000000000008,9\n",
    "german.csv": "Länge;Breite\n1,5;2,5\n2,5;1,5\n9,5;8,5\n8,5;9,5\n",
    "hostile_names.csv": (
        "![x](//example.org/x),$\\frac,:red[c],<img src=x onerror=f()>\n1,2,3,4\n4,3,2,1\n9,9,9,8\n"
    ),
    "wide.csv": (
        pd.DataFrame(np.arange(6000).reshape(20, 300) % 17).add_prefix("c").to_csv(index=False)
    ),
    "binary.csv": "\x00\x01\x02PNG\x00\x00\xff",
}


FEW_FILES = ("hostile_names.csv",)  # test_code.py has the usual one


def numeric(slug):
    """Return whether a page predicts a number: its tables and generators are others."""
    return getattr(technique(slug).data, "target", "none") == "number"


def share(things, slug):
    """Return this page's part of the items, so that each is tried on a few pages of a kind only."""
    peers = [peer for peer in SLUGS if takes_tables(peer) and numeric(peer) == numeric(slug)]
    things = tuple(things)
    # With many pages some things are tried more often.
    stride = max(1, min(len(peers) // N_PAGES, len(things)))
    part = list(islice(things, peers.index(slug) % stride, None, stride))
    assert part
    return part


@pytest.fixture(params=[*filter(takes_tables, SLUGS)])
def slug(request):
    return request.param


def test_opens_tables(slug):
    for name in share(tables_of(slug), slug):
        page = sound(visit(slug, source="library", data=name))
        assert ignored(page) == set()
        assert plain(" ".join(text.value for text in page.caption)).count(LIBRARY[name].size), name
        # In large units all similarities can be 0 to the computer, and the binary classifier that a
        # page opens with may need numbers, and a class of one text has no test row: then the page
        # says what to do.
        remedies = (
            "Scale the columns",
            "Leave it out, or choose naive_bayes",
            "or score the training rows",
            "choose a smaller k",
        )
        assert len(stage(page)["frames"]) > 1 or any(
            way in sentences_of(page)[0] for way in remedies
        ), (name, warnings(page))


def test_opens_generators(slug):
    for name in share(
        generators("table", numeric_target=True) if numeric(slug) else GENERATORS, slug
    ):
        page = sound(visit(slug, source="generator", generator=name, seed="3"))
        assert ignored(page) == set(), name
        assert len(stage(page)["frames"]) > 1, (name, warnings(page))


@pytest.mark.parametrize("name", GENERATORS)
def test_extremes_of_every_generator(name):
    for end in (0, 1):
        extremes = {
            parameter: spec.extremes()[end] for parameter, spec in GENERATORS[name].params.items()
        }
        settings = linked(
            SLUGS[0], {f"{name}.{parameter}": value for parameter, value in extremes.items()}
        )
        page = sound(visit(SLUGS[0], source="generator", generator=name, **settings))
        assert ignored(page) == set()


@pytest.mark.parametrize("slug", [*EVERY_FILE, "roc"])
def test_scaling_and_view_travel_in_the_link(slug):
    features = ["alcohol", "hue", "proline"]
    link = {"data": "wine", "source": "library", "scaling": "z-score", "wine.features": features}
    page = sound(visit(slug, **link))
    assert warnings(page) == []
    assert picture(reopened(page)) == picture(page)
    assert ("wine.view" in widgets(open_part(page, **{"columns.open": True}))) == technique(
        slug
    ).data.plane
    if technique(slug).data.plane:
        assert stage(page)["panels"][0]["x"]["label"] == "alcohol (z-score)"
        components = stage(visit(slug, **{"wine.view": "pca"}, **link))["panels"][0]
        assert all("component" in components[axis]["label"] for axis in "xy")


def test_drawn_points(slug):
    for drawing in POINTS if slug in EVERY_FILE else ("most",):  # test_links.py has few
        page = sound(visit(slug, source="draw", points=encode_points(POINTS[drawing])))
        assert ignored(page) == set()
        if technique(slug).data.plane:
            assert len(stage(page)["edit"]["points"]) == len(POINTS[drawing])
        else:
            assert stage(page)["edit"] is None
        assert sentences_of(page) or len(stage(page)["frames"]) > 1
        assert picture(reopened(page)) == picture(page)


def test_uploads_load_or_are_refused_with_a_sentence(slug):
    for name in FILES if slug in EVERY_FILE else FEW_FILES:
        page = sound(upload(slug, name, FILES[name]))
        assert sentences_of(page) or len(stage(page)["frames"]) > 1, name
        before = picture(page)
        assert picture(sound(page.run())) == before, name
        for text in [*page.markdown[1:], *page.caption, *page.warning]:
            assert not re.search(r"(?<!\\)!\[x|(?<!\\)<img|(?<!\\):red\[", text.value), name


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if not takes_tables(slug)])
def test_opens_all_data_of_its_kind(slug):
    data = technique(slug).data
    links = [{"source": "library", "data": name} for name in data.names()]
    links += [
        {"source": "generator", "generator": name, "seed": "3"} for name in generators(data.kind)
    ]
    links += [{"source": "draw"}] if "draw" in data.sources else []
    for link in links:
        page = sound(visit(slug, **link))
        assert ignored(page) == set()
        assert sentences_of(page) or len(stage(page)["frames"]) > 1, (link, warnings(page))
        assert picture(reopened(page)) == picture(page)
    for name in FEW_FILES if ".csv" in getattr(data, "accepts", (".csv",)) else ():
        page = sound(upload(slug, name, FILES[name]))
        assert sentences_of(page) or len(stage(page)["frames"]) > 1, name
        for text in [*page.markdown[1:], *page.caption, *page.warning]:
            assert not re.search(r"(?<!\\)!\[x|(?<!\\)<img|(?<!\\):red\[", text.value), name


def test_a_file_is_asked_for_in_a_sentence():
    for slug in EVERY_FILE:
        (sentence,) = sentences_of(sound(visit(slug, source="upload")))
        assert "file" in sentence


def tables_of(slug):
    """Return the tables of the library that the first method of a page takes."""
    page = technique(slug)
    method = next(iter(page.methods))
    return page.kind(method).tables(page, method)


# --- every method with all data of its kind -------------------------------------------------------


def data_of(slug, method):
    """Return the names of a method's data in the library, and the generators of such data."""
    page = technique(slug)
    kind = page.kind(method)
    if isinstance(kind, Table):
        tables = kind.tables(page, method)
        return tables, generators("table", numeric_target=kind.target == "number")
    return kind.names(), generators(kind.kind)


def longest(slug, method):
    """Yield links to the largest data of a method: only of long runs some steps have no frame."""
    names, offered = data_of(slug, method)
    yield {"source": "library", "data": max(names, key=lambda name: LIBRARY[name].rows)}
    for name, generator in islice(offered.items(), 1):
        sizes = {
            size: spec.high for size, spec in generator.params.items() if isinstance(spec, Integer)
        }
        texts = {f"{name}.{size}": str(high) for size, high in sizes.items()}
        yield {"source": "generator", "generator": name, **texts}


def usual(slug, method):
    """Yield links to all data of the library and of generators that a method takes."""
    names, offered = data_of(slug, method)
    yield from ({"source": "library", "data": name} for name in names)
    yield from ({"source": "generator", "generator": name, "seed": "3"} for name in offered)


def check_methods(slug, links, chosen):
    """Open methods of a page with the data that ``links`` yields for each."""
    for method, base in chosen.items():
        for link in links(slug, method):
            page = sound(visit(slug, **base, **link))
            assert ignored(page) == set(), (method, link)
            assert sentences_of(page) or len(stage(page)["frames"]) > 1, (method, link)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_opens_its_largest_data(slug):
    check_methods(slug, longest, dict(islice(methods(slug).items(), 1)))


@pytest.mark.sweep
@pytest.mark.parametrize("slug", SLUGS)
def test_every_method_opens_its_largest_data(slug):
    check_methods(slug, longest, methods(slug))


@pytest.mark.sweep  # 2,300 pairs, of which each takes about a tenth of a second
@pytest.mark.parametrize("slug", SLUGS)
def test_every_method_opens_all_its_data(slug):
    check_methods(slug, usual, methods(slug))


def test_a_link_can_ask_for_few_rows_of_a_table():
    page = technique("transformation")

    def rows(**settings):
        query = {name.replace("_rows", ".rows"): [value] for name, value in settings.items()}
        form = Form(Settings.from_query(query, page.opening_link))
        return page.kind("Scaling").choose(page, "Scaling", form).problem.X.tolist()

    assert len(rows()) == 178
    assert len(rows(wine_rows="6")) == 6
    assert rows(wine_rows="6") != rows(wine_rows="6", seed="1")
