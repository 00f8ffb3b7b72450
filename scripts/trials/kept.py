"""Kills at random instants, many processes on one device file, and `skan serve` with files that it writes."""
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

from shared import FIXTURES, Handler, Started, environment, serve
from trials.calls import CREATING, ERRORS, PLAIN, RETRIED, strace, was_hindered
from trials.run import run
from trials.scenarios import STATE


class Accepting(Handler):
    """Takes postbacks."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer()


def random_kills(all_scenarios, folder, seconds, pool, tally):
    """Kills at random instants, on all cores."""
    end = time.monotonic() + seconds
    spans = {}
    for scenario in all_scenarios:
        copy = scenario.copy(folder)
        start = time.monotonic()
        run(scenario.command, copy)
        spans[scenario.name] = time.monotonic() - start
        shutil.rmtree(copy)

    def worker(seed):
        generator = random.Random(seed)
        while time.monotonic() < end:
            scenario = generator.choice(all_scenarios)
            copy = scenario.copy(folder)
            process = Started.popen(scenario.command, cwd=copy, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, env=environment())
            time.sleep(generator.uniform(0, spans[scenario.name] * 1.3))
            process.kill()
            code = process.wait()
            problems = [] if code in (0, -signal.SIGKILL) else [f"it ends with {code}"]
            if code == 0 and scenario.contents(copy) != scenario.new:
                problems.append("a confirmed change is lost")
            problems += scenario.check(copy, None, was_killed=True)
            tally.add("kills", scenario.name, problems)
            tally.notes[f"random kills {'before' if code < 0 else 'after'} the end of the command"] += 1
            shutil.rmtree(copy)

    for each in [pool.submit(worker, seed) for seed in range(os.cpu_count() or 2)]:
        each.result()


def history(skan, folder):
    result = run([skan, "history", "--json"], folder)
    return [json.loads(line) for line in result.output.splitlines()] if result.code == 0 else None


def crowd(skan, folder, tally, count=200, killed=20):
    """Many processes on one device file, some of them killed: events, and revenue whose keys ten share."""
    own = tempfile.mkdtemp(dir=folder)
    run([skan, "register"], own)
    victims = set(random.Random(17).sample(range(count), killed))
    codes, problems = {}, []

    def one(number):
        command = ["revenue", "1", "EUR", "--idempotency-key", f"k{number // 20}"] if number % 2 else [
            "event", f"e{number}", "--answer", '{"json":{"status":"ok"}}']
        process = Started.popen([skan, *command, "--lock-timeout", "120s"], cwd=own, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
        if number in victims:
            time.sleep(random.Random(number).uniform(0, 0.3))
            process.kill()
        try:
            _, errors = process.communicate(timeout=180)
            codes[number] = process.returncode
            if codes[number] not in (0, -signal.SIGKILL):
                problems.append(f"{command[:2]} ends with {codes[number]}: {errors.decode().strip()[:150]}")
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            codes[number] = None
            problems.append("a process hangs")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = history(skan, own) or []
    events = collections.Counter(step.get("name") for step in steps if step["op"] == "event")
    added = sum(step["op"] == "revenue" and step["outcome"] == "added" for step in steps)
    for number in range(0, count, 2):
        if events[f"e{number}"] not in ((1,) if codes.get(number) == 0 else (0, 1)):
            problems.append(f"event e{number}: exit code {codes.get(number)}, {events[f'e{number}']} times in the history")
    sure = {number // 20 for number in range(1, count, 2) if codes[number] == 0}
    keys = json.load(open(os.path.join(own, STATE)))["idempotency_keys"]
    if not len(sure) <= added <= count // 20 or len(set(keys)) != len(keys) or len(keys) != added:
        problems.append(f"keys that several share: {len(sure)} confirmed, {added} counted, {len(keys)} kept")
    totals = json.loads(run([skan, "details"], own).output)["skan_total_revenue_by_currency"]
    if totals != {"EUR": float(added)}:
        problems.append(f"revenue {totals}, in the history {added}")
    if left := [name for name in os.listdir(own) if name.endswith(".tmp")]:
        problems.append(f"left: {left}")
    tally.add("crowd", f"{count} processes", problems)
    tally.notes["processes of the crowd that were confirmed"] += sum(code == 0 for code in codes.values())


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
