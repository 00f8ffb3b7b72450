"""Kills at random instants, and many processes on one device file."""
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from shared import Handler, Started, environment
from trials.run import run
from trials.scenarios import STATE


class Slow(Handler):
    """Takes postbacks, and keeps who asks for a conversion value waiting until it is released."""

    asked, released = threading.Event(), threading.Event()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer()

    def do_GET(self):
        Slow.asked.set()
        Slow.released.wait(60)
        self.answer(b'{"conversion_value":9,"status":"ok"}')


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


def crowd(skan, folder, receiver, tally, count=200, killed=20):
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
    stopped_holder(skan, own, receiver, tally)


def stopped_holder(skan, own, receiver, tally):
    """One that holds the lock is stopped: the others wait as long as they were told to, and no longer."""
    before = len(history(skan, own) or [])
    Slow.asked.clear(), Slow.released.clear()
    holder = Started.popen([skan, "session", "--endpoint", f"http://127.0.0.1:{receiver}/", "--max-time", "100s"], cwd=own,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
    problems, codes, spans, late = [], [], [], []
    if not Slow.asked.wait(30):
        problems.append("the holder does not ask")
    holder.send_signal(signal.SIGSTOP)

    def waiting(timeout, codes):
        start = time.monotonic()
        result = run([skan, "relaunch", "--lock-timeout", f"{timeout}s"], own, timeout=timeout + 60)
        spans.append(time.monotonic() - start - timeout)
        codes.append(result.code)

    threads = [threading.Thread(target=waiting, args=(2, codes)) for _ in range(20)]
    threads += [threading.Thread(target=waiting, args=(60, late)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads[:20]:
        thread.join()
    if codes != [75] * 20:
        problems.append(f"beside a stopped holder: exit codes {sorted(map(str, codes))}")
    if spans and max(spans) > 5:
        problems.append(f"one waits {max(spans):.1f} s longer than it was told")
    if run([skan, "details"], own, timeout=10).code != 0:
        problems.append("details waits for the lock")
    holder.send_signal(signal.SIGCONT)
    Slow.released.set()
    for thread in threads[20:]:
        thread.join()
    try:
        if holder.wait(30) != 0:
            problems.append(f"the holder ends with {holder.returncode}")
    except subprocess.TimeoutExpired:
        holder.kill()
        problems.append("the holder does not go on")
    if late != [0] * 20:
        problems.append(f"after it went on: exit codes {sorted(map(str, late))}")
    steps = len(history(skan, own) or []) - before
    if steps != 21:
        problems.append(f"{steps} of 21 changes are in the history")
    tally.add("crowd", "a stopped holder of the lock", problems)
