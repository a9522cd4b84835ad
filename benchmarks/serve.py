"""How quickly the server answers, and how much it needs: on a real process, over real loopback HTTP, offline.

    python benchmarks/serve.py [--people 50] [--reads 2000] [--json]

Says: the time to the first byte of a page and of a submitted job, and to the first progress event, on an idle server
and while two jobs are at work; requests a second for reading a run (whole, and brief); the memory of the server's
process (resident, and its peak) at rest and with so many people at once; the weight of each page with all it loads,
the heaviest part of a long check included; and how soon a job that computes ends once it is cancelled.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2

QUESTION = "Which anticoagulant for atrial fibrillation in a patient with chronic kidney disease?"
ASK = {"question": QUESTION, "offline": True}
CHECK = {
    "text": "Zelfaban reduced major bleeding by 38%. Zelfaban did not change stroke.",
    "texts": [{"name": "An invented trial", "text": "Zelfaban reduced major bleeding (HR 0.62, 95% CI 0.48-0.80)."}],
}
LONG = {
    "text": " ".join(
        f"Zelfaban reduced major bleeding compared with warfarin (HR 0.{62 + n % 3}) in stratum {n}."
        for n in range(300)
    ),
    "texts": CHECK["texts"],
}
"""300 claims."""
PAGES = ("/", "/check", "/counter", "/report", "/runs", "/libraries", "/anchors")


def memory(process: int) -> dict[str, float]:
    """Megabytes of a process: resident now, and at most so far."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    kilobytes = {name: int(value) for name, value in re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status, re.MULTILINE)}
    return {"resident": round(kilobytes["VmRSS"] / 1024, 1), "peak": round(kilobytes["VmHWM"] / 1024, 1)}


