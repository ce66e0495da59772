"""dev.py finds and starts programs, or says in a sentence why not; nothing is installed here."""

import os
import socket
import subprocess
import sys

import pytest

import dev


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """A project folder of its own, and the commands that would have been run."""
    parts = ("", "-cluster", "-site", "-dev")
    requirements = (f"requirements{part}.txt" for part in parts)
    for name in ("pyproject.toml", *requirements, "package-lock.json"):
        (tmp_path / name).write_text(name)
    done = []

    def call(*command, **variables):
        done.append((" ".join(map(str, command)), variables))
        return 0

    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path)
    monkeypatch.setattr(dev, "call", call)
    monkeypatch.setattr(dev, "become", call)
    monkeypatch.setattr(dev, "output", lambda *command, timeout=None: "3.12")
    monkeypatch.setattr(dev, "node_packages", lambda: call("npm ci"))
    monkeypatch.setattr(dev, "redis_server", lambda: None)
    monkeypatch.delenv("DMLIB_CHROMIUM", raising=False)
    return done


def commands(calls):
    return [command.removeprefix(f"{dev.PYTHON} -m ") for command, _ in calls]


# --- the virtual environment ----------------------------------------------------------------------


def test_packages_are_installed_once(calls):
    dev.environment("requirements.txt")
    dev.environment("requirements.txt")
    assert [c.rpartition(" -r ")[2] for c in commands(calls)] == ["requirements.txt"]


def test_changed_requirements_are_installed_again(calls):
    dev.environment("requirements.txt")
    (dev.ROOT / "requirements.txt").write_text("another")
    dev.environment("requirements.txt")
    assert len(calls) == 2


def test_the_tests_packages_include_the_apps(calls):
    dev.environment("requirements-dev.txt")
    dev.environment("requirements.txt")
    dev.environment("requirements-site.txt")
    assert len(calls) == 1


def test_the_apps_packages_are_not_those_of_the_edition(calls):
    dev.environment("requirements.txt")
    dev.environment("requirements-site.txt")
    assert len(calls) == 2


def test_a_failed_installation_is_a_sentence_and_not_remembered(calls, monkeypatch):
    monkeypatch.setattr(dev, "call", lambda *_command, **_variables: 1)
    with pytest.raises(dev.SetupError, match=r"could not be installed.*pypi\.org"):
        dev.environment("requirements.txt")
    assert not list(dev.VENV.glob("*.installed"))


def test_an_old_python_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(dev, "output", lambda *_command, timeout=None: "3.9")
    monkeypatch.setattr(dev.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(dev.SetupError, match=r"Python 3\.11 or newer is needed"):
        dev.find_python()


def test_a_newer_python_on_the_path_is_taken(monkeypatch):
    monkeypatch.setattr(dev, "output", lambda python, *_: "3.12\n" if "3.12" in python else "3.9")
    monkeypatch.setattr(
        dev.shutil, "which", lambda name: f"/usr/bin/{name}" if name == "python3.12" else None
    )
    assert dev.find_python() == ("/usr/bin/python3.12", "3.12")


def test_a_missing_venv_module_is_installed_or_asked_for(calls, monkeypatch):
    monkeypatch.setattr(
        dev,
        "output",
        lambda *command, timeout=None: None if "ensurepip" in str(command) else "3.12",
    )
    packages = []
    monkeypatch.setattr(dev, "install_system", packages.append)
    with pytest.raises(dev.SetupError, match=r"sudo apt-get install python3\.12-venv"):
        dev.make_venv()
    assert packages == [{"apt-get": ("python3.12-venv",)}]


# --- the browser ----------------------------------------------------------------------------------


def program(path, text="#!/bin/sh\necho Chromium 1\n"):
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def empty_path(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dev, "BROWSER_PATHS", (str(tmp_path / "cache-*/chrome"),))
    monkeypatch.delenv("DMLIB_CHROMIUM", raising=False)
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    return tmp_path


posix = pytest.mark.skipif(dev.WINDOWS, reason="the stand-ins are shell scripts")


@posix
def test_a_redis_server_is_installed_where_there_is_none(empty_path, monkeypatch, capsys):
    packages = []

    def install(names):
        packages.append(names["apt-get"])
        return bool(program(empty_path / "redis-server"))

    monkeypatch.setattr(dev, "install_system", install)
    dev.redis_server()
    dev.redis_server()
    assert packages == [("redis-server",)]
    assert "could not" not in capsys.readouterr().err


def test_without_a_redis_server_the_reader_is_told_what_is_skipped(empty_path, monkeypatch, capsys):
    monkeypatch.setattr(dev, "install_system", lambda packages: False)
    dev.redis_server()
    assert "the tests that need one are skipped" in capsys.readouterr().err


def test_the_chosen_browser_wins(empty_path, monkeypatch):
    program(empty_path / "chromium")
    monkeypatch.setenv("DMLIB_CHROMIUM", program(empty_path / "mine"))
    assert dev.find_browser() == str(empty_path / "mine")


@posix
def test_a_browser_that_does_not_start_is_passed_over(empty_path):
    program(empty_path / "chromium-browser", "#!/bin/sh\necho install the snap >&2\nexit 1\n")
    assert dev.find_browser() is None
    chrome = program(empty_path / "google-chrome")
    assert dev.find_browser() == chrome


@posix
def test_the_newest_downloaded_browser_is_found(empty_path):
    for version in ("cache-1", "cache-2"):
        (empty_path / version).mkdir()
        program(empty_path / version / "chrome")
    assert dev.find_browser() == str(empty_path / "cache-2" / "chrome")


def test_without_any_way_to_a_browser_the_reader_is_told_what_to_do(calls, monkeypatch):
    monkeypatch.setattr(dev, "find_browser", lambda: None)
    monkeypatch.setattr(dev, "install_system", lambda packages: False)
    with pytest.raises(dev.SetupError, match="DMLIB_CHROMIUM"):
        dev.browser()
    assert "playwright install" in calls[-1][0]


# --- the commands ---------------------------------------------------------------------------------


def test_run_starts_the_server_for_this_machine_only(calls):
    assert dev.main(["run", "--port", str(free_port())]) == 0
    assert "streamlit run server.py" in commands(calls)[-1]
    assert "--server.address=127.0.0.1" in calls[-1][0]
    assert "allowedHosts" not in calls[-1][0]


def test_run_opens_the_network_on_request(calls):
    assert dev.main(["run", "--port", str(free_port()), "--host"]) == 0
    assert "--server.address=0.0.0.0 --server.allowedHosts=*" in calls[-1][0]


def test_a_port_in_use_is_a_sentence(calls, capsys):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        assert dev.main(["run", "--port", str(port)]) == 1
    assert f"dev.py: Port {port} of 127.0.0.1 cannot be opened" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1"])
def test_an_impossible_port_is_a_sentence(port, capsys):
    with pytest.raises(SystemExit):
        dev.main(["run", f"--port={port}"])
    assert "a number from 1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "depth"), [([], "quick"), (["--all"], "all"), (["--all", "-x"], "all -x")]
)
def test_test_runs_a_depth_with_the_browser(calls, monkeypatch, arguments, depth):
    monkeypatch.setattr(dev, "find_browser", lambda: "/opt/chromium")
    assert dev.main(["test", *arguments]) == 0
    assert commands(calls)[1:] == ["npm ci", f"pytest -n 3 --depth={depth}"]
    assert calls[-1][1] == {"DMLIB_CHROMIUM": "/opt/chromium", "PYTHONDONTWRITEBYTECODE": ""}


