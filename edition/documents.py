"""The pages of the edition as HTML, by the templates beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dashboard.catalogue import CATALOGUE, CONCEPTS, FAMILIES, Entry
from dashboard.courses import Course, Stop, courses
from dashboard.examples import Example
from dashboard.failures import failing_runs
from dashboard.glossary import terms
from dashboard.lessons import lesson_text, parts
from dashboard.presets import CAUSES, presets, slug_of
from dashboard.relations import Reasons, lookalikes, prerequisites, successors
from dashboard.search import SYNONYMS
from dashboard.technique import Technique
from edition.api.objects import PublicObject, public_objects
from edition.lessons import html_of, without_answers
from edition.packing import compact
from edition.states import OPENING, states

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.filters["json"] = lambda value: Markup(compact(value))


@dataclass(frozen=True)
class Site:
    """The pages of an edition, and the address of the app.

    Attributes
    ----------
    slugs : tuple of str
        Its pages of techniques, in the order of the catalogue.
    app : str
        The address of the full app, without a slash at its end; empty where it is not known.
    api : tuple of str
        Its pages of the documentation of dmlib.
    """

    slugs: tuple[str, ...]
    app: str = ""
    api: tuple[str, ...] = ()

    def address(self, slug: str) -> str:
        """Return the address of a page: here, else in the app; empty where it has none.

        Examples
        --------
        >>> site = Site(("kmeans",), "https://example.org")
        >>> site.address("kmeans"), site.address("svm"), Site(()).address("svm")
        ('kmeans.html', 'https://example.org/svm', '')
        """
        if slug in self.slugs or slug in CONCEPTS:
            return f"{slug}.html"
        return f"{self.app}/{quote(slug)}" if self.app else ""

    def example(self, example: Example, stop: Stop | None = None) -> str:
        """Return the address of an example, which may stand in a course; empty where it has none.

        Examples
        --------
        >>> from dashboard.examples import example
        >>> Site(("kmeans",)).example(example("kmeans#An empty cluster"))
        'kmeans.html#an-empty-cluster'
        """
        slug = example.entry.slug
        address, is_here = self.address(slug), slug in self.slugs
        link = ({} if is_here else dict(example.link)) | (stop.link if stop else {})
        query = f"?{urlencode(link, doseq=True)}" if link else ""
        anchor = f"#{slug_of(example.preset)}" if is_here and example.preset else ""
        return f"{address}{query}{anchor}" if address else ""

    def entries(self, family: str) -> list[Entry]:
        """Return its pages of a family."""
        return [CATALOGUE[slug] for slug in self.slugs if CATALOGUE[slug].family == family]


def technique_page(technique: Technique, site: Site) -> str:
    """Return the page of a technique."""
    slug, entry = technique.slug, technique.entry
    lesson, answers = without_answers(parts(lesson_text(slug)))
    relations = {
        "Needs": prerequisites(slug),
        "Leads to": successors(slug),
        "Often confused with": lookalikes(slug),
    }
    choices = [
        {"name": state.name, "title": state.title, "note": state.note, "path": state.link}
        for state in states(technique)
    ]
    return render(
        "technique.html",
        site,
        title=entry.title,
        summary=entry.summary,
        slug=slug,
        practices=technique.practice is not None,
        states=choices,
        classes=_classes(technique, site),
        config={"slug": slug, "app": site.app, "states": choices, "first": OPENING},
        parts=[(part.title, html_of(part, answers, slug, site.address)) for part in lesson],
        ways=[_way(stop, site) for stop in _stops(slug)],
        relations=[(title, _links(site, reasons)) for title, reasons in relations.items()],
    )


def worksheet_page(technique: Technique, site: Site) -> str:
    """Return the page with the worksheets of a technique, to be printed."""
    config = {"slug": technique.slug, "app": site.app, "title": technique.entry.title}
    return render("worksheet.html", site, title=technique.entry.title, config=config)


def home_page(site: Site) -> str:
    """Return the page with the pictures of all pages, and the search."""
    cards = [(family, list(map(_card, site.entries(family)))) for family in FAMILIES]
    return render(
        "home.html",
        site,
        families=[pair for pair in cards if pair[1]],
        concepts=CONCEPTS.values(),
        terms=terms(),
    )


def failures_page(site: Site) -> str:
    """Return the gallery of failures."""
    runs = [
        {
            "address": f"{run.slug}.html#{run.preset.slug}",
            "picture": f"{run.slug}.{run.preset.slug}",
            "title": run.preset.title,
            "page": run.entry.title,
            "failure": run.failure,
            "words": f"{run.entry.title} {run.entry.family} {CAUSES[run.failure.cause]}",
        }
        for run in failing_runs()
        if run.slug in site.slugs
    ]
    causes = sorted({run.failure.cause for run in failing_runs() if run.slug in site.slugs})
    return render("failures.html", site, runs=runs, causes=causes)


def courses_page(site: Site) -> str:
    """Return the courses, lecture by lecture."""
    tracks = [
        {
            "title": course.title,
            "institution": course.institution,
            "slug": course.slug,
            "lectures": [
                {"title": lecture.title, **_lecture(site, course, number)}
                for number, lecture in enumerate(course.lectures, 1)
            ],
        }
        for course in courses().values()
    ]
    return render("courses.html", site, courses=tracks)


def _lecture(site: Site, course: Course, number: int) -> Mapping[str, Any]:
    """Return the pages and the examples of a lecture, as links."""
    lecture = course.lectures[number - 1]
    return {
        "pages": [
            *(_stop_link(site, Stop(course, number, page)) for page in lecture.pages),
            *(_link(site, concept) for concept in lecture.concepts),
        ],
        "examples": [
            {
                "address": site.example(each, Stop(course, number, each.entry.slug)),
                "title": each.preset,
            }
            for each in lecture.examples
            if each.entry.slug in site.slugs
        ],
    }


def _stops(slug: str) -> list[Stop]:
    """Return where a page stands in courses."""
    return [stop for course in courses().values() for stop in course.stops if stop.page == slug]


def _way(stop: Stop, site: Site) -> Mapping[str, Any]:
    """Return a lecture, and the pages before and after in its course."""
    before, after = stop.neighbours
    return {
        "course": stop.course.slug,
        "lecture": stop.number,
        "title": f"{stop.course.title} · {stop.lecture.title}",
        "before": before and _stop_link(site, before, stop),
        "after": after and _stop_link(site, after, stop),
    }


def _stop_link(site: Site, stop: Stop, origin: Stop | None = None) -> Mapping[str, str]:
    """Return a link to a page in its course; coming from another lecture, its own is named."""
    entry = CATALOGUE[stop.page]
    is_elsewhere = origin is not None and origin.number != stop.number
    title = f"{stop.lecture.title}: {entry.title}" if is_elsewhere else entry.title
    return {"address": site.example(Example(entry), stop), "title": title}


def render(template: str, site: Site, root: str = "", **values: Any) -> str:
    """Return a page of a template.

    Parameters
    ----------
    template : str
        The name of its file.
    site : Site
        The pages of the edition.
    root : str
        The way from the page's folder to that of the edition; empty, or with a slash at its end.
    **values
        Of what the template speaks.
    """
    return TEMPLATES.get_template(template).render(site=site, root=root, **values)


def _classes(technique: Technique, site: Site) -> list[PublicObject]:
    """Return the classes of a technique that are documented."""
    models = list(technique.methods.values())
    return [each for each in public_objects() if each.value in models and each.page in site.api]


def _card(entry: Entry) -> Mapping[str, str]:
    """Return what the gallery shows of a page, and the words by which the search finds it."""
    names = [name for name, slugs in SYNONYMS.items() if entry.slug in slugs]
    titles = [preset.title for preset in presets(entry.slug)]
    words = " ".join([entry.title, entry.family, entry.words, *names, *titles])
    return {"slug": entry.slug, "title": entry.title, "summary": entry.summary, "words": words}


def _link(site: Site, slug: str) -> Mapping[str, str]:
    title = (CATALOGUE | CONCEPTS)[slug].title
    return {"address": site.address(slug), "title": title}


def _links(site: Site, reasons: Reasons) -> list[Mapping[str, str]]:
    return [{**_link(site, slug), "reason": reason} for slug, reason in reasons.items()]
