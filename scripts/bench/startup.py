"""How long a single command takes, against a program that does nothing, Python and curl."""
import http.server
import shutil
import statistics
import subprocess
import sys
import threading
from functools import partial

from measure import in_turn, median, run

ANSWER = b'{"conversion_value":1,"status":"ok"}'


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Answers every GET with the same value."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, *arguments):
        pass


def measure(skan, options, folder, figures):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/api/v2/conversion_value"
    subprocess.run([skan, "register", "--at", "2026-01-01T00:00:00Z"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    commands = {
        "skan --help": [skan, "--help"],
        "skan details": [skan, "details"],
        "skan session": [skan, "session", "--endpoint", address],
        "true": [shutil.which("true")],
        "python3 -c pass": [sys.executable, "-c", "pass"],
    }
    if shutil.which("curl"):
        commands["curl --version"] = ["curl", "--version"]
        commands["curl -s"] = ["curl", "-s", address]
    else:
        print("startup: nothing is measured against curl, which is not installed: apt-get install curl")
    # These take milliseconds, so that there can be more of them.
    runs = in_turn(8 * options.rounds, {name: partial(run, command, folder) for name, command in commands.items()})
    server.shutdown()

    def compare(ours, theirs, limit=None):
        if theirs not in runs:
            return
        ratio = statistics.median(a.seconds / b.seconds for a, b in zip(runs[ours], runs[theirs]))
        remark = f"{median(runs[ours]) * 1000:.1f} ms and {median(runs[theirs]) * 1000:.1f} ms"
        if limit is None:
            figures.unjudged(f"{ours} / {theirs}", ratio, remark)
        else:
            figures.most(f"{ours} / {theirs}", ratio, limit, remark)

    for ours in ("skan --help", "skan details"):
        compare(ours, "true")
        compare(ours, "python3 -c pass")
    compare("skan details", "curl --version", 0.5)
    # The server is this program, on loopback.
    compare("skan session", "curl -s", 2.3)