def test_lint_runs_every_check(calls, monkeypatch):
    monkeypatch.setattr(dev, "node_packages", lambda: None)
    assert dev.main(["lint"]) == 0
    assert [c.split()[0] for c in commands(calls)] == ["pip", "ruff", "ruff", "mypy"]


def test_arguments_go_to_pytest_without_the_checks(calls, monkeypatch):
    monkeypatch.setattr(dev, "find_browser", lambda: "/opt/chromium")
    dev.main(["test", "-k", "kmeans", "--maxfail=1", "tests/clustering"])
    assert commands(calls)[1:] == ["pytest -k kmeans --maxfail=1 tests/clustering"]


def test_scikit_learn_s_tests_are_run_by_their_own_program(calls):
    assert dev.main(["test", "--theirs", "svm"]) == 0
    assert commands(calls)[-1] == "tests.theirs svm"


def test_the_tests_of_a_change_are_chosen_by_their_own_program(calls, monkeypatch):
    monkeypatch.setattr(dev, "find_browser", lambda: "/opt/chromium")
    assert dev.main(["test", "--changed", "-x"]) == 0
    assert commands(calls)[-1] == "tests.changed -x"
    assert calls[-1][1] == {"DMLIB_CHROMIUM": "/opt/chromium"}


def test_tests_without_a_browser_need_none(calls, monkeypatch):
    monkeypatch.setattr(dev, "browser", lambda: pytest.fail("looked for a browser"))
    assert dev.main(["test", "-m", "not browser"]) == 0


def test_the_status_is_that_of_the_tests(calls, monkeypatch):
    monkeypatch.setattr(dev, "browser", lambda: "")
    monkeypatch.setattr(dev, "call", lambda *command, **_: 3 if "pytest" in command else 0)
    assert dev.main(["test"]) == 3


def test_the_status_of_lint_says_whether_all_is_clean(calls, monkeypatch):
    monkeypatch.setattr(dev, "node_packages", lambda: None)
    monkeypatch.setattr(dev, "call", lambda *command, **_: int("mypy" in command))
    assert dev.main(["lint"]) == 1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_help_and_mistakes_are_short():
    def run(*arguments):
        return subprocess.run(
            [sys.executable, dev.__file__, *arguments], capture_output=True, text=True, check=False
        )

    assert "start the app" in run("--help").stdout
    mistake = run("rnu")
    assert mistake.returncode == 2
    assert "Traceback" not in mistake.stderr


@posix
def test_continuous_integration_runs_the_same_command():
    script = os.path.join(os.path.dirname(dev.__file__), ".ci", "run")
    assert os.access(script, os.X_OK)
    with open(script) as lines:
        assert "python3 dev.py test" in lines.read()
