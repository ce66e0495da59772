"""One command for everything: start the app, test it, check it, measure it, photograph it.

Needs nothing but Python 3.11 or newer: it makes `.venv`, installs the pinned packages and, for the
tests, finds or installs a browser. A second start skips all that, as long as the requirement files
have not changed.

The browser goes to the tests in the environment variable DMLIB_CHROMIUM; set it yourself to use
another one.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "~/.cache/ms-playwright/chromium-*/chrome-linux*/chrome",
    "~/Library/Caches/ms-playwright/chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "~/AppData/Local/ms-playwright/chromium-*/chrome-win*/chrome.exe",
)

BROWSER_PACKAGES = {
    "apt-get": ("chromium", "fonts-liberation"),
    "dnf": ("chromium",),
    "pacman": ("chromium",),
    "brew": ("--cask", "chromium"),
}

REDIS_PACKAGES = {
    "apt-get": ("redis-server",),
    "dnf": ("redis",),
    "pacman": ("valkey",),
    "brew": ("redis",),
}

# The arguments that install packages without a question.
MANAGERS: dict[str, tuple[str, ...]] = {
    "apt-get": ("install", "-q", "-y", "--no-install-recommends"),
    "dnf": ("install", "-y"),
    "pacman": ("-S", "--noconfirm"),
    "brew": ("install",),
}

# One thread for BLAS: the tests and benchmarks then measure what a visitor gets
# (docs/decisions/0005).
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class SetupError(Exception):
    """A failure, with a sentence on what to do."""


def say(sentence: str) -> None:
    """Tell what is going on, in order with the output of the programs that are started."""
    print(sentence, file=sys.stderr, flush=True)


def output(*command: object, timeout: float | None = None) -> str | None:
    """Run a command quietly and return what it printed, or None if it failed."""
    try:
        return subprocess.run(
            [str(c) for c in command],
            check=True,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            stdin=subprocess.DEVNULL,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def call(*command: object, **variables: str) -> int:
    """Run a command in the project's folder and return its status."""
    try:
        return subprocess.call(
            [str(c) for c in command], cwd=ROOT, env={**os.environ, **THREADS, **variables}
        )
    except OSError as error:
        raise SetupError(f"{command[0]} could not be started: {error.strerror}.") from None


def become(*command: object) -> int:
    """Run a command in place of this process, so that it is stopped with it."""
    if not WINDOWS:
        os.chdir(ROOT)
        os.execve(str(command[0]), [str(c) for c in command], {**os.environ, **THREADS})
    return call(*command)


# --- the virtual environment ----------------------------------------------------------------------


def find_python() -> tuple[str, str]:
    """Return this Python or, where it is too old, a newer one on the path, and its version."""
    newer = (shutil.which(f"python3.{minor}") for minor in range(14, OLDEST[1] - 1, -1))
    for python in (sys.executable, *filter(None, newer)):
        version = (
            output(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])") or "0.0"
        ).strip()
        if tuple(map(int, version.split("."))) >= OLDEST:
            return python, version
    raise SetupError(
        f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}. Install it and run this"
        " command with it."
    )


def fingerprint(requirements: str) -> str:
    """Return a hash of all that decides what an installation of requirements contains."""
    parts = ["requirements.txt", "requirements-cluster.txt", "requirements-site.txt"]
    files = ["pyproject.toml", *parts, requirements]
    text = b"\0".join((ROOT / name).read_bytes() for name in files) + str(VENV).encode()
    return hashlib.sha256(text).hexdigest()


def environment(requirements: str) -> None:
    """Make .venv and install a requirements file, unless that is done already."""
    stamp = VENV / f"{requirements}.installed"
    wanted = fingerprint(requirements)
    if (
        stamp.is_file()
        and stamp.read_text() == wanted
        and output(PYTHON, "-c", "import dmlib") is not None
    ):
        return
    if output(PYTHON, "-m", "pip", "--version") is None:
        make_venv()
    say(
        f"Installing the packages of {requirements} into .venv. This is done once and takes a"
        " minute or two."
    )
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
    if call(*pip, "-r", requirements) != 0:
        raise SetupError(
            "The packages could not be installed; pip's own message is above. Without a connection"
            " to pypi.org, connect or set PIP_INDEX_URL to a mirror, then run the command again."
        )
    stamp.write_text(wanted)
    # The tests' packages include those of the app and of the edition.
    parts = ["requirements-site.txt"] if requirements == "requirements-dev.txt" else []
    for name in ("requirements.txt", *parts):
        (VENV / f"{name}.installed").write_text(fingerprint(name))


