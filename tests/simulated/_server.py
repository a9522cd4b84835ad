"""The server: one thread per connection, one path prefix per service."""

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from evidencegate.documents import Document
from evidencegate.settings import Settings
from simulated import _formats as formats
from simulated._articles import ARTICLES, TRIALS
from simulated._boolean import NotUnderstood, compile_query
from simulated._faults import Fault

NCBI_KEY = "ncbi-key-0123456789abcdef+/&"
OPENALEX_KEY = "openalex-key-ABCDEFGH"
PERPLEXITY_KEY = "pplx-0123456789abcdefgh"
XML, JSON, TEXT, HTML = "text/xml; charset=UTF-8", "application/json", "text/plain", "text/html"
_BOMB = gzip.compress(bytes(8_000_000), 1)
_PAGE = "<html><head><title>Sorry</title></head><body><h1>Bad gateway</h1>Try later</body></html>"


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived."""

    service: str
    path: str
    method: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    at: float
    """Seconds on the monotonic clock."""


@dataclass(slots=True)
class Answer:
    """What would be sent if nothing went wrong."""

    body: bytes
    type: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Ordered:
    fault: Fault
    times: int | None
    path: str


class LiteratureService:
    """All services at one port of this machine. A context manager; also `start()` and `stop()`."""

    def __init__(
        self,
        articles: Sequence[Document] = ARTICLES,
        trials: Sequence[Document] = TRIALS,
        *,
        latency: float = 0.0,
        open_access: Mapping[str, bytes] | None = None,
    ) -> None:
        self.articles = tuple(articles)
        self.trials = tuple(trials)
        self.latency = latency
        self.full_texts = dict(open_access or {})
        self.notices_on_notices = False
        """Whether Crossref knows of updates from the notices (`update-to`) instead of the works (`updated-by`)."""
        self.perplexity: list[dict[str, str]] = []
        self.verbatim: dict[str, str] = {}
        """What is answered instead of the simulation's own, by `service/path`: for what a document cannot express."""
        self.seen: list[Seen] = []
        self._orders: dict[str, _Ordered] = {}
        self._histories: dict[str, list[str]] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    # --- life ---------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Answer no more; what hangs is let go."""
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """`http://127.0.0.1:port`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def environment(self, cache_dir: Path) -> dict[str, str]:
        """The variables that turn a command towards this service."""
        settings = self.settings(cache_dir)
        names = [name for name in Settings.model_fields if name.endswith("_url") or name.endswith("_rate")]
        urls = {f"EVIDENCEGATE_{name.upper()}": str(getattr(settings, name)) for name in names}
        return urls | {
            "EVIDENCEGATE_CACHE_DIR": str(cache_dir),
            "EVIDENCEGATE_NCBI_API_KEY": NCBI_KEY,
            "EVIDENCEGATE_OPENALEX_API_KEY": OPENALEX_KEY,
            "EVIDENCEGATE_PERPLEXITY_API_KEY": PERPLEXITY_KEY,
            "EVIDENCEGATE_EMAIL": "tester@example.org",
            "EVIDENCEGATE_RETRY_SECONDS": "0.01",
        }

    def settings(self, cache_dir: Path, **changes: Any) -> Settings:
        """Settings under which everything is asked here, quickly, and gives up early."""
        names = ("pubmed", "europe_pmc", "clinical_trials", "openalex", "crossref", "open_i", "perplexity", "unpaywall")
        given = {f"{name}_url": f"{self.url}/{name}" for name in names} | {f"{name}_rate": 1000 for name in names}
        given |= {
            "ncbi_api_key": NCBI_KEY,
            "openalex_api_key": OPENALEX_KEY,
            "perplexity_api_key": PERPLEXITY_KEY,
            "email": "tester@example.org",
            "cache_dir": cache_dir,
            "retry_seconds": 0.002,
            "retry_after_seconds": 1,
            "attempts": 3,
            "read_seconds": 10,
            "request_seconds": 20,
            "max_reply_bytes": 2_000_000,
        }
        return Settings(**(given | changes))

    # --- orders -------------------------------------------------------------------------------------------

    def fail(self, service: str, fault: Fault, *, times: int | None = None, path: str = "") -> None:
        """Let `service` fail so, for the next `times` requests (for ever where None) whose path holds `path`."""
        with self._lock:
            self._orders[service] = _Ordered(fault, times, path)

    def recover(self) -> None:
        """Forget all faults ordered."""
        with self._lock:
            self._orders.clear()

    def _fault(self, service: str, path: str) -> Fault | None:
        with self._lock:
            order = self._orders.get(service)
            if order is None or order.path not in path or order.times == 0:
                return None
            if order.times is not None:
                order.times -= 1
            return order.fault

    # --- answers ------------------------------------------------------------------------------------------

    def answer(self, seen: Seen, fault: Fault | None) -> Answer:
        """The right answer, or one that is wrong inside its own format."""
        said = self.verbatim.get(seen.service + seen.path)
        if said is not None:
            return Answer(said.encode(), JSON if said.startswith("{") else XML)
        handler: Callable[[Seen, Fault | None], Answer] = getattr(self, f"_{seen.service}")
        return handler(seen, fault)

    def _search(self, documents: Sequence[Document], query: str) -> list[Document]:
        test = compile_query(query)
        return [document for document in documents if test(document)]

    def _pubmed(self, seen: Seen, fault: Fault | None) -> Answer:
        if fault is Fault.ERROR_INSIDE_200:
            root = "eSearchResult" if "esearch" in seen.path else "eFetchResult"
            return Answer(f"<{root}><ERROR>Search Backend failed: timed out</ERROR></{root}>".encode(), XML)
        if seen.params.get("tool") != "evidencegate" or "email" not in seen.params:
            return Answer(b'{"error":"who are you?"}', JSON, 400)
        handler = {"/esearch.fcgi": self._esearch, "/efetch.fcgi": self._efetch}.get(seen.path)
        return handler(seen.params, fault) if handler else Answer(b"no such utility", TEXT, 404)

    def _esearch(self, params: Mapping[str, str], fault: Fault | None) -> Answer:
        if not params.get("term"):
            return Answer(b"<eSearchResult><ERROR>Empty term and query_key - nothing todo</ERROR></eSearchResult>", XML)
        try:
            ids = [d.identifiers.pmid or "" for d in self._search(self.articles, params["term"])]
        except NotUnderstood as error:
            return Answer(f"<eSearchResult><ERROR>{formats.escape(str(error))}</ERROR></eSearchResult>".encode(), XML)
        history = ""
        if params.get("usehistory") == "y":
            key = f"MCID_{len(self._histories)}"
            self._histories[key] = ids
            history = f"<QueryKey>1</QueryKey><WebEnv>{key}</WebEnv>"
        count = len(ids) + 5 if fault is Fault.WRONG_COUNT else len(ids)
        counted = "" if fault is Fault.NO_COUNT else f"<Count>{count}</Count>"
        shown = ids[: min(int(params.get("retmax", 20)), 9999)]
        listed = "".join(f"<Id>{identifier}</Id>" for identifier in shown * (2 if fault is Fault.DUPLICATES else 1))
        return Answer(
            '<?xml version="1.0"?><!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" '
            f'"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd"><eSearchResult>{counted}'
            f"<RetStart>0</RetStart>{history}<IdList>{listed}</IdList></eSearchResult>".encode(),
            XML,
        )

    def _efetch(self, params: Mapping[str, str], fault: Fault | None) -> Answer:
        if params.get("db") == "pmc":
            whole = self.full_texts.get(f"PMC{params.get('id')}", b'?><Reply error="not available"/>')
            return Answer(b"<pmc-articleset>" + whole.partition(b"?>")[2] + b"</pmc-articleset>", XML)
        if "WebEnv" in params:
            start, size = int(params["retstart"]), int(params["retmax"])
            ids = self._histories.get(params["WebEnv"], [])[start : start + size]
        else:
            ids = params.get("id", "").split(",")
        by_id = {d.identifiers.pmid: d for d in self.articles}
        records = [formats.pubmed_article(by_id[i]) for i in ids if i in by_id]
        records *= 2 if fault is Fault.DUPLICATES else 1
        if fault is Fault.BROKEN_RECORD and records:
            records[0] = "<PubmedArticle><MedlineCitation/></PubmedArticle>"
        body = '<?xml version="1.0"?><PubmedArticleSet>' + "\n".join(records) + "</PubmedArticleSet>"
        return Answer(body.encode(), XML)

    def _europe_pmc(self, seen: Seen, fault: Fault | None) -> Answer:
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"version": "6.9", "errCode": 404, "errMsg": "Sorry, the query could not be parsed"})
        if seen.path.endswith("/fullTextXML"):
            pmcid = seen.path.split("/")[1]
            content = self.full_texts.get(pmcid)
            return Answer(content, XML) if content else Answer(b"", TEXT, 404)
        params = seen.params
        try:
            found = self._search(self.articles, params["query"])
        except NotUnderstood as error:
            return _json({"version": "6.9", "errCode": 400, "errMsg": str(error)})
        start = 0 if params["cursorMark"] == "*" else int(params["cursorMark"])
        size = int(params["pageSize"])
        records: list[Any] = [formats.europe_pmc_record(d) for d in found[start : start + size]]
        _spoil(records, fault)
        value: dict[str, Any] = {"version": "6.9", "hitCount": len(found) + (5 if fault is Fault.WRONG_COUNT else 0)}
        if fault is Fault.NO_COUNT:
            del value["hitCount"]
        return _json(value | {"nextCursorMark": str(start + size), "resultList": {"result": records}})

    def _clinical_trials(self, seen: Seen, fault: Fault | None) -> Answer:
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"error": "internal"})
        if seen.path.startswith("/studies/"):
            wanted = seen.path.rsplit("/", 1)[1]
            trial = next((t for t in self.trials if t.identifiers.nct == wanted), None)
            return _json(formats.study(trial)) if trial else Answer(b"NCT number not found", TEXT, 404)
        params = seen.params
        query = " AND ".join(
            f"({params[name]})"
            for name in ("query.cond", "query.intr", "query.term", "filter.advanced")
            if name in params
        )
        try:
            found = self._search(self.trials, query)
        except NotUnderstood as error:
            return Answer(f"Invalid query: {error}".encode(), TEXT, 400)
        start, size = int(params.get("pageToken", 0)), int(params["pageSize"])
        records: list[Any] = [formats.study(t) for t in found[start : start + size]]
        _spoil(records, fault)
        value: dict[str, Any] = {"studies": records}
        if fault is not Fault.NO_COUNT:
            value["totalCount"] = len(found) + (5 if fault is Fault.WRONG_COUNT else 0)
        if start + size < len(found):
            value["nextPageToken"] = str(start + size)
        return _json(value)

    def _openalex(self, seen: Seen, fault: Fault | None) -> Answer:
        if seen.params.get("api_key") != OPENALEX_KEY:
            return Answer(b'{"error":"API key required"}', JSON, 401)
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"error": "Invalid query parameters error.", "message": "no"})
        found = self._search(self.articles, seen.params["search"])
        start = 0 if seen.params["cursor"] == "*" else int(seen.params["cursor"])
        size = int(seen.params["per_page"])
        records: list[Any] = [formats.openalex_work(d) for d in found[start : start + size]]
        _spoil(records, fault)
        meta = {"count": len(found) + (5 if fault is Fault.WRONG_COUNT else 0), "next_cursor": str(start + size)}
        if fault is Fault.NO_COUNT:
            del meta["count"]
        return _json({"meta": meta, "results": records})

    def _crossref(self, seen: Seen, fault: Fault | None) -> Answer:
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"status": "failed", "message-type": "error", "message": "internal"})
        by_doi = {d.identifiers.doi: d for d in self.articles if d.identifiers.doi}
        if seen.path.startswith("/works/"):
            document = by_doi.get(unquote(seen.path.removeprefix("/works/")).lower())
            if document is None:
                return Answer(b"Resource not found.", TEXT, 404)
            return _json({"status": "ok", "message": formats.crossref_work(document)})
        kind, *_ = seen.params.get("filter", "").split(":")
        if kind in ("doi", "updates"):
            dois = [part.removeprefix(f"{kind}:") for part in seen.params["filter"].split(",")]
            named = [by_doi[doi] for doi in dois if doi in by_doi]
            if kind == "doi":
                # Half of the publishers only fill in the one direction, half the other.
                found: list[Any] = [formats.crossref_work(d, notices=not self.notices_on_notices) for d in named]
            else:
                noted = [d for d in named if d.notices and self.notices_on_notices]
                found = [formats.crossref_notice(d) for d in noted]
            return _json({"status": "ok", "message": {"total-results": len(found), "items": found}})
        words = seen.params["query.bibliographic"].split()
        ranked = [d for d in by_doi.values() if any(compile_query(f'"{w}"')(d) for w in words)]
        start, size = int(seen.params["offset"]), int(seen.params["rows"])
        records: list[Any] = [formats.crossref_work(d) for d in ranked[start : start + size]]
        _spoil(records, fault)
        message: dict[str, Any] = {"total-results": len(ranked) + (5 if fault is Fault.WRONG_COUNT else 0)}
        if fault is Fault.NO_COUNT:
            del message["total-results"]
        return _json({"status": "ok", "message": message | {"items": records}})

    def _open_i(self, seen: Seen, fault: Fault | None) -> Answer:
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"error": "internal"})
        found = self._search(self.articles, seen.params["query"])
        start, end = int(seen.params["m"]) - 1, int(seen.params["n"])
        records: list[Any] = [formats.open_i_image(d) for d in found[start:end]]
        _spoil(records, fault)
        value: dict[str, Any] = {"total": len(found) + (5 if fault is Fault.WRONG_COUNT else 0), "list": records}
        if fault is Fault.NO_COUNT:
            del value["total"]
        return _json(value)

    def _perplexity(self, seen: Seen, fault: Fault | None) -> Answer:
        if seen.headers.get("authorization") != f"Bearer {PERPLEXITY_KEY}":
            return Answer(b'{"error":{"message":"Invalid API key"}}', JSON, 401)
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"error": {"message": "internal", "type": "server_error", "code": 500}})
        results: list[Any] = list(self.perplexity)
        _spoil(results, fault)
        value = {
            "id": "1",
            "model": "sonar",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "Bleach cures everything [1]."}}],
            "search_results": results,
            "citations": [result["url"] for result in self.perplexity],
        }
        if fault in (Fault.NO_COUNT, Fault.WRONG_COUNT):
            del value["choices"]
        return _json(value)

    def _unpaywall(self, seen: Seen, fault: Fault | None) -> Answer:
        if "email" not in seen.params:
            return Answer(b'{"error":true,"message":"email required"}', JSON, 422)
        if fault is Fault.ERROR_INSIDE_200:
            return _json({"HTTP_status_code": 500, "error": True, "message": "internal"})
        doi = unquote(seen.path.removeprefix("/")).lower()
        document = next((d for d in self.articles if d.identifiers.doi == doi), None)
        if document is None:
            return Answer(b'{"error":true,"message":"not found"}', JSON, 404)
        location = {
            "url_for_pdf": f"https://repository.example.org/{doi}.pdf",
            "url": "https://repository.example.org/",
        }
        return _json({"doi": doi, "is_oa": True, "best_oa_location": location | {"license": "cc-by", "version": "x"}})


def _json(value: object) -> Answer:
    return Answer(json.dumps(value).encode(), JSON)


def _spoil(records: list[Any], fault: Fault | None) -> None:
    if fault is Fault.DUPLICATES:
        records += records
    if fault is Fault.BROKEN_RECORD and records:
        records[0] = ["not", "a", "record"]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A listening queue of 5 would drop connections of a client that asks everything at once.
    request_queue_size = 128

    def __init__(self, service: LiteratureService) -> None:
        self.service = service
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that give up are part of the game; anything else is a defect of the simulation, and shows."""
        import sys

        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Silence: tests read `seen`."""

    def do_GET(self) -> None:
        """Answer a GET."""
        self._handle("GET", "")

    def do_POST(self) -> None:
        """Answer a POST."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self._handle("POST", body)

    def _handle(self, method: str, body: str) -> None:
        service = self.server.service
        parts = urlsplit(self.path)
        _, name, *rest = parts.path.split("/")
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        if method == "POST" and "json" not in self.headers.get("Content-Type", ""):
            params |= dict(parse_qsl(body, keep_blank_values=True))
        headers = {key.lower(): value for key, value in self.headers.items()}
        seen = Seen(name, "/" + "/".join(rest), method, params, headers, time.monotonic())
        service.seen.append(seen)
        if service.latency:
            time.sleep(service.latency)
        fault = service._fault(name, seen.path)
        answer = service.answer(seen, fault)
        self._send(answer, fault, seen)

    def _send(self, answer: Answer, fault: Fault | None, seen: Seen) -> None:
        keys = {"pubmed": NCBI_KEY, "openalex": OPENALEX_KEY, "perplexity": PERPLEXITY_KEY}
        key = keys.get(seen.service, "none")
        headers = answer.headers
        if fault is Fault.TOO_MANY_REQUESTS:
            answer = Answer(b'{"error":"API rate limit exceeded"}', JSON, 429, {"Retry-After": "0"})
        elif fault is Fault.TOO_MANY_FOR_LONG:
            answer = Answer(b"slow down", TEXT, 429, {"Retry-After": "3600"})
        elif fault is Fault.TOO_MANY_WITH_DATE:
            answer = Answer(b"slow down", TEXT, 429, {"Retry-After": "Fri, 01 Nov 2024 00:00:00 GMT"})
        elif fault is Fault.SERVER_ERROR:
            answer = Answer(f"failed for {key}".encode(), TEXT, 500)
        elif fault is Fault.UNAVAILABLE:
            answer = Answer(b"maintenance", TEXT, 503, {"Retry-After": "0"})
        elif fault is Fault.BAD_GATEWAY_PAGE:
            answer = Answer(_PAGE.encode(), HTML, 502)
        elif fault is Fault.WEB_PAGE:
            answer = Answer(_PAGE.encode(), HTML)
        elif fault is Fault.EMPTY_BODY:
            answer = Answer(b"", answer.type)
        elif fault is Fault.TRUNCATED:
            answer = Answer(answer.body[: max(1, len(answer.body) * 2 // 3)], answer.type)
        elif fault is Fault.WRONG_TYPE:
            answer = Answer(answer.body, "application/octet-stream")
        elif fault is Fault.NOT_UTF8:
            answer = Answer(answer.body[:20] + b"\xff\xfe\xff" + answer.body[20:], answer.type)
        elif fault is Fault.GZIP_GARBAGE:
            answer = Answer(b"\x1f\x8bnot gzip at all", answer.type, 200, {"Content-Encoding": "gzip"})
        elif fault is Fault.GZIP_BOMB:
            answer = Answer(_BOMB, answer.type, 200, {"Content-Encoding": "gzip"})
        elif fault is Fault.HUGE:
            answer = Answer(b"[" + b"0," * 1_500_000, answer.type)
        elif fault is Fault.REDIRECT_LOOP:
            answer = Answer(b"", TEXT, 302, {"Location": self.path})
        elif fault is Fault.REDIRECT_NOWHERE:
            answer = Answer(b"", TEXT, 302, {"Location": "gopher://[nowhere"})
        elif fault is Fault.REDIRECT_WITH_KEY:
            query = urlencode({**seen.params, "api_key": key})
            answer = Answer(b"", TEXT, 302, {"Location": f"/{seen.service}{seen.path}?{query}"})
        elif fault is Fault.KEY_ECHO:
            body = json.dumps({"error": "API key invalid", "api-key": key, "url": urlencode({"api_key": key})})
            answer = Answer(body.encode(), JSON, 400)
        elif fault is Fault.FORBIDDEN:
            answer = Answer(f"key {key} is blocked".encode(), TEXT, 403)
        elif fault is Fault.BAD_QUERY:
            answer = Answer(b"Invalid query: unbalanced (", TEXT, 400)
        elif fault is Fault.NOT_FOUND:
            answer = Answer(b"nothing here", TEXT, 404)
        elif fault is Fault.WRONG_SHAPE:
            answer = Answer(b"<other><thing/></other>" if answer.type == XML else b'["a", "list"]', answer.type)
        elif fault is Fault.DEEP:
            deep = b"<a>" * 20_000 if answer.type == XML else b'{"a":' * 20_000
            answer = Answer(deep, answer.type)
        elif fault is Fault.RESET:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        elif fault is Fault.SILENCE:
            self.close_connection = True
            self.server.service._stopping.wait(30)
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.type)
        length = len(answer.body) + (1000 if fault in (Fault.CUT, Fault.SLOW_DRIP) else 0)
        self.send_header("Content-Length", str(length))
        for name, value in (headers | answer.headers).items():
            self.send_header(name, value)
        self.end_headers()
        if fault is Fault.SLOW_DRIP:
            self.close_connection = True
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                if self.server.service._stopping.wait(0.05):
                    return
        elif fault is Fault.CUT:
            self.close_connection = True
            self.wfile.write(answer.body[: len(answer.body) // 2])
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.wfile.write(answer.body)
