"""What a user waits for before anything happens: import, help, and the size of the core install.

    python benchmarks/startup.py [--size]

Times are of whole processes, the median of `--runs`; `--size` also installs the core into an empty environment.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def median_seconds(argv: list[str], runs: int) -> float:
    subprocess.run(argv, check=True, capture_output=True)
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(argv, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return round(statistics.median(times), 3)


def megabytes(folder: Path) -> float:
    return round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file() and not f.is_symlink()) / 1e6, 1)


def install_size(target: str) -> float:
    """Megabytes that `pip install target` adds to an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        before = megabytes(Path(folder))
        pip = [f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", target]
        subprocess.run(pip, check=True, cwd=ROOT)
        return round(megabytes(Path(folder)) - before, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--size", action="store_true", help="install the core and everything, and measure them")
    arguments = parser.parse_args()
    command = str(Path(sys.executable).parent / "evidencegate")
    figures: dict[str, float] = {
        "bare_python_seconds": median_seconds([sys.executable, "-c", "pass"], arguments.runs),
        "import_seconds": median_seconds([sys.executable, "-c", "import evidencegate"], arguments.runs),
        "help_seconds": median_seconds([command, "--help"], arguments.runs),
        "question_seconds": median_seconds([command, "question", "Does aspirin prevent stroke?"], arguments.runs),
    }
    if arguments.size:
        figures["core_megabytes"] = install_size(".")
        figures["all_megabytes"] = install_size(".[all]")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
