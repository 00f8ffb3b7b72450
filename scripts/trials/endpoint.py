"""A hostile endpoint against the client."""
import concurrent.futures
import os
import random
import shutil
import socket
import struct
import tempfile
import threading
import time
import zlib

from trials.run import CLIENT_MEMORY, GRACE, KEY, PAGE, Ran, register, run

OK = b'{"conversion_value":7,"status":"ok"}'


def head(*fields, status=b"200 OK", version=b"HTTP/1.1"):
    return b"\r\n".join([version + b" " + status, *fields, b"", b""])


def whole(body=OK, *fields, status=b"200 OK"):
    return head(b"Content-Length: %d" % len(body), *fields, status=status) + body


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


CHUNKED = head(b"Transfer-Encoding: chunked")
ATTACKS = []


def answers(name, *parts, then=None, **options):
    """An attack that sends parts: bytes, or bytes that never end, as (bytes, pause)."""
    def attack(peer):
        for part in parts:
            if isinstance(part, tuple):
                peer.forever(*part)
            else:
                peer.send(part)
        if then:
            then(peer)
    ATTACKS.append((name, attack, options))


def attack(name, **options):
    def adds(function):
        ATTACKS.append((name, function, options))
        return function
    return adds


def packed(data, times=1, bits=31):
    """Packed without being in memory as a whole; the bits say whether as gzip (31) or deflate (15)."""
    packer = zlib.compressobj(6, zlib.DEFLATED, bits)
    return b"".join([packer.compress(data) for _ in range(times)] + [packer.flush()])


