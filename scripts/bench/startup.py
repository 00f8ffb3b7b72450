"""How long a single command takes, against curl."""
import http.server
import shutil
import statistics
import subprocess
import threading

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


def measure(skan, rounds, folder, figures):
    if not shutil.which("curl"):
        print("startup: not measured, curl is not installed")
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/api/v2/conversion_value"
    subprocess.run([skan, "register", "--at", "2026-01-01T00:00:00Z"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def compare(name, ours, theirs, limit):
        # These take milliseconds, so that there can be more of them.
        runs = in_turn(8 * rounds, {"ours": lambda: run(ours, folder), "theirs": lambda: run(theirs, folder)})
        ratio = statistics.median(a.seconds / b.seconds for a, b in zip(runs["ours"], runs["theirs"]))
        remark = f"{median(runs['ours']) * 1000:.1f} ms and {median(runs['theirs']) * 1000:.1f} ms"
        figures.most(name, ratio, limit, remark)

    compare("skan details / curl --version", [skan, "details"], ["curl", "--version"], 1.2)
    compare("skan session / curl -s, server on loopback", [skan, "session", "--endpoint", address], ["curl", "-s", address],
            2.5)
    server.shutdown()