def make_venv() -> None:
    """Make a fresh .venv, installing Debian's separate venv package where it is missing."""
    python, version = find_python()
    if output(python, "-c", "import ensurepip, venv") is None:
        package = f"python{version}-venv"
        say(f"Python's venv module is missing; installing {package}.")
        if not install_system({"apt-get": (package,)}):
            raise SetupError(
                f"Python's venv module is missing. Run: sudo apt-get install {package}"
            )
    if call(python, "-m", "venv", "--clear", VENV) != 0:
        raise SetupError(
            f"The virtual environment {VENV} could not be made; the message above says why."
        )


def install_system(packages: Mapping[str, Sequence[str]]) -> bool:
    """Install packages, named for each package manager, if that needs no password."""
    manager = next((name for name in MANAGERS if name in packages and shutil.which(name)), None)
    if manager is None:
        return False
    root = WINDOWS or os.geteuid() == 0
    sudo = () if root or manager == "brew" else ("sudo", "-n")
    if sudo and output("sudo", "-n", "true") is None:
        return False
    command = (
        *sudo,
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        manager,
        *MANAGERS[manager],
        *packages[manager],
    )
    if call(*command) == 0:
        return True
    # A fresh container has no package lists yet.
    return (
        manager == "apt-get" and call(*sudo, "apt-get", "update", "-q") == 0 and call(*command) == 0
    )


# --- the browser and Redis ------------------------------------------------------------------------


def find_browser() -> str | None:
    """Return the path of a Chromium or Chrome that starts."""
    if chosen := os.environ.get("DMLIB_CHROMIUM"):
        return shutil.which(chosen)
    patterns = list(BROWSER_PATHS)
    if folder := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        patterns.append(f"{folder}/chromium-*/chrome-*/chrome*")
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    for pattern in patterns:
        found += sorted(glob.glob(os.path.expanduser(pattern)), reverse=True)
    # Ubuntu's chromium-browser may be a stub that only asks for a snap. Windows' Chrome does not
    # answer --version.
    return next((path for path in found if WINDOWS or output(path, "--version", timeout=30)), None)


def browser() -> str:
    """Return the browser for the tests, installing one where there is none."""
    if path := find_browser():
        return path
    if chosen := os.environ.get("DMLIB_CHROMIUM"):
        raise SetupError(
            f"DMLIB_CHROMIUM is set to {chosen}, which is no program. Correct it or unset it."
        )
    say("No Chromium or Chrome was found; installing one for the browser tests.")
    if install_system(BROWSER_PACKAGES) and (path := find_browser()):
        return path
    with_libraries = [] if WINDOWS or os.geteuid() != 0 else ["--with-deps"]
    if call(PYTHON, "-m", "playwright", "install", *with_libraries, "chromium") == 0 and (
        path := find_browser()
    ):
        return path
    raise SetupError(
        "No browser could be installed. Install Chromium or Chrome, or set DMLIB_CHROMIUM to the"
        " path of one; `python3 dev.py test -m 'not browser'` runs the tests that need none."
    )


def redis_server() -> None:
    """Install a Redis server for the tests of rooms, where there is none."""
    if shutil.which("redis-server"):
        return
    say("No redis-server was found; installing one for the tests of rooms.")
    if not install_system(REDIS_PACKAGES) or not shutil.which("redis-server"):
        say("It could not be installed; the tests that need one are skipped.")


# --- the commands ---------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> int:
    """Start the app."""
    environment("requirements.txt")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(not WINDOWS))
        try:
            probe.bind((options.host, options.port))
        except OSError:
            raise SetupError(
                f"Port {options.port} of {options.host} cannot be opened: it is in use, or not"
                " yours to use. Choose another: python3 dev.py run --port"
                f" {min(options.port + 1, 65535)}"
            ) from None
    flags = [f"--server.port={options.port}", f"--server.address={options.host}"]
    if options.host != "127.0.0.1":
        flags += ["--server.allowedHosts=*", f"--browser.serverAddress={own_address()}"]
    if options.watch:
        flags += ["--server.fileWatcherType=auto", "--server.runOnSave=true"]
    return become(PYTHON, "-m", "streamlit", "run", "server.py", *flags)


