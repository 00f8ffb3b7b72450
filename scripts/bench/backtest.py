"""How fast an export runs through a model, against DuckDB and pandas that compute the same values.

The others need a Python with duckdb and pandas, which is named by --python. All of them give the same numbers of devices
with each fine and coarse value, or this ends with an error. Their times hold the start of Python, which is printed. What
runs on one core is measured in its processor time, so that others on the machine do not count.
"""
import json
import os
import subprocess
import sys

from measure import REPOSITORY, in_turn, last_core, median, median_cpu, run, share

FOLDER = os.path.dirname(os.path.abspath(__file__))
RIVALS = os.path.join(FOLDER, "backtest_rivals.py")


def values_of_skan(path):
    """How many devices have each value, as the others say it."""
    with open(path) as file:
        model = json.load(file)["total"]["with_model"]
    coarse = {name: {value: of["users"] for value, of in values.items() if of["users"]}
              for name, values in model["coarse_values"].items()}
    return {"fine": {str(of["value"]): of["users"] for of in model["fine_values"] if of["users"]}, **coarse}


def is_missing(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode != 0


def measure(skan, options, folder, figures):
    rows, devices = options.rows, max(1, options.rows // 50)
    export = os.path.join(folder, "export.csv")
    print(f"making an export of {rows:,} rows of {devices:,} devices", file=sys.stderr)
    with open(export, "wb") as file:
        make = [sys.executable, os.path.join(REPOSITORY, "scripts", "make-exports")]
        subprocess.run([*make, "--devices", str(devices), "--events", str(rows)], check=True, stdout=file)
    core, cores = last_core(), os.cpu_count() or 1
    model = os.path.join(FOLDER, "backtest-model.json")
    found = {}

    def backtest(jobs, on=None):
        path = os.path.join(folder, "values-of-skan.json")

        def call():
            with open(path, "wb") as file:
                command = [skan, "backtest", "--json", "--model", model, "--jobs", str(jobs), export]
                result = run(command, folder, on, file)
            found[f"skan, {jobs}"] = values_of_skan(path)
            return result

        return call

    def rival(kind, threads, on=None):
        path = os.path.join(folder, f"{kind}.json")

        def call():
            with open(path, "wb") as file:
                result = run([options.python, RIVALS, kind, export, str(threads)], folder, on, file)
            with open(path) as file:
                values = json.load(file)
            found[f"{kind}, {threads}"] = {name: dict(sorted(of.items())) for name, of in values.items()}
            return result

        return call

    timed = {"skan": backtest(1, core)}
    if cores > 1:
        timed[f"skan, {cores} jobs"] = backtest(cores)
    for kind in ("duckdb", "pandas"):
        if is_missing(options.python, kind):
            print(f"{kind}: not measured: {options.python} has no module {kind}. "
                  "python3 -m venv DIR; DIR/bin/pip install duckdb pandas; scripts/bench/run --python DIR/bin/python")
            continue
        timed[kind] = rival(kind, 1, core)
        if kind == "duckdb" and cores > 1:
            timed[f"duckdb, {cores} threads"] = rival(kind, cores)
    timed["Python's start"] = lambda: run([options.python, "-c", "import json"], folder, core)
    runs = in_turn(options.rounds, timed)
    os.remove(export)

    first = found["skan, 1"]
    for name, values in found.items():
        if values != first:
            sys.exit(f"bench: the values of {name} are {values}, those of skan {first}")
    print(f"        {len(found)} programs and numbers of threads: the same devices have the same values")
    for name, results in runs.items():
        print(f"        {name}: {median(results):.2f} s, {median_cpu(results):.2f} s of processor time, {max(result.mebibytes for result in results):,.0f} MiB, "
              f"{share(results):.0%} of a core")
    ours = median_cpu(runs["skan"])
    figures.unjudged("rows a second, one core", rows / ours)
    if "duckdb" in runs:
        figures.least("DuckDB with one thread / skan", median_cpu(runs["duckdb"]) / ours, 1)
    if cores > 1:
        both = median(runs[f"skan, {cores} jobs"])
        figures.least("--jobs 1 / --jobs 2" if cores == 2 else f"--jobs 1 / --jobs {cores}", median(runs["skan"]) / both, 1.8)
        if "duckdb" in runs:
            figures.unjudged(
                f"DuckDB / skan, {cores} threads each", median(runs[f"duckdb, {cores} threads"]) / both)
    if "pandas" in runs:
        figures.least("pandas / skan", median_cpu(runs["pandas"]) / ours, 7)
    figures.most("MiB of skan", max(result.mebibytes for result in runs["skan"]), 76)
