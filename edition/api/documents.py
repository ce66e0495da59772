"""The pages of the documentation as HTML."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from dashboard.catalogue import CATALOGUE
from edition.api.docstrings import html_of, signature
from edition.api.objects import PREFIX, PublicObject, objects_of, public_objects, slugs_of_models
from edition.documents import Site, render

UP = "../"
"""From the folder of the documentation to the others."""


def api_documents(site: Site, data: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages of the documentation and their index: names and HTML.

    Parameters
    ----------
    site : Site
        The pages of the edition.
    data : Path
        The folder in which the runs are.

    Raises
    ------
    DocstringError
        If a docstring cannot be parsed.
    """
    slugs = slugs_of_models(site.slugs)
    for page in site.api:
        described = [_described(each, site, data, slugs) for each in objects_of(page)]
        yield page, render("api.html", site, root=UP, page=page, objects=described)
    yield "index", render("api_index.html", site, root=UP, packages=_packages(site))


def _described(
    each: PublicObject, site: Site, data: Path, slugs: Mapping[Any, str]
) -> Mapping[str, Any]:
    """Return what a page says of a function or class."""
    slug = slugs.get(each.value, "") if inspect.isclass(each.value) else ""
    run = f"{PREFIX}{each.page}/{each.name}"
    return {
        "name": each.name,
        "package": each.package,
        "kind": "class" if inspect.isclass(each.value) else "def",
        "signature": signature(each.value),
        "html": html_of(
            f"{each.package}.{each.name}", each.value, partial(_address, each, site.api)
        ),
        "run": run if (data / f"{run}.js").is_file() else "",
        "slug": slug,
        "technique": CATALOGUE[slug].title if slug else "",
    }


def _address(origin: PublicObject, pages: tuple[str, ...], name: str) -> str:
    """Return the address of what a docstring names, or of its class; empty where it is not there.

    Of several of one name, that of the docstring's own package goes first.
    """
    parts = name.split(".")
    objects = [each for each in public_objects() if each.name in parts[-2:] and each.page in pages]
    objects.sort(key=lambda each: (each.name != parts[-1], each.package != origin.package))
    is_foreign = len(parts) > 2 and parts[0] != "dmlib"
    return "" if is_foreign or not objects else objects[0].address


def _packages(site: Site) -> list[tuple[str, list[Mapping[str, str]]]]:
    """Return what each package exports, as the index lists it."""
    packages: dict[str, list[Mapping[str, str]]] = {}
    for each in public_objects():
        paragraph = (inspect.getdoc(each.value) or "").partition("\n\n")[0]
        summary = re.sub(r"(?::\w+:)?`+~?([^`]+)`+", r"\1", paragraph)
        entry = {
            "name": each.name,
            "address": each.address if each.page in site.api else "",
            "summary": " ".join(summary.split()),
        }
        packages.setdefault(each.package, []).append(entry)
    return list(packages.items())