def own_address() -> str:
    """Return this machine's address in its network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])


def checks() -> dict[str, tuple[object, ...]]:
    """Return the commands that check style, types and, with Node.js, the JavaScript."""
    commands: dict[str, tuple[object, ...]] = {
        "ruff check": (PYTHON, "-m", "ruff", "check", "--quiet", "."),
        "ruff format": (PYTHON, "-m", "ruff", "format", "--quiet", "--check", "."),
        "mypy": (PYTHON, "-m", "mypy", "--no-error-summary"),
    }
    if npm := node_packages():
        commands["eslint and tsc"] = (npm, "run", "--silent", "lint")
    return commands


def lint(_options: argparse.Namespace) -> int:
    """Check style, formatting and types, and the JavaScript where Node.js is installed."""
    environment("requirements-dev.txt")
    commands = checks()
    failed = [name for name, command in commands.items() if call(*command) != 0]
    say(f"Not clean: {', '.join(failed)}." if failed else f"Clean: {', '.join(commands)}.")
    return int(bool(failed))


def node_packages() -> str | None:
    """Install what checks the JavaScript, and return npm; None, with a sentence, without it."""
    npm = shutil.which("npm")
    if not npm or not shutil.which("node"):
        say("Node.js is not installed; the JavaScript is not checked.")
        return None
    stamp = ROOT / "node_modules" / ".installed"
    wanted = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return npm
    if call(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent") != 0:
        say(
            "The npm registry could not be reached, or Node.js is too old; the JavaScript is not"
            " checked."
        )
        return None
    stamp.write_text(wanted)
    return npm


def test(options: argparse.Namespace) -> int:
    """Run the checks and the tests; with arguments, pytest or another program."""
    environment("requirements-dev.txt")
    redis_server()
    first, *others = options.arguments or ("--depth=quick",)
    if first == "--theirs":
        return call(PYTHON, "-m", "tests.theirs", *others)
    if first == "--changed":
        return call(PYTHON, "-m", "tests.changed", *others, DMLIB_CHROMIUM=browser())
    # Of three processes two drive a browser and often wait for it (tests/conftest.py): two cores
    # are busy.
    depths = {"--depth=quick": ("-n", "3", "--depth=quick"), "--all": ("-n", "3", "--depth=all")}
    arguments = (*depths.get(first, (first,)), *others)
    if first in depths:
        # Here and not in the tests: two of their processes would install into one folder at once.
        node_packages()
    browserless = "not browser" in arguments
    # What is compiled is kept, whatever the environment says: each of the processes that are
    # started needs it.
    variables = {"DMLIB_CHROMIUM": "" if browserless else browser(), "PYTHONDONTWRITEBYTECODE": ""}
    return call(PYTHON, "-m", "pytest", *arguments, **variables)


def program(options: argparse.Namespace) -> int:
    """Run one of the project's own programs that drive a browser."""
    environment("requirements-dev.txt")
    return call(PYTHON, "-m", options.module, *options.arguments, DMLIB_CHROMIUM=browser())


def site(options: argparse.Namespace) -> int:
    """Write the static edition; a folder is named as seen from where the command is given."""
    environment("requirements-site.txt")
    return call(PYTHON, "-m", "edition", "--base", Path.cwd(), *options.arguments)


def port(text: str) -> int:
    """Read a port number from the command line."""
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"it must be a number from 1 to 65535, not {text}")
    return int(text)


def parser() -> argparse.ArgumentParser:
    """Describe the commands."""
    top = argparse.ArgumentParser(prog="dev.py", description=(__doc__ or "").split("\n")[0])
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    start = commands.add_parser("run", help="start the app on http://localhost:8501")
    start.add_argument("--port", type=port, default=8501)
    start.add_argument(
        "--host",
        nargs="?",
        const="0.0.0.0",
        default="127.0.0.1",
        help="open the app to the network: all of this machine's addresses, or the one given",
    )
    start.add_argument(
        "--watch", action="store_true", help="for authors: run a page again when a file changes"
    )
    start.set_defaults(action=run)
    commands.add_parser("lint", help="check style, types and JavaScript").set_defaults(action=lint)
    for name, text, action, package in (
        ("test", "checks and tests; --all, --changed, or pytest's arguments", test, "pytest"),
        ("bench", "measure interaction, playback, algorithms and load", program, "benchmarks"),
        ("photos", "photograph every page into photos/", program, "tests.photos"),
        ("site", "write the static edition: --out DIR --only SLUG ... --app URL", site, "edition"),
    ):
        # No prefix character, so that options such as -k are arguments to pass on.
        passing = commands.add_parser(name, help=text, add_help=False, prefix_chars="\0")
        passing.add_argument("arguments", nargs="*")
        passing.set_defaults(action=action, module=package)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command and return its status."""
    options = parser().parse_args(argv)
    try:
        return int(options.action(options))
    except SetupError as problem:
        say(f"dev.py: {problem}")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
