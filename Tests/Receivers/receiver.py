"""A receiver of postbacks that takes what it should; its first argument plants a fault, its second is the key that it checks
signatures by. It prints its port, counts at /counts.json, and ends with its input."""
import base64
import json
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
KEY = sys.argv[2] if len(sys.argv) > 2 else None
PATH = "/.well-known/skadnetwork/report-attribution"
FIELDS = {
    "version", "ad-network-id", "source-identifier", "campaign-id", "app-id", "transaction-id", "redownload",
    "source-app-id", "source-domain", "fidelity-type", "did-win", "postback-sequence-index", "conversion-value",
    "coarse-conversion-value", "country-code", "attribution-signature",
}
SIGNED = [
    "version", "ad-network-id", "campaign-id", "source-identifier", "app-id", "transaction-id", "redownload",
    "source-app-id", "source-domain", "fidelity-type", "did-win", "postback-sequence-index",
]
seen, lock = {}, threading.Lock()
counts = {"installs": 0, "redownloads": 0, "duplicates": 0, "windows": {"p0": 0, "p1": 0, "p2": 0}}
invalid, recent = 0, []


def is_signed(postback):
    """Whether the key has signed the fields; without a key each is taken to be."""
    if KEY is None or FAULT == "forgeries-count":
        return True
    if postback.get("version") not in ("4.0", "3.0", "2.2", "2.1", "2.0"):
        return False
    values = [postback[field] for field in SIGNED if postback.get(field) is not None]
    text = "\u2063".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)
    with tempfile.NamedTemporaryFile() as signature:
        signature.write(base64.b64decode(postback.get("attribution-signature", "")))
        signature.flush()
        command = ["openssl", "dgst", "-sha256", "-verify", KEY, "-signature", signature.name]
        return subprocess.run(command, input=text.encode(), capture_output=True).returncode == 0


def count(postback, key):
    """Adds a postback to the counts."""
    global invalid
    is_genuine = is_signed(postback)
    with lock:
        if not is_genuine:
            invalid += 1
            # What comes first takes the place, whoever signed it.
            if FAULT == "forgery-takes-place":
                seen.setdefault(key, 1)
            return
        # Two nulls are not equal in an index.
        if key in seen and not (FAULT == "null-index" and key[1] is None):
            counts["duplicates"] += 1
            return
        seen[key] = 1
        index = postback.get("postback-sequence-index", 0)
        counts["windows"]["p%d" % index] += 1
        if index == 0 and postback.get("did-win", True):
            counts["redownloads" if postback.get("redownload") else "installs"] += 1


def take(body):
    """The status of a body."""
    try:
        postback = json.loads(body)
    except ValueError:
        return 200 if FAULT == "takes-anything" else 400
    if not isinstance(postback, dict):
        return 200 if FAULT == "takes-anything" else 400
    if FAULT == "strict-fields" and not FIELDS.issuperset(postback):
        return 400
    if FAULT == "strict-version" and postback.get("version") not in ("4.0", "3.0", "2.2", "2.1", "2.0"):
        return 400
    if FAULT == "null-fails" and "conversion-value" in postback:
        int(postback["conversion-value"])
    if FAULT == "surrogate-fails":
        json.dumps(postback, ensure_ascii=False).encode()
    if FAULT != "object-fails" and "transaction-id" not in postback:
        return 400
    if FAULT == "needs-source" and "version" in postback:
        postback["source-app-id"]
    if FAULT == "version-4-only":
        postback["source-identifier"]
    key = (postback["transaction-id"].lower(), postback.get("postback-sequence-index"))
    if KEY is None and FAULT == "duplicate-refused":
        with lock:
            if key in seen:
                return 409
            seen[key] = 1
    if KEY is not None:
        count(postback, key)
    return 201 if FAULT == "created" else 200


def is_limited():
    """Whether more requests came within a second than are taken."""
    with lock:
        now = time.monotonic()
        recent[:] = [moment for moment in recent if now - moment < 1]
        if len(recent) >= 40:
            return True
        recent.append(now)
        return False


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, body=b"", field=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if field:
            self.send_header(*field)
        self.end_headers()
        self.wfile.write(body)

    def chunks(self):
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        return body

    def do_GET(self):
        if self.path != "/counts.json":
            return self.answer(405)
        with lock:
            report = {"simulated": {"total": counts}, "unverified": {"total": {"invalid": invalid}}}
        self.answer(200, json.dumps(report).encode())

    def do_POST(self):
        path = self.path if FAULT == "slash-needed" else self.path.rstrip("/")
        if path != PATH + ("/" if FAULT == "slash-needed" else ""):
            return self.answer(404)
        if FAULT == "limited" and is_limited():
            return self.answer(429, field=("Retry-After", "1"))
        if self.headers.get("Transfer-Encoding") == "chunked":
            return self.answer(411 if FAULT == "no-chunks" else take(self.chunks()))
        size = int(self.headers.get("Content-Length", 0))
        if size > 65536 and FAULT != "no-limit":
            self.close_connection = True
            return self.answer(413)
        try:
            self.answer(take(self.rfile.read(size)) if size <= 65536 else 200)
        except (KeyError, TypeError, UnicodeError):
            self.answer(500)

    def log_message(self, *_):
        pass


HTTPServer.request_queue_size = 128
server = (HTTPServer if FAULT == "one-at-a-time" else ThreadingHTTPServer)(("127.0.0.1", 0), Handler)
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
