"""What was tried, the bounds, and one run of the program."""
import collections
import concurrent.futures
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
from typing import NamedTuple

from shared import Started, environment

KEY = "Zq7k2Fx9y8zPl4nt3d"
# Bounds of what is checked: bytes of memory, and seconds beyond a limit on a busy machine.
CLIENT_MEMORY = 200 << 20
SERVER_MEMORY = 400 << 20
FILE_MEMORY = 900 << 20
GRACE = 8
PAGE = 1 << 16


class Tally:
    """What was tried and what failed, by group."""

    def __init__(self):
        self.tried, self.failed, self.notes = collections.Counter(), collections.Counter(), collections.Counter()
        self.slowest, self.largest, self.missing = {}, {}, []
        self.begin, self.lock = time.monotonic(), threading.Lock()

    def add(self, group, name, problems, seconds=0, memory=0):
        with self.lock:
            self.tried[group] += 1
            self.failed[group] += bool(problems)
            self.slowest[group] = max(self.slowest.get(group, (0, "")), (seconds, name))
            self.largest[group] = max(self.largest.get(group, (0, "")), (memory, name))
            if problems:
                print(f"WRONG: {group}: {name}: {'; '.join(problems)}", flush=True)

    def collect(self, group, futures):
        """Adds what each future finds, given by its name: problems, or also seconds and bytes of memory; None is no trial."""
        for future in concurrent.futures.as_completed(futures):
            found = future.result()
            if found is not None:
                self.add(group, futures[future], *(found if isinstance(found, tuple) else (found,)))

    def leave(self, group, reason):
        self.missing.append(f"{group}: not evaluated: {reason}")

    def end(self, script):
        """The last lines, and the exit code."""
        for note, count in self.notes.items():
            print(f"  {note}: {count:,}")
        for line in self.missing:
            print(line)
        print(f"{script}: tried {sum(self.tried.values()):,}, failed {sum(self.failed.values()):,}, "
              f"in {time.monotonic() - self.begin:.0f} s")
        return 1 if any(self.failed.values()) else 0


class Result(NamedTuple):
    """What a run ended with."""

    code: int | str
    output: str
    errors: str


def run(arguments, folder, prefix=(), timeout=60, limits=None, **variables):
    """Runs it to its end; one that hangs is killed, and its code is "hangs"."""
    process = Started.popen([*prefix, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment(**variables), start_new_session=True, preexec_fn=limits)
    code = None
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        code = "hangs"
    return Result(code or process.returncode, output.decode(errors="replace"), errors.decode(errors="replace"))


def register(skan, folder, *options):
    """Makes a phone that has registered."""
    subprocess.run([skan, "register", "-q", *options], cwd=folder, env=environment(), check=True)


def processes_of(session):
    """The processes of a session, however they are related."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                if int(fields[3]) == session and fields[0] != "Z":
                    found.append(int(name))
            except (OSError, IndexError):
                pass
    return found


def memory_of(process):
    """The most memory that it has had so far, in bytes."""
    try:
        with open(f"/proc/{process}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) << 10
    except (OSError, TypeError):
        return 0


class Ran:
    """A command that has ended, or was ended: its code, output, seconds, and the most memory of it and its children."""

    def __init__(self, command, folder, limit, stdin=None, interrupt_after=None, **variables):
        begin = time.monotonic()
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        process = Started.popen(command, cwd=folder, stdin=stdin or subprocess.DEVNULL, stdout=self.output,
                                stderr=self.errors, env=environment(**variables), start_new_session=True)
        self.memory, self.code = 0, None
        while self.code is None:
            for each in {process.pid, *processes_of(process.pid)}:
                self.memory = max(self.memory, memory_of(each))
            number, status, usage = os.wait4(process.pid, os.WNOHANG)
            span = time.monotonic() - begin
            if number:
                self.code = os.waitstatus_to_exitcode(status)
                process.returncode = self.code
            elif interrupt_after is not None and span > interrupt_after:
                process.send_signal(signal.SIGINT)
                begin, interrupt_after = time.monotonic(), None
            elif span > limit:
                self.code = "hangs"
            else:
                time.sleep(0.02)
        self.seconds = time.monotonic() - begin
        if self.code == "hangs":
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        else:
            # What the kernel has counted of it and of those for which it waited; it begins with the most of this process.
            if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
                self.memory = max(self.memory, usage.ru_maxrss << 10)
        time.sleep(0.05)
        self.left = processes_of(process.pid)
        if self.left:
            time.sleep(1)
            self.left = processes_of(process.pid)
        for each in self.left:
            os.kill(each, signal.SIGKILL)
        self.output.seek(0), self.errors.seek(0)
        self.output, self.errors = self.output.read(1 << 22), self.errors.read(1 << 22)

    def problems(self, codes, memory):
        found = []
        if self.code == "hangs":
            found.append(f"it hangs: ended after {self.seconds:.1f} s")
        elif self.code not in codes:
            found.append(f"exit code {self.code}: {self.errors[-200:]!r}")
        if self.memory > memory:
            found.append(f"{self.memory >> 20} MiB of memory")
        if self.left:
            found.append(f"{len(self.left)} processes are left")
        if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", self.output + self.errors):
            found.append("control characters in the output")
        return found