def define_attacks():
    forever = dict(codes=(69,))
    stay = dict(then=lambda peer: peer.wait(), codes=(69,))
    # What never ends.
    answers("a status line without an end", b"HTTP/1.1 200 ", (b"a", 0), **forever)
    answers("a header without an end", b"HTTP/1.1 200 OK\r\nX: ", (b"a", 0), **forever)
    answers("headers without an end", b"HTTP/1.1 200 OK\r\n", (b"X-Header: value\r\n", 0), **forever)
    answers("cookies without an end", b"HTTP/1.1 200 OK\r\n", (b"Set-Cookie: a=b\r\n", 0), **forever)
    answers("a folded header without an end", b"HTTP/1.1 200 OK\r\nX: a\r\n", (b" folded\r\n", 0), **forever)
    answers("empty lines without an end", (b"\r\n", 0), **forever)
    answers("100 without an end", (head(status=b"100 Continue"), 0), **forever)
    answers("103 without an end", (head(b"Link: </a>", status=b"103 Early Hints"), 0), **forever)
    answers("102 now and then", (head(status=b"102 Processing"), 0.1), **forever)
    answers("a body without an end", head(), (b"a", 0), **forever)
    answers("blanks without an end", head(), (b" ", 0), **forever)
    answers("an array without an end", head(), (b"[", 0), **forever)
    answers("chunks without an end", CHUNKED, (chunk(b"x" * 4096), 0), **forever)
    answers("chunks of one byte without an end", CHUNKED, (chunk(b" "), 0), **forever)
    answers("a chunk extension without an end", CHUNKED + b"5;", (b"a", 0), **forever)
    answers("a chunk size of zeros without an end", CHUNKED, (b"0", 0), **forever)
    answers("trailers without an end", CHUNKED + chunk(OK) + b"0\r\n", (b"X-Trailer: value\r\n", 0), **forever)
    answers("one trailer without an end", CHUNKED + chunk(OK) + b"0\r\nX: ", (b"a", 0), **forever)
    answers("slow trailers", CHUNKED + chunk(OK) + b"0\r\n", (b"X: y\r\n", 0.1), **forever)
    answers("a slow status line", (b"H", 0.1), **forever)
    answers("a slow head", b"HTTP/1.1 200 OK\r\n", (b"X: y\r\n", 0.1), **forever)
    answers("a slow body", head(b"Content-Length: 100000"), (b" ", 0.1), **forever)
    answers("a slow body to its close", head(), (b" ", 0.1), **forever)
    answers("slow chunks", CHUNKED, (chunk(b" "), 0.1), **forever)
    answers("silence", **stay)
    answers("silence within the status line", b"HTTP/1.", **stay)
    answers("silence within the head", b"HTTP/1.1 200 OK\r\nContent-Le", **stay)
    answers("silence after the head", head(b"Content-Length: 10"), **stay)
    answers("silence within the body", head(b"Content-Length: 100") + OK, **stay)
    answers("silence within a chunk", CHUNKED + b"ff\r\nabc", **stay)
    answers("silence instead of the last chunk", CHUNKED + chunk(OK), **stay)
    answers("silence after 100", head(status=b"100 Continue"), **stay)
    answers("silence after 101", head(b"Upgrade: h2c", b"Connection: Upgrade", status=b"101 Switching Protocols"),
            **dict(stay, codes=(69, 76)))
    answers("101 and an endless other protocol", head(b"Upgrade: x", b"Connection: Upgrade", status=b"101 Switching Protocols"),
            (b"\x00\xff", 0), codes=(69, 76))
    # Lengths that are not true.
    for text in (b"9223372036854775807", b"99999999999999999999999999", b"-1", b"+36", b"0x24", b"36, 36", b"36, 37", b"3 6",
                 b"", b"36.0", b"1e2", b"\xd9\xa3\xd9\xa6", b"00000000000000000000000036", b"a"):
        answers(f"Content-Length: {text.decode()}", head(b"Content-Length: " + text) + OK)
    answers("two lengths", head(b"Content-Length: 36", b"Content-Length: 5") + OK)
    answers("the same length twice", head(b"Content-Length: 36", b"Content-Length: 36") + OK)
    answers("a length and chunks", head(b"Content-Length: 3", b"Transfer-Encoding: chunked") + chunk(OK) + b"0\r\n\r\n")
    answers("chunks twice", head(b"Transfer-Encoding: chunked, chunked") + chunk(chunk(OK)) + b"0\r\n\r\n")
    answers("an unknown transfer coding", head(b"Transfer-Encoding: rot13") + OK)
    answers("a length that is too long", head(b"Content-Length: 100") + OK, codes=(69,))
    answers("a length that is too short", head(b"Content-Length: 3") + OK * 10)
    answers("a length above --max-answer", head(b"Content-Length: 1048577") + b" " * 1048577, codes=(69,))
    answers("a body just as long as --max-answer", head(b"Content-Length: 1048576") + OK + b" " * (1048576 - len(OK)))
    for text in (b"ffffffffffffffff", b"7fffffffffffffff", b"fffffffffffffffff", b"-5", b"+5", b"0x5", b"g", b"", b" 5", b"5 ;",
                 b"80000000", b"5\n5"):
        answers(f"chunk size {text!r}", CHUNKED + text + b"\r\n" + OK + b"\r\n0\r\n\r\n", then=lambda peer: peer.wait(2))
    answers("a chunk without its end", CHUNKED + b"3\r\nabcdef0\r\n\r\n")
    answers("no last chunk", CHUNKED + chunk(OK), codes=(69,))
    answers("chunks ended by bare line feeds", CHUNKED + b"24\n" + OK + b"\n0\n\n")
    answers("a body with 204", head(status=b"204 No Content") + OK)
    answers("a body with 304", head(b"Content-Length: 36", status=b"304 Not Modified") + OK)
    answers("two answers at once", whole() * 2)
    answers("an answer before the request is read", whole(), reads=False)
    # Packed bodies.
    answers("a bomb of 512 MiB", whole(packed(bytes(1 << 20), 512), b"Content-Encoding: gzip"), codes=(69,))
    answers("a bomb within a bomb", whole(packed(packed(bytes(1 << 20), 64)), b"Content-Encoding: gzip, gzip"))
    answers("a deflated bomb", whole(packed(bytes(1 << 20), 256, 15), b"Content-Encoding: deflate"), codes=(69,))
    answers("packed blanks without an end", head(b"Content-Encoding: gzip"), (packed(b" " * (1 << 20)), 0), codes=(69, 76))
    answers("packed and cut", whole(packed(OK)[:-9], b"Content-Encoding: gzip"))
    answers("said to be packed", whole(OK, b"Content-Encoding: gzip"))
    answers("said to be Brotli", whole(OK, b"Content-Encoding: br"))
    answers("said to be in an unknown coding", whole(OK, b"Content-Encoding: zebra"))
    answers("packed a hundred times", whole(OK, b"Content-Encoding: " + b", ".join([b"gzip"] * 100)))
    # Broken connections.
    for name, part in (("at once", b""), ("within the status line", b"HTTP/1.1 2"), ("within the head", head()[:-2]),
                       ("after the head", head(b"Content-Length: 36")), ("within the body", whole()[:-9]),
                       ("within a chunk", CHUNKED + b"24\r\n{"), ("after the answer", whole())):
        answers(f"closed {name}", part)
        answers(f"reset {name}", part, then=lambda peer: (time.sleep(0.1), peer.reset()))
        answers(f"half closed {name}", part,
                then=lambda peer: (peer.connection.shutdown(socket.SHUT_WR), peer.wait(1)))
    answers("reset before the request", reads=False, then=lambda peer: peer.reset())
    answers("closed before the request", reads=False)

    @attack("an answer after the writing side is closed")
    def after_close(peer):
        peer.send(head(b"Content-Length: 36"))
        peer.connection.shutdown(socket.SHUT_WR)
        peer.wait(1)
    # Heads that are not HTTP.
    for line in (b"HTTP/0.9 200 OK", b"HTTP/9.9 200 OK", b"HTTP/1.1 000 OK", b"HTTP/1.1 99 OK", b"HTTP/1.1 1000 OK",
                 b"HTTP/1.1 -1 OK", b"HTTP/1.1 200", b"HTTP/1.1", b"ICY 200 OK", b"HTTP/1.1 2x0 OK", b"HTTP/2 200", b"", b"\x00",
                 b"HTTP/1.1 99999999999999999999 OK", b"HTTP/1.1 200 \x1b[2J\x1b]0;owned\x07", b"HTTP/1.1  200  OK",
                 b"HTTP/1.1 200 \xff\xfe", b"http/1.1 200 OK", b"SSH-2.0-OpenSSH", b"220 smtp ready", b"* OK IMAP4"):
        answers(f"status line {line!r}", line + b"\r\nContent-Length: 36\r\n\r\n" + OK)
    for line in (b"no colon", b": no name", b"Name : value", b"N\x00ame: value", b"Name: va\x00lue", b"Name: \xff\xfe",
                 b"Name: a\rX: b", b"Name: a\nX: b", b"\x1b[31m: red", b"X: " + b"a" * 300_000, b" folded: first",
                 b"Content-Type: text/html; charset=\xff", b"Content-Length : 5", b"Connection: Content-Length",
                 b"Set-Cookie: " + b"a=b; " * 10_000, b"Keep-Alive: timeout=-1", b"Retry-After: 999999999999",
                 b"Date: never", b"Alt-Svc: h3=\":443\"", b"Refresh: 0; url=file:///etc/passwd",
                 b"Strict-Transport-Security: max-age=1e99"):
        answers(f"header {line[:40]!r}", head(line, b"Content-Length: 36") + OK)
    answers("ten thousand headers", head(*[b"X-%d: y" % number for number in range(10_000)], b"Content-Length: 36") + OK)
    answers("lines that end with line feeds alone", (head(b"Content-Length: 36") + OK).replace(b"\r\n", b"\n"))
    answers("lines that end with carriage returns alone", (head(b"Content-Length: 36") + OK).replace(b"\r\n", b"\r"))
    answers("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200))
    answers("a TLS alert", b"\x15\x03\x03\x00\x02\x02\x28")
    answers("HTTP/2", b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + bytes(18))
    answers("random bytes", random.Random(1).randbytes(100_000))
    answers("an HTTP request", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    answers("401 with a challenge", whole(b"", b"WWW-Authenticate: Digest realm=a, nonce=b", status=b"401 Unauthorized"))
    answers("401 with basic", whole(b"", b"WWW-Authenticate: Basic realm=a", status=b"401 Unauthorized"))
    answers("407", whole(b"", b"Proxy-Authenticate: Negotiate", status=b"407 Proxy Authentication Required"))
    answers("417", whole(b"", status=b"417 Expectation Failed"))
    # TLS that is none.
    secure = dict(scheme="https", reads=False)
    answers("https: plain HTTP", whole(), **secure)
    answers("https: silence", then=lambda peer: peer.wait(), codes=(69,), **secure)
    answers("https: random bytes", random.Random(2).randbytes(10_000), **secure)
    answers("https: a record without an end", b"\x16\x03\x03\x40\x00", (b"\x02", 0), codes=(69,), **secure)
    answers("https: alerts without an end", (b"\x15\x03\x03\x00\x02\x01\x00", 0.001), codes=(69,), **secure)
    # Other places.
    @attack("redirects without an end", codes=(69,))
    def redirects(peer):
        peer.send(whole(b"", b"Location: /%d" % random.getrandbits(60), status=b"302 Found"))

    @attack("redirects that grow", codes=(69,))
    def growing(peer):
        length = len(peer.endpoint.seen) * 1000
        peer.send(whole(b"", b"Location: /" + b"a" * length, status=b"307 Temporary Redirect"))

    @attack("a redirect on the same connection without an end", codes=(69,))
    def same(peer):
        while not peer.endpoint.has_ended:
            peer.send(whole(b"", b"Location: /next", status=b"308 Permanent Redirect"))
            peer.connection.recv(PAGE)

    @attack("redirects with slow bodies", codes=(69,))
    def slow(peer):
        peer.send(head(b"Location: /next", b"Content-Length: 3", status=b"302 Found") + b"a")
        peer.forever(b"a", 0.2)
    for place in (b"file:///etc/passwd", b"ftp://127.0.0.1/", b"gopher://127.0.0.1/", b"data:application/json,{}", b"javascript:1",
                  b"http://127.0.0.1:0/", b"http://127.0.0.1:99999/", b"http://[::1", b"//", b"http://", b"\x00", b"", b"?",
                  b"http://user:word@127.0.0.1:1/", b"dict://127.0.0.1:1/", b"http://127.0.0.1:1/", b"a" * 200_000,
                  b"http://nowhere.invalid/", b"/\xff\xfe", b"/\x1b[2J"):
        answers(f"a redirect to {place[:30]!r}", whole(b"", b"Location: " + place, status=b"302 Found"))
    answers("a redirect to nowhere", whole(b"", status=b"302 Found"))
    ATTACKS.append(("a redirect to another host", None, dict(other=b"/else")))
    ATTACKS.append(("a redirect that keeps the method", None, dict(other=b"/else", status=b"307 Temporary Redirect")))
    # Bodies.
    for name, body in (
            ("nothing", b""), ("blanks", b" " * 1000), ("NUL", b"\x00"), ("brackets 100,000 deep", b"[" * 100_000),
            ("objects 100,000 deep", b'{"a":' * 100_000), ("closed brackets 500 deep", b"[" * 500 + b"]" * 500),
            ("a number with a million digits", b'{"conversion_value":' + b"9" * 1_000_000 + b"}"),
            ("1e999999999", b'{"conversion_value":1e999999999}'), ("-1e-999999999", b'{"conversion_value":-1e-999999999}'),
            ("NaN", b'{"conversion_value":NaN}'), ("Infinity", b"[Infinity]"), ("a value of 64", b'{"conversion_value":64}'),
            ("a value of 2^63", b'{"conversion_value":9223372036854775808}'), ("a negative value", b'{"conversion_value":-1}'),
            ("a value that is an array", b'{"conversion_value":[]}'), ("invalid UTF-8", b'{"status":"\xff\xfe\xc0\x80"}'),
            ("UTF-16", OK.decode().encode("utf-16")), ("UTF-16 without a mark", OK.decode().encode("utf-16-le")),
            ("UTF-32", OK.decode().encode("utf-32")), ("a mark of UTF-8", b"\xef\xbb\xbf" + OK),
            ("lone surrogates", b'{"status":"\\ud800","reason":"\\udc00\\ud800"}'), ("escaped NUL", b'{"status":"\\u0000"}'),
            ("a string of a megabyte", b'{"reason":"' + b"a" * 1_000_000 + b'"}'),
            ("100,000 keys", b"{" + b",".join(b'"k%d":1' % number for number in range(70_000)) + b"}"),
            ("the same key 100,000 times", b"{" + b",".join([b'"status":"a"'] * 70_000) + b"}"),
            ("escapes for a terminal", b'{"status":"\x1b[2J","reason":"\\u001b]0;owned\\u0007\\u202e\\u009b31m"}'),
            ("raw escapes for a terminal", b"\x1b[2J\x1b]0;owned\x07\xc2\x9b31m\xe2\x80\xae"),
            ("HTML", b"<html><script>alert(1)</script>" * 1000), ("the key", KEY.encode()),
            ("the key in JSON", b'{"status":"error","reason":"' + KEY.encode() + b'"}'),
            ("the key as a coarse value", b'{"conversion_value":1,"coarse":"' + KEY.encode() + b'"}')):
        answers(f"body: {name}", whole(body, b"Content-Type: application/json"))
        if len(body) < 200:
            answers(f"body: {name}, with status 500", whole(body, status=b"500 Oops"))


class Peer:
    """One connection of the endpoint, as an attack sees it."""

    def __init__(self, connection, endpoint):
        self.connection, self.endpoint = connection, endpoint

    def send(self, data):
        self.connection.sendall(data)

    def forever(self, data, pause=0.0):
        data = data if pause else data * max(1, PAGE // len(data))
        while not self.endpoint.has_ended:
            self.send(data)
            time.sleep(pause)

    def wait(self, seconds=30):
        """Stays, and reads what comes, until the other side goes."""
        end = time.monotonic() + seconds
        self.connection.settimeout(0.2)
        while time.monotonic() < end and not self.endpoint.has_ended:
            try:
                if not self.connection.recv(4096):
                    return
            except TimeoutError:
                pass

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


class Endpoint:
    """A server that answers each connection by one attack."""

    def __init__(self, attack, reads=True):
        self.attack, self.reads, self.has_ended, self.seen = attack, reads, False, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            connection.settimeout(20)
            request = b""
            while self.reads and b"\r\n\r\n" not in request:
                data = connection.recv(PAGE)
                if not data:
                    return
                request += data
            self.seen.append(request)
            self.attack(Peer(connection, self))
        except (OSError, ValueError):
            pass
        finally:
            connection.close()

    def end(self):
        self.has_ended = True
        self.listener.close()


def attack_endpoint(skan, folder, name, function, options, defaults):
    """One attack, and what is wrong after it."""
    own = tempfile.mkdtemp(dir=folder)
    register(skan, own)
    other = None
    if "other" in options:
        # Another host, in another port: the key must not go there.
        other = Endpoint(lambda peer: peer.send(whole()))
        location = b"Location: http://localhost:%d%s" % (other.port, options["other"])

        def function(peer):
            peer.send(whole(b"", location, status=options.get("status", b"302 Found")))
    endpoint = Endpoint(function, options.get("reads", True))
    before = len(open(os.path.join(own, "skan-state.json")).read())
    arguments = ["session", "-v", "--endpoint", f"{options.get('scheme', 'http')}://127.0.0.1:{endpoint.port}/"]
    limit = 10 if defaults else 1
    if not defaults:
        arguments += ["--max-time", "1s"]
    ran = Ran([skan, *arguments], own, limit + GRACE, SKAN_SDK_KEY=KEY)
    endpoint.end()
    problems = ran.problems(options.get("codes", (0, 69, 76)), CLIENT_MEMORY)
    if not endpoint.seen:
        problems.append("the endpoint was not asked")
    if KEY.encode() in ran.output + ran.errors:
        problems.append("the SDK key is in the output")
    state = open(os.path.join(own, "skan-state.json"), "rb").read()
    if KEY.encode() in state:
        problems.append("the SDK key is in the device file")
    if other:
        other.end()
        if any(KEY.encode() in request for request in other.seen):
            problems.append("another host gets the SDK key")
    shown = run([skan, "history", "--json"], own, timeout=20)
    steps = shown.output.count("\n") if shown.code == 0 else None
    if steps != 2 and ran.code != "hangs":
        problems.append(f"{steps} steps in the device file ({before} bytes before, {len(state)} now)")
    free = run([skan, "relaunch", "--lock-timeout", "300ms"], own)
    if free.code != 0:
        problems.append(f"afterwards the device file cannot be used: {free.errors[:200]!r}")
    left = set(os.listdir(own)) - {"skan-state.json", "skan-state.json.lock"}
    if left:
        problems.append(f"left: {sorted(left)}")
    shutil.rmtree(own)
    return problems, ran.seconds, ran.memory


def endpoint_attacks(skan, folder, wanted, tally):
    define_attacks()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        futures = {}
        for defaults in (False, True):
            for name, function, options in ATTACKS:
                label = f"{name}{', default limits' if defaults else ''}"
                if wanted in label:
                    futures[pool.submit(attack_endpoint, skan, folder, name, function, options, defaults)] = label
        tally.collect("endpoint", futures)
