"""Two servers on loopback that speak as OpenAI and as Anthropic do, streaming, and fail on order."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar


@dataclass
class Order:
    """What the server does next, and what it was asked."""

    reply: str = '{"label": "correct", "index": 1}'
    status: int = 200
    cut: bool = False
    """End the connection in the middle of the reply."""
    pause: float = 0.0
    """Seconds between two pieces of the reply."""
    hang: float = 0.0
    """Seconds without a byte after the first piece."""
    refusal: bool = False
    verbatim: str = ""
    """What is sent instead of a reply."""
    without_usage: bool = False
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    order: ClassVar[Order]

    def log_message(self, *_: object) -> None:
        return

    def do_POST(self) -> None:
        order = self.order
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        order.asked.append(body)
        order.headers.append({name.lower(): value for name, value in self.headers.items()})
        if order.status != 200:
            said = json.dumps({"error": {"message": f"no, {order.headers[-1]}", "type": "t"}}).encode()
            self.send_response(order.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        replied = list(_anthropic(order, body) if self.path.endswith("/messages") else _openai(order, body))
        try:
            events = [order.verbatim] if order.verbatim else replied
            for place, event in enumerate(events):
                if order.cut and place == len(events) // 2:
                    self.connection.close()
                    return
                data = event.encode()
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.flush()
                time.sleep(order.hang if place == 0 and order.hang else order.pause)
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            return


def _pieces(text: str) -> list[str]:
    return [text[i : i + 7] for i in range(0, len(text), 7)]


def _openai(order: Order, body: dict[str, Any]) -> Iterator[str]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        made = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        return f"data: {json.dumps(made)}\n\n"

    if order.refusal:
        yield chunk({"role": "assistant", "content": ""})
        yield chunk({}, "content_filter")
    elif body.get("tools"):
        name = body["tools"][0]["function"]["name"]
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": ""}}
        yield chunk({"role": "assistant", "tool_calls": [call]})
        for piece in _pieces(order.reply):
            yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
        yield chunk({}, "tool_calls")
    else:
        yield chunk({"role": "assistant", "content": ""})
        for piece in _pieces(order.reply):
            yield chunk({"content": piece})
        yield chunk({}, "stop")
    if not order.without_usage:
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        last = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": usage}
        yield f"data: {json.dumps(last)}\n\n"
    yield "data: [DONE]\n\n"


def _anthropic(order: Order, body: dict[str, Any]) -> Iterator[str]:
    def event(kind: str, **fields: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"

    usage = {"input_tokens": 11, "output_tokens": 1}
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield event("message_start", message=message)
    tool = {"type": "tool_use", "id": "toolu_1", "name": body["tools"][0]["name"], "input": {}}
    yield event("content_block_start", index=0, content_block=tool)
    for piece in _pieces(order.reply):
        yield event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": piece})
    yield event("content_block_stop", index=0)
    yield event("message_delta", delta={"stop_reason": "tool_use", "stop_sequence": None}, usage={"output_tokens": 7})
    yield event("message_stop")


@contextmanager
def serving(order: Order) -> Iterator[Order]:
    """A server that follows `order`, at `order.url`."""
    handler = type("Handler", (_Handler,), {"order": order})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    order.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield order
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
