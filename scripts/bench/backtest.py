"""How fast an export runs through a model, against DuckDB and pandas that compute the same values.

The others need a Python with duckdb and pandas, which is named by --python. All of them give the same numbers of devices
with each fine and coarse value, or this ends with an error. DuckDB also runs a ladder of 60 values on an export of shorter
lives, since its ratio depends on both. Their times hold the start of Python, which is printed. What
runs on one core is measured in its processor time, so that others on the machine do not count.
"""
import json
import os
import subprocess
import sys

from backtest_rivals import LADDER
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


def of_rival(values):
    return {name: dict(sorted(of.items())) for name, of in values.items()}


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


def ladder():
    """The model of the ladder, with the coarse values of the other one."""
    with open(os.path.join(FOLDER, "backtest-model.json")) as file:
        model = json.load(file)
    ends = [least for _, least in LADDER[1:]] + [None]
    fine = [(1, {"mappedEventName": "__SESSION__"}), (2, {"mappedEventName": "tutorial_done"})]
    for (value, least), end in zip(LADDER, ends):
        revenue = {"minEventRevenue": least, **({"maxEventRevenue": end} if end else {})}
        fine.append((value, {"mappedEventName": "__REVENUE__", "currencyCode": "USD", "eventRevenueRange": revenue}))
    model["fineGrainedConversionValueMappings"] = [
        {"fineGrainedConversionValue": value, "conversionValueMapping": {"mappedEvents": [event]}} for value, event in fine]
    return model


def measure_ladder(skan, options, folder, figures):
    """DuckDB against skan with another model, on an export with a tenth of the rows and eight rows a device."""
    rows = max(1000, options.rows // 10)
    export, model = os.path.join(folder, "short.csv"), os.path.join(folder, "ladder.json")
    make(export, "exports", "--seed", 2, "--devices", rows // 8, "--events", rows)
    with open(model, "w") as file:
        json.dump(ladder(), file)
    core, valued = last_core(), Valued(folder)
    runs = in_turn(options.rounds, {
        "skan": valued.call("skan", [skan, "backtest", "--json", "--model", model, "--jobs", "1", export], of_skan, core),
        "duckdb": valued.call("duckdb", [options.python, RIVALS, "duckdb-ladder", export, "1"], of_rival, core)})
    os.remove(export)
    valued.compare()
    ours, theirs = median_cpu(runs["skan"]), median_cpu(runs["duckdb"])
    figures.unjudged("DuckDB with one thread / skan, 60 values, short lives", theirs / ours, f"{theirs:.2f} s and {ours:.2f} s")


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
        timed[name] = valued.call(name, [options.python, RIVALS, kind, export, str(threads)], of_rival, core)

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
    if "duckdb" in runs:
        measure_ladder(skan, options, folder, figures)
