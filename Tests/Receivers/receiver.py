"""A receiver of postbacks that takes what it should; its argument plants a fault. It prints its port, and ends with its input."""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
PATH = "/.well-known/skadnetwork/report-attribution"
FIELDS = {
    "version", "ad-network-id", "source-identifier", "campaign-id", "app-id", "transaction-id", "redownload",
    "source-app-id", "source-domain", "fidelity-type", "did-win", "postback-sequence-index", "conversion-value",
    "coarse-conversion-value", "country-code", "attribution-signature",
}
seen, lock = {}, threading.Lock()


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
    if FAULT == "strict-version" and postback["version"] not in ("4.0", "3.0", "2.2", "2.1"):
        return 400
    if FAULT == "null-fails" and "conversion-value" in postback:
        int(postback["conversion-value"])
    campaign = postback["source-identifier"] if FAULT == "version-4-only" else postback.get("source-identifier")
    key = (postback["transaction-id"].lower(), postback.get("postback-sequence-index", 0))
    with lock:
        if FAULT == "duplicate-refused" and key in seen:
            return 409
        seen.setdefault(key, (campaign, postback.get("conversion-value")))
    return 201 if FAULT == "created" else 200


class Handler(BaseHTTPRequestHandler):
    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        path = self.path if FAULT == "slash-needed" else self.path.rstrip("/")
        if path != PATH + ("/" if FAULT == "slash-needed" else ""):
            return self.answer(404)
        size = int(self.headers.get("Content-Length", 0))
        if size > 65536 and FAULT != "no-limit":
            self.close_connection = True
            return self.answer(413)
        try:
            self.answer(take(self.rfile.read(size)) if size <= 65536 else 200)
        except (KeyError, TypeError):
            self.answer(500)

    def log_message(self, *_):
        pass


HTTPServer.request_queue_size = 128
server = (HTTPServer if FAULT == "one-at-a-time" else ThreadingHTTPServer)(("127.0.0.1", 0), Handler)
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
