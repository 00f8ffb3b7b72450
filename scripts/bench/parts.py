"""The parts of the benchmark, but for backtests: each prints its figures.

Where others on the machine would count, it is processor time on one core that is compared.
"""
import base64
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
from functools import partial
from urllib.parse import parse_qsl, urlsplit

from measure import in_turn, last_core, median, median_cpu, run, share
from shared import FIXTURES, MODEL, Handler, Listener, key_pair, make, openssl, serve, unsigned_postback

RATES = os.path.join(FIXTURES, "models", "rates.json")
ANSWER = b'{"conversion_value":1,"status":"ok"}'


class Constant(Handler):
    """Answers every GET with the same value."""

    def do_GET(self):
        self.answer(ANSWER)


class Kept(Constant):
    """The same over connections that stay open."""

    protocol_version = "HTTP/1.1"
    # One packet an answer: without these, Nagle's algorithm and not Python would be measured.
    disable_nagle_algorithm = True
    wbufsize = 8192


# Startup: how long a single command takes, against curl.

def startup(skan, options, folder, figures):
    server = Listener(Constant)
    address = f"http://127.0.0.1:{server.server_port}/api/v2/conversion_value"
    subprocess.run([skan, "register", "--at", "2026-01-01T00:00:00Z"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    # The server of the second pair is this program, on loopback.
    pairs = {"skan details": ("curl --version", 0.5, ["details"], ["--version"]),
             "skan session": ("curl -s", 2.3, ["session", "--endpoint", address], ["-s", address])}
    for ours, (theirs, limit, arguments, others) in pairs.items():
        # These take milliseconds, so that there can be more of them.
        runs = in_turn(8 * options.rounds, {ours: partial(run, [skan, *arguments], folder),
                                            theirs: partial(run, ["curl", *others], folder)})
        ratio = statistics.median(a.seconds / b.seconds for a, b in zip(runs[ours], runs[theirs]))
        figures.most(f"{ours} / {theirs}", ratio, limit,
                     f"{median(runs[ours]) * 1000:.1f} ms and {median(runs[theirs]) * 1000:.1f} ms")
    server.shutdown()


# Server: how many requests `skan serve` answers, against Python's http.server, and whether its memory grows.

PHONES = 10_000
MILLION = 1_000_000
REQUESTS = f"""
local count = 0
request = function()
  count = count + 1
  return wrk.format("GET", "/api/v2/conversion_value?a=k&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=P"
    .. count % {PHONES} .. "&skan_current_conversion_value=0&skan_total_revenue_by_currency=%7B%22USD%22:9.99%7D"
    .. "&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600",
    {{ ["X-SKAN-Device-Time"] = "1767229200" }})
end
"""
POSTS = """
local bodies, next = {}, 0
for line in io.lines("bodies.jsonl") do bodies[#bodies + 1] = line end
request = function()
  next = next % #bodies + 1
  return wrk.format("POST", nil, nil, bodies[next])
end
"""


def load(folder, address, seconds, script, connections=16):
    """What wrk prints of requests that a script of it makes. A failed answer ends the program."""
    path = os.path.join(folder, "requests.lua")
    with open(path, "w") as file:
        file.write(script)
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", path, address], cwd=folder,
                         check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(f"bench: the server failed under load:\n{out}")
    return out


def rate(out):
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])


def count(out):
    return int(re.search(r"(\d+) requests in", out)[1])


