"""Fifty people at once: nothing is lost, nothing is mixed up, nothing fails."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
from web_support import served

from evidencegate.web import WebSettings

PEOPLE = 50


def text(n: int) -> dict[str, Any]:
    """What the n-th of them checks, unlike everybody else's."""
    return {
        "text": f"Zelfaban reduced major bleeding by {n + 10}% in study {n}.",
        "texts": [{"name": f"Study {n}", "text": f"In study {n} zelfaban reduced major bleeding by {n + 10}%."}],
    }


async def person(n: int, address: str) -> list[int]:
    """One of them, with a browser of their own: asks, watches, reads, comes back."""
    codes: list[int] = []
    async with httpx2.AsyncClient(base_url=address, timeout=300) as browser:

        async def get(path: str, **more: Any) -> Any:
            reply = await browser.get(path, **more)
            codes.append(reply.status_code)
            return reply

        await get("/")
        asked = [
            await browser.post("/api/v1/check", json=text(n), headers={"Idempotency-Key": "mine"}) for _ in range(2)
        ]
        codes.extend(reply.status_code for reply in asked)
        run = asked[0].json()["run"]["id"]
        assert asked[1].json()["run"]["id"] == run
        numbers = []
        async with browser.stream("GET", f"/api/v1/runs/{run}/events") as events:
            codes.append(events.status_code)
            async for line in events.aiter_lines():
                if line.startswith("data: ") and '"n"' in line:
                    numbers.append(json.loads(line.removeprefix("data: "))["n"])
        assert numbers == list(range(1, len(numbers) + 1))
        result = (await get(f"/api/v1/runs/{run}/result")).json()
        assert [claim["text"] for claim in result["claims"]] == [text(n)["text"]]
        assert result["documents"][0]["title"] == f"Study {n}"
        assert [job["id"] for job in (await get("/api/v1/runs")).json()["runs"]] == [run]
        assert (await get(f"/runs/{run}")).status_code == 200
    return codes


def test_fifty_people_at_once(tmp_path: Path) -> None:
    settings = WebSettings(state_dir=tmp_path, offline=True)

    async def everybody(address: str) -> list[list[int]]:
        return await asyncio.gather(*(person(n, address) for n in range(PEOPLE)))

    with served(settings) as (address, app):
        codes = asyncio.run(everybody(address))
        assert len(app.state.jobs.ledger.list(limit=1_000)) == PEOPLE
    assert {code for one in codes for code in one} == {200, 202}
