"""Rounds of practice for the phones of a class: scenes with their questions, past Streamlit.

Each phone asks for one of a few sets of data of a page; a set is computed once and kept, packed.
"""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dashboard.catalogue import CATALOGUE
from dashboard.practice import OWN, PRACTICE
from dashboard.presets import practice_rounds
from dashboard.rounds import chosen_seed, link_of_round, practice_settings, view_of
from dashboard.technique import technique_of
from ui.load import TURNS

N_VARIANTS = 30  # of the data of a page, as in assets/room/join.js
STRIDE = 100  # between the seeds from which they are searched
FOR_A_DAY = "public, max-age=86400"


async def respond(request: Request) -> Response:
    """Answer with the scene of a round; its address names the page, the round and its data."""
    names = ("slug", "round_number", "variant")
    slug, round_number, variant = (request.path_params[name] for name in names)
    if slug not in CATALOGUE or round_number >= len(practice_rounds(slug)) or variant >= N_VARIANTS:
        return JSONResponse({"error": "There is no such round."}, 404)
    scene = await asyncio.to_thread(_in_turn, slug, round_number, variant)
    if scene is None:
        return JSONResponse({"error": "This page has no round of practice."}, 404)
    headers = {"Cache-Control": FOR_A_DAY, "Content-Encoding": "gzip"}
    return Response(scene, media_type="application/octet-stream", headers=headers)


def _in_turn(slug: str, round_number: int, variant: int) -> bytes | None:
    TURNS.take()
    try:
        return packed_round(slug, round_number, variant)
    finally:
        TURNS.leave()


@lru_cache(maxsize=256)
def packed_round(slug: str, round_number: int, variant: int) -> bytes | None:
    """Return the scene of a round with its questions, packed; None where a page has none.

    Parameters
    ----------
    slug : str
        The page.
    round_number : int
        Of its rounds, 0 for the usual one: those of a method follow as they are in practice.toml.
    variant : int
        Of its data, from 0 to ``N_VARIANTS - 1``.

    Examples
    --------
    >>> from dmlib.pictures.encode import decode
    >>> len(packed_round("kmeans", 0, 0)) < 150_000
    True
    """
    technique = technique_of(slug)
    if technique.practice is None:
        return None
    link = link_of_round(slug, round_number)
    settings = practice_settings(technique, chosen_seed(slug, STRIDE * variant, link), link)
    page_view = view_of(technique, settings.with_text(PRACTICE, OWN))
    if page_view is None or page_view.run is None:
        return None
    return gzip.compress(page_view.encoded(0), mtime=0)
