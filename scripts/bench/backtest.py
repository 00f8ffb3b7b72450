"""How fast an export runs through a model, against DuckDB and pandas that compute the same values.

The others need a Python with duckdb and pandas, which is named by --python. All of them give the same numbers of devices
with each fine and coarse value, or this ends with an error. Their times include the start of Python, which is printed. On one
core processor time is measured, so that others on the machine do not count.
"""
import json
import os
import subprocess
import sys

from measure import in_turn, last_core, median, median_cpu, run, share
from shared import make

FOLDER = os.path.dirname(os.path.abspath(__file__))
RIVALS = os.path.join(FOLDER, "backtest_rivals.py")


def of_skan(report):
    """How many devices have each value, as the others say it."""
    model = report["total"]["with_model"]
    coarse = {name: {value: of["users"] for value, of in values.items() if of["users"]}
              for name, values in model["coarse_values"].items()}
    return {"fine": {str(of["value"]): of["users"] for of in model["fine_values"] if of["users"]}, **coarse}


class Valued:
    """Runs of commands that print how many devices have each value, which must be equal."""

    def __init__(self, folder):
        self.folder, self.found = folder, {}

    def call(self, name, command, values, core=None):
        def run_it():
            path = os.path.join(self.folder, "values.json")
            with open(path, "wb") as file:
                result = run(command, self.folder, core, file)
            with open(path) as file:
                self.found[name] = values(json.load(file))
            return result
        return run_it

    def compare(self):
        first = self.found["skan"]
        for name, values in self.found.items():
            if values != first:
                sys.exit(f"bench: the values of {name} are {values}, those of skan {first}")


def is_missing(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode != 0


def measure(skan, options, folder, figures):
    rows, devices = options.rows, max(1, options.rows // 50)
    export = os.path.join(folder, "export.csv")
    print(f"making an export of {rows:,} rows of {devices:,} devices", file=sys.stderr)
    make(export, "exports", "--devices", devices, "--events", rows)
    core, cores = last_core(), os.cpu_count() or 1
    model = os.path.join(FOLDER, "backtest-model.json")
    valued, timed = Valued(folder), {}

    def backtest(name, jobs, core=None):
        command = [skan, "backtest", "--json", "--model", model, "--jobs", str(jobs), export]
        timed[name] = valued.call(name, command, of_skan, core)

    def rival(name, kind, threads, core=None):
        timed[name] = valued.call(name, [options.python, RIVALS, kind, export, str(threads)], dict, core)

    backtest("skan", 1, core)
    if cores > 1:
        backtest(f"skan, {cores} jobs", cores)
    for kind in ("duckdb", "pandas"):
        if is_missing(options.python, kind):
            print(f"{kind}: not measured: {options.python} has no module {kind}. "
                  "python3 -m venv DIR; DIR/bin/pip install duckdb pandas; scripts/bench/run --python DIR/bin/python")
            continue
        rival(kind, kind, 1, core)
        if kind == "duckdb" and cores > 1:
            rival(f"duckdb, {cores} threads", kind, cores)
    timed["Python's start"] = lambda: run([options.python, "-c", "import json"], folder, core)
    runs = in_turn(options.rounds, timed)
    os.remove(export)

    valued.compare()
    versions = subprocess.run([options.python, RIVALS, "version"], capture_output=True, text=True).stdout.split("\n")
    print(f"        versions: {', '.join(filter(None, versions)) or 'no rival'}")
    print(f"        {len(valued.found)} programs and numbers of threads: the same devices have the same values")
    for name, results in runs.items():
        memory = max(result.mebibytes for result in results)
        print(f"        {name}: {median(results):.2f} s, {median_cpu(results):.2f} s of processor time, {memory:,.0f} MiB, "
              f"{share(results):.0%} of a core")
    ours = median_cpu(runs["skan"])
    figures.unjudged("rows a second, one core", rows / ours)
    if "duckdb" in runs:
        figures.least("DuckDB with one thread / skan", median_cpu(runs["duckdb"]) / ours, 1)
    if cores > 1:
        both = median(runs[f"skan, {cores} jobs"])
        figures.least(f"--jobs 1 / --jobs {cores}", median(runs["skan"]) / both, 1.8)
        if "duckdb" in runs:
            figures.unjudged(
                f"DuckDB / skan, {cores} threads each", median(runs[f"duckdb, {cores} threads"]) / both)
    if "pandas" in runs:
        figures.least("pandas / skan", median_cpu(runs["pandas"]) / ours, 7)
    figures.most("MiB of skan", max(result.mebibytes for result in runs["skan"]), 76)