def latest(out):
    """The 99th percentile in ms."""
    late, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    return float(late) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def resident(pid):
    """Resident memory in MiB."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True).stdout) / 1024


def cpu(pid):
    """Seconds of processor time so far; whole ones on Linux."""
    text = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], check=True, capture_output=True, text=True).stdout
    return sum(float(part) * 60**place for place, part in enumerate(reversed(text.strip().split(":"))))


def server(skan, options, folder, figures):
    if not shutil.which("wrk"):
        print("server: not measured. It needs wrk, a load generator: apt-get install wrk, or brew install wrk")
        return
    process, port = serve(skan, folder, "--model", MODEL, "--rates", RATES, "--journal", "journal.jsonl")
    # In a process of its own, too.
    call = "import parts, time; print(parts.Listener(parts.Kept).server_port, flush=True); time.sleep(1e6)"
    python = subprocess.Popen([sys.executable, "-Bc", call], cwd=os.path.dirname(os.path.abspath(__file__)),
                              stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    servers = {"skan": process, "Python": python}
    addresses = {name: f"http://127.0.0.1:{port}" for name, port in (("skan", port), ("Python", int(python.stdout.readline())))}
    loads = {name: [] for name in servers}
    try:
        for address in addresses.values():
            # By the end of this each phone has come.
            load(folder, address, 2, REQUESTS)
        before = resident(process.pid)
        began = {name: cpu(each.pid) for name, each in servers.items()}
        for _ in range(options.rounds):
            for name, address in addresses.items():
                loads[name].append(load(folder, address, options.seconds, REQUESTS))
        took = {name: cpu(each.pid) - began[name] for name, each in servers.items()}
        answered = sum(map(count, loads["skan"]))
        while options.million and answered < MILLION:
            answered += count(load(folder, addresses["skan"], options.seconds, REQUESTS))
        after = resident(process.pid)
    finally:
        for each in servers.values():
            each.terminate()
            each.wait()
    rates = {name: statistics.median(map(rate, loads[name])) for name in loads}
    figures.least("requests a second: skan serve / Python with a constant", rates["skan"] / rates["Python"], 6,
                  f"{rates['skan']:,.0f} and {rates['Python']:,.0f} at 16 connections")
    # Others on the machine take time from one thread more than from Python's sixteen.
    costs = {name: took[name] / sum(map(count, loads[name])) for name in loads}
    if costs["skan"]:
        figures.unjudged("processor time for a request: Python / skan serve", costs["Python"] / costs["skan"],
                         f"{costs['Python'] * 1e6:.0f} and {costs['skan'] * 1e6:.0f} microseconds")
    figures.most("ms for 99 of 100 requests", statistics.median(map(latest, loads["skan"])), 5)
    figures.most(f"memory after / before {answered:,} requests", after / before, 1.1,
                 f"{before:.1f} MiB and {after:.1f} MiB, {PHONES:,} phones")


# Receive: how many postbacks `skan receive` and `skan serve --postbacks` verify and keep, against one `openssl` each.

# How often each comes: a copy is verified as the first is.
COPIES = 10
# Of each load of the server.
CONNECTIONS = 64


def receive(skan, options, folder, figures):
    if not shutil.which("openssl"):
        print("receive: not measured. It needs openssl")
        return
    key_pair(folder)
    lines = []
    for number in range(options.postbacks):
        body, text = unsigned_postback(number)
        signature = openssl(folder, "dgst", "-sha256", "-sign", "key.pem", text=text.encode())
        lines.append(json.dumps({**body, "attribution-signature": base64.b64encode(signature).decode()}))
    # The last one is what openssl verifies.
    for name, content in (("text", text.encode()), ("signature", signature),
                          ("bodies.jsonl", "".join(line + "\n" for line in lines * COPIES).encode())):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    received = os.path.join(folder, "received.jsonl")

    def anew(call):
        if os.path.exists(received):
            os.remove(received)
        return call()

    def served():
        """Postbacks a second, and the server's processor time for one."""
        process, port = serve(skan, folder, "--postbacks", received, "--key", "public.pem")
        try:
            out = load(folder, f"http://127.0.0.1:{port}/postbacks", options.seconds, POSTS, CONNECTIONS)
        finally:
            process.terminate()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
        return rate(out), (usage.ru_utime + usage.ru_stime) / count(out)

    command = [skan, "receive", "bodies.jsonl", "--into", received, "--key", "public.pem", "--quiet"]
    verify = ["openssl", "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "text"]
    runs = in_turn(options.rounds, {
        "skan": lambda: anew(lambda: run(command, folder, last_core())), "openssl": lambda: run(verify, folder, last_core()),
    })
    number = options.postbacks * COPIES
    remark = f"{median_cpu(runs['skan']) / number * 1e6:.0f} microseconds of processor time each"
    figures.least("postbacks a second: skan receive, one core", number / median(runs["skan"]), 1000, remark)
    figures.unjudged("one openssl for each / skan receive", median(runs["openssl"]) * number / median(runs["skan"]),
                     f"{median(runs['openssl']) * 1000:.1f} ms for one")
    if not shutil.which("wrk"):
        print("receive: the server is not measured. It needs wrk, a load generator")
        return
    each, cost = (statistics.median(part) for part in zip(*(anew(served) for _ in range(options.rounds))))
    figures.least(f"postbacks a second: skan serve, {CONNECTIONS} connections", each, 1000,
                  f"{cost * 1e6:.0f} microseconds of processor time each")


# Replay: how fast lists run, and in how much memory.

def replay(skan, options, folder, figures):
    # The million and its phones, unless the inputs are small.
    events, phones, core = options.events, options.events // 50, last_core()
    make(os.path.join(folder, "million.jsonl"), "events", "--events", events, "--phones", phones)
    make(os.path.join(folder, "tenth.jsonl"), "events", "--events", events // 10, "--phones", phones // 10)
    base = [skan, "replay", "--model", MODEL, "--rates", RATES]

    def quiet(name, jobs=1, *more, core=None):
        return lambda: run([*base, "--quiet", "--jobs", str(jobs), *more, name], folder, core)

    def results():
        with open(os.path.join(folder, "results.jsonl"), "wb") as file:
            return run([*base, "--json", "tenth.jsonl"], folder, core, file)

    runs = in_turn(options.rounds, {
        "million": quiet("million.jsonl", core=core), "tenth": quiet("tenth.jsonl", core=core), "results": results})
    print("        " + "; ".join(f"{name}: {share(runs[name]):.0%} of its time on the core" for name in runs))
    ours, tenth, took = (median_cpu(runs[name]) for name in runs)
    figures.least(f"events a second: {events:,} of {phones:,} phones", events / ours, 1_600_000, f"{ours:.2f} s")
    figures.most("ten times the events and phones / once", ours / tenth, 12, f"{ours:.2f} s and {tenth:.3f} s")
    figures.least("steps a second with --json to a file", events / 10 / took, 50_000,
                  f"{took / tenth:.1f} times as long as only counting them")
    figures.most("MiB for the million", max(run.mebibytes for run in runs["million"]), 59)
    reports = [word for form in ("json", "junit", "tap") for word in (f"--report-{form}", f"million.{form}")]
    figures.most("MiB for the million with three reports", quiet("million.jsonl", 1, *reports)().mebibytes, 61)
    if (os.cpu_count() or 1) < 2:
        print("--jobs 2: not measured on one core")
        return
    runs = in_turn(options.rounds, {"one": quiet("million.jsonl"), "two": quiet("million.jsonl", 2)})
    one, two = median(runs["one"]), median(runs["two"])
    figures.least("one list with --jobs 1 / --jobs 2", one / two, 1.8, f"{one:.2f} s and {two:.2f} s")


# Check: how fast 'skan check' reads a HAR, and in how much memory. A day behind a proxy, where one entry in a hundred is a request
# to Singular and the others are pages of other hosts with bodies of up to 64 kB; and requests to Singular alone, of 2,000 phones.

def entries(size, others):
    """Entries in mitmproxy's form until they have that many bytes together, so many of other hosts behind each to Singular."""
    with open(os.path.join(FIXTURES, "traffic", "mitmproxy.har")) as file:
        form = json.load(file)["log"]["entries"][1]
    text, idfv = json.dumps(form, indent=4), dict(parse_qsl(urlsplit(form["request"]["url"]).query))["idfv"]
    chance, number = random.Random(7), 0
    noise = "".join(chance.choice("abcdefghijklmnopqrstuvwxyz 0123456789 {}[]<>:/=;,.") for _ in range(65536))
    while size > 0:
        if number % (others + 1) == 0:
            entry = text.replace(idfv, f"21DB6612-09B3-4ECC-84AC-{number % 2000:012X}")
        else:
            body = f'<p class=\\"x\\">{noise[:chance.randrange(1, 65536)]}</p>\\n'
            entry = ('{"startedDateTime":"2026-01-01T00:00:00Z","time":12,"request":{"method":"GET","url":"https://cdn.example.net/page/'
                     f'{number}","headers":[],"queryString":[]}},"response":{{"status":200,"content":{{"text":"{body}"}}}}}}')
        size -= len(entry) + 2
        number += 1
        yield entry


def check(skan, options, folder, figures):
    path = os.path.join(folder, "day.har")
    for name, others in (("one in a hundred", 99), ("Singular alone", 0)):
        with open(path, "w") as file:
            file.write('{"log":{"version":"1.2","entries":[\n')
            for index, entry in enumerate(entries(options.megabytes * 1_000_000, others)):
                file.write((",\n" if index else "") + entry)
            file.write("\n]}}\n")
        size = os.path.getsize(path) / 1e6
        command = [skan, "check", "--quiet", "--fail-on", "error", path]
        runs = in_turn(1, {"skan": lambda: run(command, folder, codes=(0, 1))})["skan"]
        figures.unjudged(f"MB a second of a HAR: {name}", size / median(runs),
                         f"{size:.0f} MB in {median(runs):.2f} s, at most {max(run.mebibytes for run in runs):.0f} MiB")
        os.remove(path)
