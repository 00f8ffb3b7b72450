"""`skan serve` with files that it writes."""
import collections
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from shared import FIXTURES, serve
from trials.calls import CREATING, ERRORS, PLAIN, RETRIED, strace, was_hindered


class Server:
    """A running `skan serve` that keeps what it is asked in a file: a journal, or postbacks."""

    def __init__(self, skan, folder, kind, path, prefix=()):
        self.kind = kind
        self.process, self.port = serve(skan, folder, "-q", f"--{kind}", path, prefix=prefix, stderr=subprocess.PIPE)

    def ask(self, method, path, body=None):
        """The status, or None without an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def keep(self, number):
        """Asks for what it keeps a line of."""
        if self.kind == "journal":
            return self.ask("GET", f"/api/v2/conversion_value?n={number}")
        return self.ask("POST", "/postbacks", postback(number))

    def end(self):
        self.process.terminate()
        try:
            _, errors = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, errors = self.process.communicate()
            return "hangs", errors
        return self.process.returncode, errors

    def end_well(self):
        """What is wrong with its end, when nothing hinders it."""
        code, errors = self.end()
        return [] if code == 0 and self.port is not None else [f"undisturbed, it ends with {code}: {errors.strip()[:150]}"]


def postback(number):
    body = json.load(open(os.path.join(FIXTURES, "postbacks", "apple-4.0-fine.json")))
    body["transaction-id"] = f"{number:08x}-0000-4000-8000-000000000000"
    return json.dumps(body)


def lines_of(path):
    """The whole lines, those that are torn, and whether the last has no end."""
    if not os.path.exists(path):
        return [], [], False
    data = open(path, "rb").read()
    whole, torn = [], []
    for line in data.split(b"\n")[:-1]:
        try:
            whole.append(json.loads(line))
        except ValueError:
            torn.append(line)
    return whole, torn, not data.endswith(b"\n") and data != b""


def kept_of(records):
    return [json.loads(record["body"])["transaction-id"] for record in records]


def hindered_server(skan, kind, call, number, how, folder):
    """A server of which one call on its file fails or is the last."""
    folder = tempfile.mkdtemp(dir=folder)
    path = os.path.join(folder, "kept.jsonl")
    log = path + ".log"
    # Which of the names a machine has, strace knows.
    names = ",".join(f"?{name}" for name in (call, *PLAIN) if PLAIN.get(name, name) == call)
    server = Server(skan, folder, kind, path, strace(log, names, how, number, "-f", "-D", "-P", path))
    acknowledged = [each for each in range(6) if server.keep(each) == 200] if server.port is not None else []
    code, errors = server.end()
    problems = [] if was_hindered(log, how) else ["the call is not made"]
    codes = {"KILL": (-signal.SIGKILL,), "EINTR": (0,)}.get(how, (0, 66, 73))
    if code not in codes or server.port is None and code == 0:
        problems.append(f"{'it never listens and' if server.port is None else 'it'} ends with {code}: {errors.strip()[:150]}")
    whole, torn, is_open = lines_of(path)
    if kind == "journal":
        # A file that cannot be written loses lines, which is said; those that are there are whole.
        if how != "KILL" and how != "EINTR" and len(whole) < len(acknowledged) and "cannot write" not in errors:
            problems.append(f"{len(acknowledged) - len(whole)} lines are missing, and nothing says so")
        if how == "EINTR" and len(whole) != 6:
            problems.append("a line is missing after an interrupted call")
        if len(torn) + is_open > 1:
            problems.append("more than one line is torn")
    else:
        kept = kept_of(whole)
        wanted = {json.loads(postback(each))["transaction-id"] for each in acknowledged}
        if torn or is_open and how != "KILL":
            problems.append("a line is torn")
        if not wanted <= set(kept):
            problems.append(f"acknowledged and lost: {sorted(wanted - set(kept))}")
        if how not in ("KILL",) and len(kept) != len(wanted):
            problems.append(f"{len(kept)} kept, {len(wanted)} acknowledged")
        if how == "EINTR" and len(wanted) != 6 and call in RETRIED:
            problems.append("an interrupted call refuses a postback")
    # The next run takes all, and each counts once.
    server = Server(skan, folder, kind, path)
    if server.port is None:
        problems += server.end_well()
    else:
        statuses = [server.keep(each) for each in range(6)]
        if set(statuses) != {200}:
            problems.append(f"the next run answers {statuses}")
        problems += server.end_well()
        whole, torn, is_open = lines_of(path)
        if len(torn) > (kind == "journal") or is_open:
            problems.append("a line is torn after the next run")
        if kind != "journal":
            first = collections.Counter(json.loads(record["body"])["transaction-id"] for record in whole
                                        if record["repetition"] == "first")
            if len(first) != 6 or set(first.values()) != {1}:
                problems.append("a postback does not count once")
    left = [name for name in os.listdir(folder) if name.endswith(".tmp")]
    if left:
        problems.append(f"left: {left}")
    shutil.rmtree(folder)
    return problems


def servers(skan, folder, pool, tally, seconds):
    plans = {}
    for kind, names in (("journal", {"openat": 2, "write": 6, "newfstatat": 1, "close": 1}),
                        ("postbacks", {"openat": 1, "write": 6, "fsync": 6, "newfstatat": 12, "readlink": 2, "close": 1})):
        for name, count in names.items():
            for number in range(1, count + 1):
                for how in ["KILL", *ERRORS[name], *(CREATING if name == "openat" else [])]:
                    plans[pool.submit(hindered_server, skan, kind, name, number, how, folder)] = (
                        f"{kind}: {how} at {name} {number}")
    tally.collect("server", plans)
    end = time.monotonic() + seconds
    for kind in ("journal", "postbacks"):
        own = tempfile.mkdtemp(dir=folder)
        path = os.path.join(own, "kept.jsonl")
        acknowledged, kills, number = set(), 0, 0
        stop = time.monotonic() + (end - time.monotonic()) / (2 if kind == "journal" else 1)
        problems = []
        while time.monotonic() < stop or kills < 5:
            server = Server(skan, own, kind, path)
            if server.port is None:
                problems += server.end_well()
                break
            timer = threading.Timer(random.uniform(0.01, 0.1), server.process.kill)
            timer.start()
            while server.process.poll() is None:
                number += 1
                if server.keep(number) == 200:
                    acknowledged.add(number)
            timer.join()
            _, errors = server.process.communicate()
            kills += 1
            if server.process.returncode != -signal.SIGKILL:
                problems.append(f"under load it ends with {server.process.returncode}: {errors.strip()[:150]}")
                break
        server = Server(skan, own, kind, path)
        if server.port is not None:
            server.ask("GET", "/healthz")
        problems += server.end_well()
        whole, torn, is_open = lines_of(path)
        if kind == "journal":
            if len(torn) > kills or is_open:
                problems.append(f"{len(torn)} lines are torn in {kills} kills")
            # A line that a kill broke off was not answered, or was the last to be.
            if len(whole) < len(acknowledged) - kills:
                problems.append(f"{len(acknowledged)} answered, {len(whole)} in the journal")
        else:
            kept = set(kept_of(whole))
            names = {json.loads(postback(each))["transaction-id"] for each in acknowledged}
            if torn or is_open:
                problems.append("a line is torn")
            if not names <= kept:
                problems.append(f"{len(names - kept)} acknowledged postbacks are lost")
        tally.add("server", f"{kind}: {kills} kills under load", problems)
        tally.notes[f"kills of a server under load, {kind}"] += kills
        tally.notes[f"answered under those kills, {kind}"] += len(acknowledged)
        tally.notes[f"kept of them, {kind}"] += len(whole)
