"""The command `serve`, as far as it refuses to."""

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evidencegate.cli._serve import app, serve  # noqa: F401  (registers the command)

TOKEN = "ada: a-token-of-ada-0123456789"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_no_server_for_everybody_without_tokens(tmp_path: Path, host: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--host", host, "--state", str(tmp_path)])
    assert done.exit_code == 2
    assert "--token-file" in done.stderr


@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        ("# nobody yet\n", 0o600, "no token"),
        ("ada\n", 0o600, "line 1"),
        ("ada: short\n", 0o600, "16 characters"),
        (TOKEN, 0o644, "chmod 600"),
    ],
)
def test_a_token_file_that_will_not_do(tmp_path: Path, content: str, mode: int, says: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    done = CliRunner().invoke(app, ["serve", "--token-file", str(path), "--state", str(tmp_path)])
    assert done.exit_code == 2
    assert says in done.stderr
    assert "0123456789" not in done.stderr


def test_two_servers_do_not_share_a_state_directory(tmp_path: Path) -> None:
    from evidencegate.web import Jobs, WebSettings

    with Jobs(WebSettings(state_dir=tmp_path)):
        done = CliRunner().invoke(app, ["serve", "--state", str(tmp_path), "--port", "1"])
    assert done.exit_code == 2
    assert "another server" in done.stderr


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(app, ["serve", "--state", str(tmp_path), "--port", port])
    assert done.exit_code == 1
    assert "--port" in done.stderr
