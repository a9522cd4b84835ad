"""What a hostile page, program or user tries, and what comes of it."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers
from web_support import CHECK, INPUTS, QUESTION, MakeClient

from evidencegate.errors import InvalidInput
from evidencegate.web import WebSettings, create_app
from evidencegate.web._security import Gatekeeper, Signer
from evidencegate.web._state import secret
from evidencegate.web._uploads import shown_name

API = "/api/v1"
ADA, BOB = "a-token-of-ada-0123456789", "a-token-of-bob-0123456789"
TOKENS = [f"ada: {ADA}", "# who else", "", f"bob: {BOB}"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def done(client: TestClient, **more: Any) -> str:
    """The id of a check that has ended."""
    job = client.post(f"{API}/check", json=CHECK, **more)
    assert job.status_code == 202, job.text
    run: str = job.json()["run"]["id"]
    client.get(f"{API}/runs/{run}/events", **more)
    return run


RUN_PATHS = [
    ("GET", "/runs/{run}"),
    ("GET", "/runs/{run}/result"),
    ("GET", "/runs/{run}/events"),
    ("POST", "/runs/{run}/cancel"),
    ("POST", "/runs/{run}/resume"),
    ("POST", "/runs/{run}/replay"),
    ("GET", "/runs/{run}/diff/{run}"),
]


def test_the_runs_of_others_are_not_there(make_client: MakeClient) -> None:
    client = make_client(tokens=TOKENS)
    run = done(client, headers=bearer(ADA))
    for method, path in RUN_PATHS:
        place = API + path.format(run=run)
        foreign = client.request(method, place, headers=bearer(BOB))
        missing = client.request(method, place.replace(run[:8], "19990101"), headers=bearer(BOB))
        # Nobody is told whether a run of that name is there.
        assert (foreign.status_code, foreign.json()["type"]) == (404, "/problems/not-found"), path
        assert foreign.json()["detail"].replace(run[:8], "19990101") == missing.json()["detail"]
    assert client.get(f"{API}/runs", headers=bearer(BOB)).json()["runs"] == []
    assert [job["id"] for job in client.get(f"{API}/runs", headers=bearer(ADA)).json()["runs"]] == [run]


def test_a_shared_server_wants_a_token_for_everything_but_its_health(make_client: MakeClient) -> None:
    client = make_client(tokens=TOKENS)
    paths: dict[str, dict[str, Any]] = client.get(f"{API}/openapi.json").json()["paths"]
    asked = 0
    for path, methods in paths.items():
        filled = path.format(run="x", before="x", after="x", name="x")
        for method in methods:
            if path.endswith("/health"):
                continue
            body = INPUTS.get(path.rpartition("/")[2], {"question": QUESTION}) if method == "post" else None
            files = {"files": b"x"} if path.endswith("/documents") else None
            kind: dict[str, Any] = {"files": files} if files else {"json": body}
            for headers in ({}, bearer("nobody's-0123456789abcdef")):
                refused = client.request(method.upper(), filled, headers=headers, **kind)
                assert (refused.status_code, refused.json()["type"]) == (401, "/problems/not-signed-in"), path
                assert refused.headers["www-authenticate"] == "Bearer"
            asked += 1
    assert asked >= 17
    assert client.get(f"{API}/health").status_code == 200


def test_sessions_of_browsers_are_kept_apart(make_client: MakeClient) -> None:
    client = make_client()
    first, second = (TestClient(client.app, base_url="http://127.0.0.1:8765") for _ in range(2))
    for browser in (first, second):
        assert browser.get("/").status_code == 200
        assert set(browser.cookies) == {"evidencegate-8765"}
    run = done(first)
    assert first.get(f"{API}/runs/{run}").status_code == 200
    assert second.get(f"{API}/runs/{run}").status_code == 404
    assert client.get(f"{API}/runs/{run}").status_code == 404  # a program without a cookie is somebody else, too


@given(forged=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=80))
@settings(max_examples=200)
def test_a_cookie_that_we_did_not_sign_is_nobodys(forged: str) -> None:
    gatekeeper = Gatekeeper(WebSettings(state_dir=Path("unused")), b"k" * 32)
    seen = gatekeeper.visitor(Headers(), {"evidencegate-8765": forged}, page=True)
    assert seen.fresh


@given(value=st.text(max_size=40), at=st.integers(min_value=0, max_value=200))
def test_a_signature_holds_for_its_value_and_purpose_alone(value: str, at: int) -> None:
    signer = Signer(b"k" * 32)
    sealed = signer.seal("session", value)
    assert signer.open("session", sealed) == (value or None)
    assert signer.open("form", sealed) is None
    assert Signer(b"l" * 32).open("session", sealed) is None
    at %= len(sealed)
    changed = sealed[:at] + ("x" if sealed[at] != "x" else "y") + sealed[at + 1 :]
    # The last letter of base64 holds bits that mean nothing; of no other place can a letter be exchanged.
    assert signer.open("session", changed) is None


def test_a_token_taken_away_takes_its_session_along() -> None:
    before = WebSettings.of(tokens=TOKENS, state_dir=Path("unused"))
    after = WebSettings.of(tokens=TOKENS[3:], state_dir=Path("unused"))
    known = Gatekeeper(before, b"k" * 32)
    visitor = known.sign_in(ADA)
    assert visitor is not None
    name, _, rest = known.cookie(visitor).partition("=")
    cookies = {name: rest.partition(";")[0]}
    assert known.visitor(Headers(), cookies, page=True).owner == "ada"
    assert Gatekeeper(after, b"k" * 32).visitor(Headers(), cookies, page=True).owner is None
    assert known.sign_in("a-token-of-nobody-0123456789") is None
    assert "HttpOnly; SameSite=Lax" in known.cookie(visitor)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8765", "", "[::2]", "[", "a:b:c"]
)
def test_a_host_that_is_not_ours_is_refused(client: TestClient, host: str) -> None:
    refused = client.get(f"{API}/health", headers={"Host": host})
    assert (refused.status_code, refused.json()["type"]) == (421, "/problems/wrong-host")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9999", "[::1]:8765", "LOCALHOST"])
def test_a_host_that_is_ours_is_not(client: TestClient, host: str) -> None:
    assert client.get(f"{API}/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_change_nothing(client: TestClient, headers: dict[str, str]) -> None:
    run = done(client)
    for path in ("/ask", "/check", f"/runs/{run}/cancel", f"/runs/{run}/resume", f"/runs/{run}/replay"):
        refused = client.post(API + path, json={}, headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/forbidden"), path
    assert client.get(f"{API}/runs", headers=headers).status_code == 200


def test_a_form_without_its_token_is_refused(client: TestClient) -> None:
    client.get("/")
    posts = [
        route.path
        for route in _routes(client.app)
        if "POST" in (route.methods or ()) and not route.path.startswith("/api/")
    ]
    assert len(posts) >= 8
    for path in posts:
        for token in ({}, {"csrf_token": "x"}, {"csrf_token": "é"}):
            refused = client.post(path.format(run="x", name="x", document="x"), data={**token, "question": QUESTION})
            assert refused.status_code == 403, path
    assert client.get("/runs").status_code == 200


def _routes(app: Any) -> list[Any]:
    """Every route, those of included routers too."""
    found: list[Any] = []
    waiting = list(app.routes)
    while waiting:
        route = waiting.pop()
        if hasattr(route, "methods"):
            found.append(route)
        elif hasattr(route, "effective_candidates"):
            waiting.extend(candidate for candidate in route.effective_candidates())
        else:
            waiting.extend(getattr(route, "routes", ()) or ())
    return found


def test_a_body_beyond_the_limit_is_refused_whatever_it_says_of_itself(make_client: MakeClient) -> None:
    client = make_client(max_body_bytes=1_000, max_upload_bytes=5_000, libraries=["lib"])
    large = b'{"text": "' + b"x" * 2_000 + b'"}'

    def pieces() -> Any:
        for at in range(0, len(large), 100):
            yield large[at : at + 100]

    json = {"Content-Type": "application/json"}
    files = {"files": ("a.txt", b"x" * 6_000)}
    for refused in (
        client.post(f"{API}/check", content=large, headers=json),
        client.post(f"{API}/check", content=pieces(), headers=json),
        client.post(f"{API}/libraries/lib/documents", files=files),
    ):
        assert (refused.status_code, refused.json()["type"]) == (413, "/problems/too-large")


def test_too_many_requests_are_told_when_to_come_again(make_client: MakeClient) -> None:
    client = make_client(posts_per_minute=3)
    codes = [client.post(f"{API}/question", json={"question": QUESTION}).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    refused = client.post(f"{API}/question", json={"question": QUESTION})
    assert refused.json()["type"] == "/problems/too-many-requests"
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert client.get(f"{API}/runs").status_code == 200  # reading costs nothing
    other = TestClient(client.app, base_url="http://127.0.0.1:8765")
    other.get("/")
    assert other.post(f"{API}/question", json={"question": QUESTION}).status_code == 200


def test_asked_for_its_head_a_page_says_what_it_would_without_its_body(make_client: MakeClient) -> None:
    """As link checkers and monitors ask; whoever may not read a page learns no more of it this way."""
    client = make_client(tokens=TOKENS)
    run = done(client, headers=bearer(ADA))
    for path, code in (
        ("/", 200),
        (f"{API}/health", 200),
        ("/static/page.css", 200),
        (f"{API}/runs/{run}", 404),
        (f"{API}/nothing", 404),
        (f"{API}/ask", 405),
    ):
        whole, head = (
            client.request(method, path, headers=bearer(BOB) if path.startswith(API) else {}, follow_redirects=False)
            for method in ("GET", "HEAD")
        )
        assert (whole.status_code, head.status_code) == (code, code), path
        assert not head.content
        assert head.headers.get("content-type") == whole.headers.get("content-type")
        assert head.headers["content-security-policy"]
    assert client.head(f"{API}/runs/{run}/events", headers=bearer(ADA)).status_code == 405


@pytest.mark.parametrize(
    "name", ["../etc", "..%2f..%2fetc%2fpasswd", "%2e%2e", "lib/../..", "a b", "x" * 100, "lib%00", "/etc"]
)
def test_no_library_can_be_named_that_is_not_offered(make_client: MakeClient, tmp_path: Path, name: str) -> None:
    client = make_client(libraries=[tmp_path / "lib"])
    before = sorted(tmp_path.rglob("*"))
    for method, path in (("GET", ""), ("GET", "/search?q=x"), ("POST", "/documents")):
        files = {"files": ("a.txt", b"text")} if method == "POST" else None
        refused = client.request(method, f"{API}/libraries/{name}{path}", files=files)
        assert refused.status_code in (404, 405, 422), refused.text
        assert str(tmp_path) not in refused.text
    assert client.post(f"{API}/ask", json={"question": QUESTION, "libraries": [name]}).status_code == 422
    assert sorted(tmp_path.rglob("*")) == before


@given(
    name=st.text(max_size=60)
    | st.sampled_from(["../../x.txt", "..\\..\\x.txt", "/etc/passwd", "a\0b", "a\nb.pdf", ".."])
)
@settings(max_examples=200)
def test_a_name_that_a_user_gives_a_file_is_only_shown(name: str) -> None:
    shown = shown_name(name)
    assert shown
    assert not set(shown) & set("/\\\0\n\r")
    assert len(shown) <= 120


@pytest.mark.parametrize("name", ["../../../escape.txt", "/var/escape.txt", "..\\escape.txt", "", "escape.txt\0.pdf"])
def test_an_upload_lands_nowhere_but_in_its_library(make_client: MakeClient, tmp_path: Path, name: str) -> None:
    client = make_client(libraries=[tmp_path / "lib"])
    words = b"Zelfaban reduced major bleeding compared with warfarin in an invented trial."
    client.post(f"{API}/libraries/lib/documents", files=[("files", (name or "x", words))])
    assert not list(tmp_path.parent.rglob("escape*"))
    assert not Path("/var/escape.txt").exists()


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x", "https://example.org/10.1000/x", "file:///etc/passwd"])
def test_no_address_of_a_user_is_fetched(client: TestClient, address: str) -> None:
    for path, body in (
        ("/check", {"text": "Zelfaban works.", "against": [address]}),
        ("/ask", {"question": QUESTION, "sources": [address]}),
        ("/ask", {"question": QUESTION, "libraries": [address]}),
        ("/ask", {"question": QUESTION, "base_url": address}),
        ("/ask", {"question": QUESTION, "packs": address}),
    ):
        refused = client.post(API + path, json=body)
        assert refused.status_code == 422, (path, body)
    assert client.get(f"{API}/runs").json()["runs"] == []


def test_what_a_user_writes_is_no_markup(client: TestClient) -> None:
    client.get("/")
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)> Zelfaban reduced major bleeding by 38%."
    job = client.post(f"{API}/check", json={**CHECK, "text": evil})
    run = job.json()["run"]["id"]
    client.get(f"{API}/runs/{run}/events")
    for path in (f"/runs/{run}", "/runs"):
        shown = client.get(path)
        assert shown.status_code == 200
        assert "<script>alert" not in shown.text
        assert "<img src=x" not in shown.text
        assert "&lt;script&gt;" in shown.text


@pytest.mark.parametrize("path", ["/", "/runs", "/nowhere", "/api/v1/health", "/api/v1/nowhere", "/static/page.css"])
def test_every_reply_carries_the_policy(client: TestClient, path: str) -> None:
    headers = client.get(path, headers={"Accept": "text/html"}).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_a_server_that_others_can_reach_wants_tokens(tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "example.org"):
        with pytest.raises(InvalidInput, match="--token-file"):
            WebSettings(host=host, state_dir=tmp_path)
        assert WebSettings.of(host=host, tokens=TOKENS, state_dir=tmp_path).tokens
    for host in ("127.0.0.1", "::1", "localhost", "127.0.0.2"):
        assert WebSettings(host=host, state_dir=tmp_path).loopback


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["ada"], "line 1"),
        (["ada: short"], "16 characters"),
        ([f"ada: {ADA}", f"bob: {ADA}"], "somebody else"),
        ([f"../ada: {ADA}"], "line 1"),
    ],
)
def test_tokens_that_are_none_are_refused(lines: list[str], says: str) -> None:
    with pytest.raises(InvalidInput, match=says) as refused:
        WebSettings.of(tokens=lines)
    assert ADA not in str(refused.value)


def test_tokens_and_passwords_are_not_shown() -> None:
    shown = repr(WebSettings.of(tokens=TOKENS, ledger="postgresql://u:hush-hush@h/db"))
    assert "hush" not in shown
    assert ADA not in shown


def test_libraries_of_one_name_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="NAME=DIR"):
        WebSettings.of(libraries=["a/lib", "b/lib"])
    named = WebSettings.of(libraries=["a/lib", "other=b/lib", "s3://bucket/lib2"])
    assert list(named.libraries) == ["lib", "other", "lib2"]
    assert named.libraries["lib2"] == "s3://bucket/lib2"
    with pytest.raises(InvalidInput, match="NAME=DIR"):
        WebSettings.of(libraries=["a/my library"])


@pytest.mark.skipif(os.name != "posix", reason="permissions of files are POSIX's")
def test_the_secret_is_for_its_user_alone(tmp_path: Path) -> None:
    made = secret(tmp_path)
    path = next(tmp_path.glob("*.secret"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert secret(tmp_path) == made
    path.chmod(0o644)
    with pytest.raises(InvalidInput, match="read by others"):
        create_app(WebSettings(state_dir=tmp_path))
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(InvalidInput, match="damaged"):
        secret(tmp_path)
