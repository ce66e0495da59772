"""The stage's JavaScript modules, imported in the browser from where the app serves them."""

import base64

from dmlib.pictures.encode import encode

BASE = "/_stcore/bidi-components/dmlib.stage/"


def call(page, module, body, argument=None):
    """Import a module as ``m`` and return what the body returns."""
    return page.evaluate(
        f"async (argument) => {{ const m = await import('{BASE}{module}'); {body} }}", argument
    )


MOUNT = """
  const root = document.body.appendChild(document.createElement('div'));
  root.className = 'dm-stage';
  root.style.width = '900px';
  const bytes = Uint8Array.from(atob(argument), (c) => c.charCodeAt(0));
  const stage = m.mount(root, bytes);
  stage.player.go(0);
  stage.paint();
"""


def mounted(page, scene, body, **extra):
    """Mount a stage with a scene, and return what the body returns of it."""
    return call(
        page, "stage.min.js", MOUNT + body, base64.b64encode(encode(scene, **extra)).decode()
    )
