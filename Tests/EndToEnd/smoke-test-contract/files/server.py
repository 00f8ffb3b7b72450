# A small server. The path of a request names what is wrong with its answer.
import http.server

VALUE = '"conversion_value":1,"skan_updated_coarse_value":0'
GOOD = '{%s,"postback_sequence_index":0,"status":"ok"}' % VALUE
ANSWERS = {
    "right": (200, "application/json", GOOD),
    "right-with-charset": (200, "Application/JSON; charset=utf-8", GOOD),
    "right-with-another-key": (200, "application/json", '{%s,"status":"ok","request_id":7}' % VALUE),
    "status-500": (500, "application/json", GOOD),
    "key-cut": (200, "application/json", '{"conversion_value":1,"skan_updated_coarse":0,"status":"ok"}'),
    "key-in-camel-case": (200, "application/json", '{%s,"postbackSequenceIndex":0,"status":"ok"}' % VALUE),
    "status-in-capitals": (200, "application/json", '{%s,"status":"OK"}' % VALUE),
    "no-status": (200, "application/json", "{%s}" % VALUE),
    "key-twice": (200, "application/json", '{%s,"status":"ok","status":"ok"}' % VALUE),
    "trailing-comma": (200, "application/json", '{%s,"status":"ok",}' % VALUE),
    "byte-order-mark": (200, "application/json", "\ufeff" + GOOD),
    "html": (200, "text/html; charset=utf-8", GOOD),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, content_type, body = ANSWERS[self.path.split("/")[1]]
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, *ANSWERS, flush=True)
server.serve_forever()
