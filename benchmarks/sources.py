"""What a search over the live sources costs, and a whole `ask`, measured against the simulated services.

    python benchmarks/sources.py [--latency 0.05] [--rates] [--full-text]

For each question: requests, bytes and seconds of `search` over all five sources, side by side and one by one, and
again from the cache; then of `ask` over the same sources, with its notices, images and everything else, by service
(the first `ask` of a process also loads its models: one is asked before). With `--rates` the services' real limits
hold (NCBI: 3 requests a second); without, the time is that of the latency alone. The articles are invented; the wire
formats, the client and its waits are the real ones.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import evidencegate
from evidencegate.question import understand
from evidencegate.settings import Settings, load
from evidencegate.sources import NAMES, Client, Mode, by_name, search
from simulated import LiteratureService
from simulated._server import NCBI_KEY

QUESTIONS = (
    "Is apixaban safer than warfarin in atrial fibrillation with severe chronic kidney disease?",
    "How long should antibiotics be given in community-acquired pneumonia?",
    "A 78-year-old woman with atrial fibrillation, stage 4 chronic kidney disease, heart failure with preserved "
    "ejection fraction and a gastrointestinal bleed two weeks ago, treated endoscopically, now stable on a proton "
    "pump inhibitor, asks whether and when anticoagulation should be restarted, which agent and dose would be "
    "preferred given her eGFR of 24 mL/min and weight of 52 kg, how her haemoglobin and renal function should be "
    "monitored in the first three months, what the risk of recurrent bleeding is compared with the risk of stroke, "
    "and whether left atrial appendage occlusion would be a reasonable alternative for her if anticoagulants cannot "
    "be tolerated in the long term.",
)


async def measure(service: LiteratureService, settings: Settings, text: str) -> dict[str, object]:
    """One question: side by side, one source after the other, and from the cache."""
    question = understand(text)
    seconds: dict[str, float] = {}
    async with Client(settings, mode=Mode.FRESH) as client:
        sources = [by_name(name, client) for name in NAMES]
        start = time.perf_counter()
        results = await search(question, sources)
        seconds["side by side"] = time.perf_counter() - start
        requests, size = client.traffic.requests, client.traffic.bytes
    async with Client(settings) as client:
        start = time.perf_counter()
        await search(question, [by_name(name, client) for name in NAMES])
        seconds["cached"] = time.perf_counter() - start
    async with Client(settings, mode=Mode.FRESH) as client:
        start = time.perf_counter()
        for name in NAMES:
            await search(question, [by_name(name, client)])
        seconds["one by one"] = time.perf_counter() - start
    return {
        "words": len(text.split()),
        "sub_queries": len(question.sub_queries),
        "requests": requests,
        "kilobytes": round(size / 1000),
        "records": sum(result.record.records for result in results),
        "answered": sum(result.record.status.answered for result in results),
        "searches": len(results),
        "seconds": {name: round(value, 2) for name, value in seconds.items()},
    }


def asked(service: LiteratureService, settings: Settings, text: str, *, full_text: bool) -> dict[str, object]:
    """A whole `ask` of one question: requests by service, seconds, processor seconds."""
    names = [name for name in Settings.model_fields if name.endswith(("_url", "_rate"))]
    given = {f"EVIDENCEGATE_{name.upper()}": str(getattr(settings, name)) for name in names if getattr(settings, name)}
    given |= {"EVIDENCEGATE_EMAIL": str(settings.email), "EVIDENCEGATE_CACHE_DIR": str(settings.cache_dir)}
    keys = {"OPENALEX_API_KEY": settings.openalex_api_key, "NCBI_API_KEY": settings.ncbi_api_key}
    given |= {f"EVIDENCEGATE_{name}": key.get_secret_value() for name, key in keys.items() if key}
    kept = dict(os.environ)
    os.environ.update(given)
    load.cache_clear()
    try:
        service.seen.clear()
        start, busy = time.perf_counter(), time.process_time()
        answer = evidencegate.ask(text, sources=list(NAMES), fresh=True, full_text=full_text, ledger="sqlite://")
        seconds, processor = time.perf_counter() - start, time.process_time() - busy
    finally:
        os.environ.clear()
        os.environ.update(kept)
        load.cache_clear()
    requests = Counter(seen.service for seen in service.seen)
    return {
        "requests": requests.total(),
        "by_service": dict(requests),
        "seconds": round(seconds, 2),
        "processor_seconds": round(processor, 2),
        "sentences": len(list(answer.sentences())),
        "references": len(answer.references),
    }


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds before every answer")
    parser.add_argument("--rates", action="store_true", help="keep to the services' real limits")
    parser.add_argument("--full-text", action="store_true", help="let `ask` read open articles as a whole")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, LiteratureService(latency=arguments.latency) as service:
        settings = service.settings(Path(folder))
        if arguments.rates:
            defaults = Settings.model_fields
            rates = {name: field.default for name, field in defaults.items() if name.endswith("_rate")}
            settings = settings.model_copy(update={**rates, "ncbi_api_key": None})
        measured = [asyncio.run(measure(service, settings, text)) for text in QUESTIONS]
        asked(service, service.settings(Path(folder)), QUESTIONS[1], full_text=False)
        answers = [asked(service, settings, text, full_text=arguments.full_text) for text in QUESTIONS]
        keys = sum(NCBI_KEY in json.dumps(entry) for entry in measured)
    times = [entry["seconds"]["side by side"] for entry in measured]  # type: ignore[index]
    summary = {"latency": arguments.latency, "rates": arguments.rates, "median_seconds": statistics.median(times)}
    print(json.dumps({**summary, "keys_shown": keys, "questions": measured, "ask": answers}, indent=2))


if __name__ == "__main__":
    main()
