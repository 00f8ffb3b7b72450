"""How many requests `skan serve` answers, against Python's http.server, and whether its memory grows."""
import http.server
import os
import re
import shutil
import statistics
import subprocess
import sys

from measure import REPOSITORY

PHONES = 10_000
MILLION = 1_000_000
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


class Constant(http.server.BaseHTTPRequestHandler):
    """Answers every GET with the same value."""

    protocol_version = "HTTP/1.1"
    # One packet an answer: without these, Nagle's algorithm and not Python would be measured.
    disable_nagle_algorithm = True
    wbufsize = 8192

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(CONSTANT)))
        self.end_headers()
        self.wfile.write(CONSTANT)

    def log_message(self, *arguments):
        pass


def serve():
    """The Python server, in a process of its own."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Constant)
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


def cpu(pid):
    """Seconds of processor time so far; whole ones on Linux."""
    text = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], check=True, capture_output=True, text=True).stdout
    return sum(float(part) * 60**place for place, part in enumerate(reversed(text.strip().split(":"))))


def measure(skan, options, folder, figures):
    if not shutil.which("wrk"):
        print("server: not measured. It needs wrk, a load generator: apt-get install wrk, or brew install wrk")
        return
    script = os.path.join(folder, "requests.lua")
    with open(script, "w") as file:
        file.write(SCRIPT)
    commands = {
        "skan": [skan, "serve", "--port", "0", "--model", MODEL, "--rates", RATES, "--journal", "journal.jsonl"],
        "Python": [sys.executable, "-B", os.path.abspath(__file__)],
    }
    servers, ports, loads = {}, {}, {name: [] for name in commands}
    try:
        for name, command in commands.items():
            servers[name] = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             text=True)
            ports[name] = int(servers[name].stdout.readline().rsplit(":", 1)[-1])
            # By the end of this each phone has come.
            load(ports[name], 2, script)
        before = resident(servers["skan"].pid)
        began = {name: cpu(server.pid) for name, server in servers.items()}
        for _ in range(options.rounds):
            for name, port in ports.items():
                loads[name].append(load(port, options.seconds, script))
        took = {name: cpu(server.pid) - began[name] for name, server in servers.items()}
        answered = sum(requests for _, requests, _ in loads["skan"])
        while options.million and answered < MILLION:
            answered += load(ports["skan"], options.seconds, script)[1]
        after = resident(servers["skan"].pid)
    finally:
        for server in servers.values():
            server.terminate()
            server.wait()
    rates = {name: statistics.median(load[0] for load in loads[name]) for name in loads}
    late = statistics.median(load[2] for load in loads["skan"])
    figures.least("requests a second: skan serve / Python with a constant", rates["skan"] / rates["Python"], 6,
                  f"{rates['skan']:,.0f} and {rates['Python']:,.0f} at 16 connections")
    # Others on the machine take time from one thread more than from Python's sixteen.
    costs = {name: took[name] / sum(requests for _, requests, _ in loads[name]) for name in loads}
    if costs["skan"]:
        figures.unjudged("processor time for a request: Python / skan serve", costs["Python"] / costs["skan"],
                     f"{costs['Python'] * 1e6:.0f} and {costs['skan'] * 1e6:.0f} microseconds")
    figures.most("ms for 99 of 100 requests", late, 5)
    figures.most(f"memory after / before {answered:,} requests", after / before, 1.1,
                 f"{before:.1f} MiB and {after:.1f} MiB, {PHONES:,} phones")


if __name__ == "__main__":
    serve()
