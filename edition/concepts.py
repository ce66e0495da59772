"""The pages on first concepts: the map of problems, the table of methods, and the glossary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from dashboard.catalogue import CONCEPTS, FAMILIES
from dashboard.examples import Example
from dashboard.glossary import Term, terms
from dashboard.problems import problem_map
from dashboard.traits import (
    FILTERS,
    FINDS,
    WANTS,
    TableAdvice,
    Traits,
    all_traits,
    library_advice,
    listed,
)
from edition.documents import Site, render


def problems_page(site: Site) -> str:
    """Return the map from what one has and wants to techniques."""
    page_map = problem_map()
    leaves = [
        {"leaf": leaf, "links": _links(site, leaf.examples), "answers": leaf.answers}
        for leaf in page_map.leaves
    ]
    sections = [
        (section, [(item, _links(site, item.examples)) for item in section.items])
        for section in page_map.sections
    ]
    return render(
        "problems.html",
        site,
        entry=CONCEPTS["problems"],
        questions=page_map.questions,
        leaves=leaves,
        sections=sections,
    )


def methods_page(site: Site) -> str:
    """Return the table of all techniques, and which suit the tables of the library."""
    rows = [_row(site, traits) for traits in all_traits().values()]
    tables = library_advice()
    return render(
        "methods.html",
        site,
        entry=CONCEPTS["methods"],
        rows=rows,
        families=FAMILIES,
        filters=list(FILTERS),
        tables={table.name: table.title for table in tables},
        wants=WANTS,
        advice={table.name: _advice(site, table) for table in tables},
    )


def glossary_page(site: Site) -> str:
    """Return all terms, letter by letter."""
    letters = [
        (letter, [_term(site, term) for term in group])
        for letter, group in groupby(terms(), key=lambda term: term.letter)
    ]
    return render("glossary.html", site, entry=CONCEPTS["glossary"], letters=letters)


def _links(site: Site, examples: Iterable[Example]) -> list[Mapping[str, str]]:
    return [{"address": site.example(each), "title": each.title} for each in examples]


def _row(site: Site, traits: Traits) -> Mapping[str, Any]:
    """Return what the table says of a technique, and which filters let it pass."""
    entry = traits.entry
    cells = {
        "Finds": ", ".join(FINDS[name] for name in traits.finds),
        "Data": traits.data,
        "Nominal": "yes" if traits.nominal else "no",
        "Missing": "yes" if traits.holes else "no",
        "Units matter": "yes" if traits.scaling else "no",
        "Work": traits.cost,
        "Readable": traits.readable,
        "Copes with": listed(traits.strong),
        "Suffers from": listed(traits.weak),
        "Assumes": traits.assumes,
        "Fails when": traits.fails,
        "Work in detail": traits.runtime,
    }
    passed = [str(number) for number, passes in enumerate(FILTERS.values()) if passes(traits)]
    return {
        "entry": entry,
        "address": site.address(entry.slug),
        "cells": cells,
        "words": " ".join([entry.title, entry.family, entry.words, *cells.values()]),
        "passed": " ".join(passed),
    }


def _advice(site: Site, table: TableAdvice) -> Mapping[str, Any]:
    """Return what a table of the library asks for, and the techniques that suit it best."""
    suited = {
        want: [[site.address(row.traits.slug), row.traits.entry.title, row.reason] for row in rows]
        for want, rows in table.suited.items()
    }
    return {"target": table.target, "suited": suited}


def _term(site: Site, term: Term) -> Mapping[str, Any]:
    return {"term": term, "links": _links(site, map(Example, term.entries))}
