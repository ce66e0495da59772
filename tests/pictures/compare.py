"""Compare the pictures of pages with those of an earlier commit, frame by frame.

    python -m tests.pictures.compare COMMIT SLUG [SLUG ...]

Each page is opened at its defaults, by each of its presets, and with a selected row. What a person
sees of each frame, visible marks, caption, ledger and phase, has to be the same; what differs is
printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
MAX_PRINTED = 5  # differences of a link
INVISIBLE = {"tween", "kind"}
PLACES = ("x", "y", "x0", "y0", "x1", "y1", "rx", "ry")
SELECTED = "5"  # the row that is selected in one opening of each page


def pictures(slug):
    """The visible frames of a page by each of its links."""
    from tests.visit import linked, sound, stage, technique, visit

    links = {"opening": {}, "a selected row": {"point": SELECTED}}
    links |= {preset.title: linked(slug, preset.settings) for preset in technique(slug).presets}
    return {title: frames(stage(sound(visit(slug, **link)))) for title, link in links.items()}


def frames(scene):
    """The visible content of each frame of a decoded scene."""
    marks = [(mark, channels(mark, scene)) for mark in scene["marks"]]
    about = [scene[name] for name in ("panels", "notes", "handles", "legend")]
    return [about] + [
        [
            frame["caption"],
            frame["phase"],
            frame["ledger"],
            [m for m in (visible(*each, i) for each in marks) if m],
        ]
        for i, frame in enumerate(scene["frames"])
    ]


def channels(mark, scene):
    """The channels of a mark: a list of arrays each, one a frame."""
    return {
        name: rows(value, scene["arrays"], len(scene["frames"]))
        for name, value in mark.items()
        if isinstance(value, dict) and "values" in value
    }


def rows(channel, arrays, n_frames):
    """A channel as one array a frame, put together as the stage does."""
    part = {name: arrays[index] for name, index in channel.items()}
    values = part["values"]
    if "rows" not in part:
        return [values] * n_frames
    starts = part["starts"].astype(int)
    if "places" not in part:
        different = [values[start:stop] for start, stop in pairwise(starts)]
    else:
        different, row = [], values[:0]
        for i, size in enumerate(part["sizes"].astype(int)):
            row = np.concatenate([row, np.zeros(max(size - len(row), 0), values.dtype)])[
                :size
            ].copy()
            row[part["places"][starts[i] : starts[i + 1]]] = values[starts[i] : starts[i + 1]]
            different.append(row)
    return [different[row] for row in part["rows"]]


def visible(mark, channels_of_mark, frame):
    """The visible content of a mark in a frame; None where there is none."""
    at = {name: each[frame] for name, each in channels_of_mark.items()}
    constant = {
        name: value
        for name, value in mark.items()
        if name not in at and name not in INVISIBLE and value != []
    }
    n = max(
        (len(values) for name, values in at.items() if name in PLACES),
        default=len(at.get("pixels", ())),
    )
    if not n:
        return None
    whole = {name: values for name, values in at.items() if name in ("palette", "pixels", "shade")}
    columns = {
        name: np.resize(values, n)
        for name, values in at.items()
        if name not in whole and len(values)
    }
    table = [
        [None if np.isnan(v) else round(float(v), 4) for v in row]
        for row in zip(*columns.values(), strict=True)
    ]
    places = [i for i, name in enumerate(columns) if name in PLACES]
    drawn = [row for row in table if all(row[i] is not None for i in places)]
    if mark["kind"] != "Raster" and not drawn:
        return None
    if mark["kind"] == "Texts":
        texts = zip(constant.pop("text", ()), table, strict=False)
        table = [[text, *row] for text, row in texts if row in drawn]
    elif mark["kind"] not in ("Line", "Raster"):
        table = sorted(drawn)
    pixels = {name: values.tolist() for name, values in whole.items()}
    return [mark["kind"], constant, list(columns), table, pixels]


def differences(before, after):
    """Sentences on what differs between two lists of frames."""
    if len(before) != len(after):
        yield f"{len(before) - 1} frames before, {len(after) - 1} after"
    names = ("caption", "phase", "ledger", "marks")
    for i, (old, new) in enumerate(zip(before, after, strict=False)):
        for name, one, other in zip(
            names if i else ("panels", "notes", "handles", "legend"), old, new, strict=True
        ):
            if one != other:
                yield (
                    f"frame {i - 1}: {name}: {first_difference(one, other)}"
                    if i
                    else f"{name}: {one} -> {other}"
                )


def first_difference(before, after):
    """The first parts of two values that differ, shortened."""
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pair = next(((a, b) for a, b in zip(before, after, strict=True) if a != b), (before, after))
        if pair[0] is not before:
            return first_difference(*pair)
    if isinstance(before, list) and isinstance(after, list):
        return f"{len(before)} -> {len(after)} parts: {str(before)[:300]} -> {str(after)[:300]}"
    return f"{str(before)[:300]} -> {str(after)[:300]}"


def dumped(root, slugs):
    """The pictures of pages as the code of a checkout draws them."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        environment = os.environ | {"PYTHONPATH": str(root)}
        command = [sys.executable, str(Path(__file__)), "--dump", file.name, *slugs]
        subprocess.run(command, check=True, cwd=root, env=environment)
        return json.loads(Path(file.name).read_text())


def main(arguments):
    if arguments[0] == "--dump":
        sys.path[0] = os.getcwd()
        Path(arguments[1]).write_text(json.dumps({slug: pictures(slug) for slug in arguments[2:]}))
        return 0
    commit, *slugs = arguments
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", folder, commit], check=True)
        try:
            before, after = dumped(folder, slugs), dumped(ROOT, slugs)
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)
    n_different = 0
    for slug in slugs:
        for title, old in before[slug].items():
            mismatches = list(differences(old, after[slug].get(title, [])))
            n_different += len(mismatches)
            print(f"{slug}, {title}: {len(old) - 1} frames, {len(mismatches)} differences")
            for sentence in mismatches[:MAX_PRINTED]:
                print(f"    {sentence}")
    return int(n_different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
