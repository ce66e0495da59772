"""Build an edition: the data of each page in a process of its own, then the pages."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from dashboard.catalogue import CATALOGUE
from dashboard.failures import failing_runs
from dashboard.technique import technique_of
from dmlib.playback import theme
from dmlib.trace import thread_clock
from edition.api.documents import api_documents
from edition.api.objects import PREFIX, pages_of, slugs_of_models
from edition.api.runs import runs
from edition.concepts import glossary_page, methods_page, problems_page
from edition.content import Scripts, scripts
from edition.documents import (
    Site,
    courses_page,
    failures_page,
    home_page,
    technique_page,
    worksheet_page,
)
from edition.manifest import ROOT, Inputs, Manifest, inputs_of, write_whole

ASSETS = ROOT / "assets"
STYLE = "edition.min.css"
COPIES = {
    "edition.min.js": "edition.js",
    "unpack.min.js": "unpack.js",
    "edition/gallery.js": "gallery.js",
    "edition/concepts.js": "concepts.js",
    "worksheet.css": "worksheet.css",
    "img/icon.png": "icon.png",
}
"""Files of assets/, and their names in the edition."""

Progress = Callable[[str], None]
Source = Callable[[], Scripts]


def build(folder: Path, slugs: Sequence[str], app: str, progress: Progress) -> None:
    """Build an edition into a folder, or those of its pages that have changed.

    Parameters
    ----------
    folder : Path
        The folder of the edition; new, empty, or one that was built before.
    slugs : sequence of str
        The pages to build; those that the folder has already stay.
    app : str
        The address of the full app; empty where it is not known.
    progress : callable
        Takes sentences.

    Raises
    ------
    FolderError
        If the folder holds something else.
    OSError
        If it cannot be written.
    DocstringError
        If a docstring cannot be parsed.
    """
    manifest = Manifest.of(folder)
    folder.mkdir(parents=True, exist_ok=True)
    manifest.write()
    techniques = {
        slug: partial(page_scripts, slug) for slug in slugs if not manifest.is_current(slug)
    }
    progress(f"{len(techniques)} of {len(slugs)} pages have changed.")
    _build_data(manifest, techniques | _documentation(manifest, slugs), progress)
    site = Site(
        tuple(slug for slug in CATALOGUE if slug in manifest.pages),
        app.rstrip("/"),
        tuple(page for page in pages_of(tuple(CATALOGUE)) if PREFIX + page in manifest.pages),
    )
    _write_documents(folder, site)
    _copy_files(folder, site)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    progress(f"{folder}: {len(site.slugs)} pages, {size / 1e6:.1f} MB. Open index.html.")


def page_scripts(slug: str) -> Scripts:
    """Yield all scripts of the page of a technique."""
    return scripts(technique_of(slug))


def _documentation(manifest: Manifest, slugs: Sequence[str]) -> dict[str, Source]:
    """Return the pages of the documentation whose runs have changed, and what makes these."""
    techniques = {model.__name__: slug for model, slug in slugs_of_models(slugs).items()}
    return {
        PREFIX + page: partial(runs, page, techniques)
        for page in pages_of(slugs)
        if not manifest.is_current(PREFIX + page)
    }


def _build_data(manifest: Manifest, sources: Mapping[str, Source], progress: Progress) -> None:
    """Build the data of pages in parallel; each is in its place only when it is complete."""
    if not sources:
        return
    data = manifest.folder / "data"
    context = get_context("forkserver" if os.name == "posix" else "spawn")
    if os.name == "posix":
        context.set_forkserver_preload(["dashboard"])
    # One page for each process: what it has imported then is what the page is made of.
    pool = ProcessPoolExecutor(os.cpu_count(), mp_context=context, max_tasks_per_child=1)
    try:
        tasks = {
            pool.submit(write_data, source, data / f".{name}"): name
            for name, source in sources.items()
        }
        for number, task in enumerate(as_completed(tasks), 1):
            name = tasks[task]
            inputs, n_bytes, seconds = task.result()
            shutil.rmtree(data / name, ignore_errors=True)
            (data / f".{name}").replace(data / name)
            manifest.pages[name] = inputs
            manifest.write()
            progress(f"[{number}/{len(sources)}] {name}: {n_bytes / 1e6:.1f} MB, {seconds:.0f} s")
    finally:
        pool.shutdown(cancel_futures=True)


def write_data(source: Source, folder: Path) -> tuple[Inputs, int, float]:
    """Write the scripts of a page into a folder.

    Parameters
    ----------
    source : callable
        Yields the names of the scripts, and the scripts.
    folder : Path
        The folder.

    Returns
    -------
    inputs : Inputs
        What they are made of.
    n_bytes : int
        Their size.
    seconds : float
        The work that they took.
    """
    clock = thread_clock()
    start, n_bytes = clock(), 0
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, script in source():
        n_bytes += (folder / f"{name.rpartition('/')[2]}.js").write_text(script, "utf-8")
    return inputs_of(tuple(sys.modules)), n_bytes, clock() - start


def _write_documents(folder: Path, site: Site) -> None:
    documents = {
        "index": home_page(site),
        "courses": courses_page(site),
        "failures": failures_page(site),
        "problems": problems_page(site),
        "methods": methods_page(site),
        "glossary": glossary_page(site),
    }
    for slug in site.slugs:
        technique = technique_of(slug)
        documents[slug] = technique_page(technique, site)
        if technique.practice is not None:
            documents[f"{slug}.worksheet"] = worksheet_page(technique, site)
    (folder / "api").mkdir(exist_ok=True)
    documents |= {f"api/{name}": page for name, page in api_documents(site, folder / "data")}
    for name, document in documents.items():
        write_whole(folder / f"{name}.html", document.encode())


def _copy_files(folder: Path, site: Site) -> None:
    """Copy styles, scripts and pictures."""
    assets, images = folder / "assets", folder / "images"
    assets.mkdir(exist_ok=True)
    images.mkdir(exist_ok=True)
    style = f"{theme()}\n{(ASSETS / STYLE).read_text('utf-8')}"
    write_whole(assets / "edition.css", style.encode())
    for source, target in COPIES.items():
        write_whole(assets / target, (ASSETS / source).read_bytes())
    for slug in site.slugs:
        for path in (ASSETS / "pages" / slug).glob("*.png"):
            write_whole(images / f"{slug}.{path.name}", path.read_bytes())
    for run in failing_runs():
        if run.slug in site.slugs:
            for path in (run.picture(dark=False), run.picture(dark=True)):
                write_whole(images / f"{run.slug}.{path.name}", path.read_bytes())
