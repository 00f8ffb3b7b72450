"""What all parts of the benchmark share: running a program, and printing figures."""
import os
import shutil
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

# For scripts/shared.py.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Run(NamedTuple):
    """One run of a program."""

    seconds: float
    # Seconds of processor time. Where they are well below the seconds, others had the core.
    cpu: float
    # Peak of resident memory.
    mebibytes: float


def run(command, folder, core=None, output=subprocess.DEVNULL, codes=(0,)):
    """Runs a program to its end, which must have one of these codes; on one core where that can be asked for."""
    if core is not None and shutil.which("taskset"):
        command = ["taskset", "-c", str(core), *command]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode not in codes:
        sys.exit(f"bench: {' '.join(command)} ended with {process.returncode}: {error}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def last_core():
    """The core on which programs are timed: the last, as interrupts tend to come to the first."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def in_turn(rounds, timed):
    """Calls everything in turn, A B A B, so that a slow moment of the machine hits all; once before, untimed.

    Takes functions by their names, and gives the lists of what they gave.
    """
    for call in timed.values():
        call()
    results = {name: [] for name in timed}
    for _ in range(rounds):
        for name, call in timed.items():
            results[name].append(call())
    return results


def median(runs):
    """The median seconds of some runs."""
    return statistics.median(run.seconds for run in runs)


def median_cpu(runs):
    """The median seconds of processor time of some runs."""
    return statistics.median(run.cpu for run in runs)


def share(runs):
    """How much of the time of some runs they had a processor."""
    return sum(run.cpu for run in runs) / sum(run.seconds for run in runs)


class Figures:
    """Prints figures, one a line, and knows whether all targets were met; none is judged unless `judges`."""

    def __init__(self, judges=True):
        self.judges = judges
        self.all_met = True

    def least(self, name, value, target, remark=""):
        """A figure that must be at least so much."""
        self._print(name, value, f"at least {number(target)}", value >= target, remark)

    def most(self, name, value, target, remark=""):
        """A figure that must be at most so much."""
        self._print(name, value, f"at most {number(target)}", value <= target, remark)

    def unjudged(self, name, value, remark=""):
        """A figure without a target."""
        self._print(name, value, "", None, remark)

    def _print(self, name, value, target, is_met, remark):
        if not self.judges:
            target, is_met = "", None
        self.all_met = self.all_met and is_met is not False
        verdict = {True: "ok", False: "MISSED", None: ""}[is_met]
        line = f"{verdict:<7}{name:<62}{number(value):>10}  {target:<19}{remark}"
        print(line.rstrip(), flush=True)


def number(value):
    """For a person: 1,234,567 or 1.23."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"
