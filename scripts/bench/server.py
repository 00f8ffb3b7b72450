"""How many requests `skan serve` answers, against Python's http.server, and whether its memory grows."""
import http.server
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import urllib.parse

import baseline
from measure import REPOSITORY

PHONES = 10_000
REQUESTS = 1_000_000
MODEL, RATES = (os.path.join(REPOSITORY, "fixtures", "models", name) for name in ("mixed.json", "rates.json"))
SCRIPT = f"""
local count = 0
request = function()
  count = count + 1
  return wrk.format("GET", "/api/v2/conversion_value?a=k&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=P"
    .. count % {PHONES} .. "&skan_current_conversion_value=0&skan_total_revenue_by_currency=%7B%22USD%22:9.99%7D"
    .. "&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600",
    {{ ["X-SKAN-Device-Time"] = "1767229200" }})
end
"""
CONSTANT = b'{"conversion_value":1,"status":"ok"}'
REQUIRED = ("a", "v", "i", "app_v", "n", "idfv")


class Constant(http.server.BaseHTTPRequestHandler):
    """Answers every GET with the same value."""

    protocol_version = "HTTP/1.1"
    # One packet an answer: without these, Nagle's algorithm and not Python would be measured.
    disable_nagle_algorithm = True
    wbufsize = 8192

    def do_GET(self):
        self.answer(CONSTANT)

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Reference(Constant):
    """Does what skan serve does with such a request: reads the query, checks it, counts the event, asks the model, and
    writes a line into the journal; without an explanation."""

    model = None
    journal = None
    # How often each phone's events were seen, by window.
    seen = {}

    def do_GET(self):
        path, _, text = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        now = int(self.headers["X-SKAN-Device-Time"])
        try:
            values = self.values(query, now)
        except baseline.EndpointError as error:
            values = {"reason": str(error), "status": "error"}
        query["a"] = "REDACTED"
        self.journal.write(json.dumps({"at": now, "path": path, "query": query, "answer": values}) + "\n")
        self.answer(json.dumps(values, separators=(",", ":")).encode())

    def values(self, query, now):
        get = query.get
        if get("p") != "iOS":
            raise baseline.EndpointError("Unknown platform error")
        for name in REQUIRED:
            if not get(name):
                baseline.bad(name)
        if not baseline.IOS.fullmatch(query["v"]) or len(query["n"]) > 32 or not query["n"].isascii():
            baseline.bad("v or n")
        fine = whole(query, "skan_current_conversion_value", 63)
        for place in range(3):
            for name in (f"p{place}_coarse", f"p{place}_prev_coarse_value"):
                if name in query:
                    whole(query, name, 2)
        first = whole(query, "skan_first_call_to_skadnetwork_timestamp", baseline.LATEST)
        last = whole(query, "skan_last_call_to_skadnetwork_timestamp", baseline.LATEST)
        since = now - first
        place = next((place for place, end in enumerate((baseline.P0_END, baseline.P1_END, baseline.P2_END)) if since < end),
                     None)
        if place is None or last < first or self.model.hours is not None and since / 3600 >= self.model.hours:
            raise baseline.EndpointError("Invalid measurement period")
        iap = sums(query, f"p{place}_total_iap_revenue") or place == 0 and sums(query, "skan_total_revenue_by_currency") or None
        ads = (sums(query, f"p{place}_total_admon_revenue")
               or place == 0 and sums(query, "skan_total_admon_revenue_by_currency") or None)
        phone = query["i"], query["idfv"]
        seen = self.seen.get(phone)
        if seen is None:
            seen = self.seen[phone] = [[0] * len(self.model.places) for _ in range(3)]
        fine, coarse, locks = self.model.verdict(query["n"], place, since // 3600, fine, seen[place], iap, ads)
        values = {"conversion_value": fine, "postback_sequence_index": place}
        if coarse is not None:
            values["skan_updated_coarse_value"] = coarse
        if locks:
            values["skan_updated_lock_window_value"] = True
        values["status"] = "ok"
        return values


def whole(query, name, most):
    """A parameter that must be a whole number up to some limit."""
    text = query.get(name, "")
    if not text.isdecimal() or int(text) > most:
        baseline.bad(name)
    return int(text)


def sums(query, name):
    """A parameter of sums by currency, or None."""
    if name not in query:
        return None
    try:
        table = json.loads(query[name])
    except ValueError:
        baseline.bad(name)
    if type(table) is not dict or not all(type(sum) in (int, float) for sum in table.values()):
        baseline.bad(name)
    return dict(sorted(table.items()))


def serve(handler):
    """One of the Python servers, in a process of its own."""
    handler = {"constant": Constant, "reference": Reference}[handler]
    Reference.model = baseline.read_model(MODEL, RATES)
    Reference.journal = open("python-journal.jsonl", "w")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(server.server_port, flush=True)
    server.serve_forever()


def load(port, seconds, script):
    """Requests a second, all requests, and the 99th percentile in ms, at 16 connections. A failed answer ends the program."""
    out = subprocess.run(["wrk", "-t1", "-c16", f"-d{seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{port}"],
                         check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(f"bench: the server failed under load:\n{out}")
    late, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), int(re.search(r"(\d+) requests in", out).group(1)),
            float(late) * {"us": 0.001, "ms": 1, "s": 1000}[unit])


def resident(pid):
    """Resident memory in MiB."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True).stdout) / 1024


def measure(skan, rounds, folder, figures):
    if not shutil.which("wrk"):
        print("server: not measured, wrk is not installed")
        return
    script = os.path.join(folder, "requests.lua")
    with open(script, "w") as file:
        file.write(SCRIPT)
    ours = [skan, "serve", "--port", "0", "--model", MODEL, "--rates", RATES, "--journal", "journal.jsonl"]
    python = [sys.executable, "-B", os.path.abspath(__file__)]
    servers = {}
    try:
        ports = {}
        for name, command in (("skan", ours), ("reference", [*python, "reference"]), ("constant", [*python, "constant"])):
            servers[name] = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            ports[name] = int(servers[name].stdout.readline().rsplit(":", 1)[-1])
            load(ports[name], 1, script)
        before = resident(servers["skan"].pid)
        loads = {name: [] for name in ports}
        for _ in range(rounds):
            for name, port in ports.items():
                loads[name].append(load(port, 3, script))
        answered = sum(requests for _, requests, _ in loads["skan"])
        while answered < REQUESTS:
            answered += load(ports["skan"], 5, script)[1]
        after = resident(servers["skan"].pid)
    finally:
        for server in servers.values():
            server.terminate()
            server.wait()
    rates = {name: statistics.median(load[0] for load in loads[name]) for name in loads}
    late = statistics.median(load[2] for load in loads["skan"])
    figures.least("requests a second: skan serve / Python doing the same", rates["skan"] / rates["reference"], 3,
                  f"{rates['skan']:,.0f} and {rates['reference']:,.0f} at 16 connections")
    figures.told("the same / Python answering a constant", rates["skan"] / rates["constant"],
                 f"{rates['constant']:,.0f} a second")
    figures.most("ms for 99 of 100 requests", late, 5)
    figures.most("memory after / before a million requests of 10,000 phones", after / before, 1.1,
                 f"{before:.1f} MiB, then {after:.1f} MiB after {answered:,}")


if __name__ == "__main__":
    serve(sys.argv[1])