def middle(seconds: list[float]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    last = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {"median_ms": round(statistics.median(ordered) * 1000, 2), "p95_ms": round(last * 1000, 2)}


async def first_byte(client: httpx2.AsyncClient, path: str) -> float:
    started = time.perf_counter()
    async with client.stream("GET", path) as reply:
        async for _ in reply.aiter_raw():
            break
    return time.perf_counter() - started


async def first_event(client: httpx2.AsyncClient, inputs: dict[str, Any]) -> tuple[float, float, str]:
    """Seconds from sending a question to its job, and to its first progress event; and the run."""
    started = time.perf_counter()
    reply = await client.post("/api/v1/ask", json=inputs)
    accepted = time.perf_counter() - started
    run = reply.json()["run"]["id"]
    async with client.stream("GET", f"/api/v1/runs/{run}/events") as events:
        async for line in events.aiter_lines():
            if line.startswith("event: progress"):
                break
    return accepted, time.perf_counter() - started, run


async def done(client: httpx2.AsyncClient, run: str) -> None:
    async with client.stream("GET", f"/api/v1/runs/{run}/events") as events:
        async for _ in events.aiter_lines():
            continue


def worked(process: int) -> float:
    """Seconds of processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def rate(process: int, read: Callable[[], Awaitable[Any]], times: int, at_once: int) -> dict[str, float]:
    """Requests a second with so many readers at once, and what one costs the server, whatever else is at work."""
    left = times
    before = worked(process)

    async def reader() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await read()

    started = time.perf_counter()
    await asyncio.gather(*(reader() for _ in range(at_once)))
    seconds = time.perf_counter() - started
    return {"a_second": round(times / seconds, 1), "server_cpu_ms": round((worked(process) - before) / times * 1000, 2)}


async def weight(client: httpx2.AsyncClient, path: str) -> int:
    """Bytes of a page and of everything of this server that it loads."""
    page = (await client.get(path)).content
    total = len(page)
    for link in set(re.findall(rb'(?:href|src)="(/static/[^"]+)"', page)):
        total += len((await client.get(link.decode())).content)
    return total


async def cancelled(client: httpx2.AsyncClient, inputs: dict[str, Any], after: float) -> float | None:
    """Seconds from the cancellation of a check that has been at work so long to its end; None where it was done."""
    run = (await client.post("/api/v1/check", json=inputs)).json()["run"]["id"]
    await asyncio.sleep(after)
    started = time.perf_counter()
    told = (await client.post(f"/api/v1/runs/{run}/cancel")).json()["run"]
    seconds = time.perf_counter() - started
    return seconds if told["status"] == "interrupted" else None


async def person(address: str) -> list[int]:
    codes = []
    async with httpx2.AsyncClient(base_url=address, timeout=600) as browser:
        codes.append((await browser.get("/")).status_code)
        job = await browser.post("/api/v1/check", json=CHECK)
        codes.append(job.status_code)
        run = job.json()["run"]["id"]
        await done(browser, run)
        for path in (f"/api/v1/runs/{run}/result", f"/runs/{run}", "/runs"):
            codes.append((await browser.get(path)).status_code)
    return codes


async def measured(address: str, process: int, people: int, reads: int) -> dict[str, Any]:
    figures: dict[str, Any] = {"memory_mb": {"at_start": memory(process)}}
    async with httpx2.AsyncClient(base_url=address, timeout=600) as client:
        await client.get("/")
        idle = [await first_byte(client, "/") for _ in range(50)]
        *_, warm = await first_event(client, ASK)
        await done(client, warm)
        figures["memory_mb"]["models_loaded"] = memory(process)
        accepted, events = [], []
        for _ in range(10):
            at, event, run = await first_event(client, ASK)
            accepted.append(at)
            events.append(event)
            await done(client, run)
        working = [(await client.post("/api/v1/ask", json=ASK)).json()["run"]["id"] for _ in range(6)]
        busy = []
        while (await client.get(f"/api/v1/runs/{working[-1]}?brief=true")).json()["run"]["ended"] is False:
            busy.append(await first_byte(client, "/"))
        figures["first_byte"] = {"idle": middle(idle), "two_jobs_at_work": middle(busy)}
        figures["job_accepted"], figures["first_event"] = middle(accepted), middle(events)
        place = f"/api/v1/runs/{warm}"
        figures["run_bytes"] = len((await client.get(place)).content)
        figures["reading"] = {
            "whole": await rate(process, lambda: client.get(place), reads, 8),
            "brief": await rate(process, lambda: client.get(f"{place}?brief=true"), reads, 8),
            "page": await rate(process, lambda: client.get("/runs"), reads // 4, 8),
        }
        figures["page_bytes"] = {path: await weight(client, path) for path in PAGES}
        figures["page_bytes"]["/runs/{run}"] = await weight(client, f"/runs/{warm}")
        started = time.perf_counter()
        long = (await client.post("/api/v1/check", json=LONG)).json()["run"]["id"]
        await done(client, long)
        whole = time.perf_counter() - started
        parts = len(re.findall(rb'href="/runs/[^"]+part=\d+#parts">', (await client.get(f"/runs/{long}")).content))
        weights = [await weight(client, f"/runs/{long}?part={part}") for part in range(1, parts + 1)]
        figures["page_bytes"]["/runs/{run}, heaviest part of 300 claims"] = max(weights)
        told = [await cancelled(client, LONG, whole * (n + 0.5) / 18) for n in range(12)]
        ends = [end for end in told if end is not None]
        figures["cancelled"] = {"check_seconds": round(whole, 2), "times": len(ends), **middle(ends)}
    started = time.perf_counter()
    codes = await asyncio.gather(*(person(address) for _ in range(people)))
    figures["people"] = {
        "at_once": people,
        "seconds": round(time.perf_counter() - started, 2),
        "server_errors": sum(code >= 500 for one in codes for code in one),
        "lost": sum(len(one) != 5 or any(code >= 400 for code in one) for one in codes),
    }
    figures["memory_mb"]["with_people"] = memory(process)
    return figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=50)
    options.add_argument("--reads", type=int, default=2000)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="evidencegate-serve-") as state:
        command = [sys.executable, "-c", "from evidencegate.cli import main; main()", "serve", "--offline"]
        started = time.perf_counter()
        server = subprocess.Popen(
            [*command, "--port", str(port), "--state", state], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        address = f"http://127.0.0.1:{port}"
        try:
            while True:
                try:
                    httpx2.get(f"{address}/api/v1/health")
                    break
                except httpx2.TransportError:
                    if server.poll() is not None:
                        raise SystemExit("the server did not start") from None
                    time.sleep(0.02)
            ready = round(time.perf_counter() - started, 2)
            figures = {"seconds_to_start": ready} | asyncio.run(
                measured(address, server.pid, given.people, given.reads)
            )
        finally:
            server.terminate()
            server.wait()
    if given.json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name}: {json.dumps(value)}")


if __name__ == "__main__":
    main()
