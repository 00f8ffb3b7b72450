"""A hostile client against `skan serve` and its live page."""
import json
import os
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial

from shared import FIXTURES, MODEL, serve
from trials.clients import (
    GET, OpenPage, answer, batch, dribbling, fill, flood, get, holding, in_threads, posted, query, whole)
from trials.run import PAGE, SERVER_MEMORY, memory_of

POSTBACK = os.path.join(FIXTURES, "postbacks", "apple-4.0-fine.json")
SERVERS = []


def against(name, **options):
    def adds(function):
        SERVERS.append((name, function, options))
        return function
    return adds


POST = b"POST /postbacks HTTP/1.1\r\nHost: a\r\n"
LONG_BODY, CHUNKS = POST + b"Content-Length: 60000\r\n\r\n", POST + b"Transfer-Encoding: chunked\r\n\r\n"
# Connections that are held for some seconds: how many, the bytes with which each begins, and those that follow now and then.
HELD = [
    ("heads that come byte by byte", 300, b"GET /", b"a", 3, {}),
    ("headers that come line by line", 300, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n", 3, {}),
    ("bodies that come byte by byte", 300, LONG_BODY, b"a", 3, {}),
    ("connections that say nothing", 300, b"", b"", 3, {}),
    ("more connections than it takes", 1200, b"", b"", 2, {"patience": 2}),
    ("more connections than it takes, each with a request before", 1200, GET, b"", 2, {"patience": 2}),
    ("more connections than it has descriptors", 200, b"", b"", 3, {"descriptors": 64, "patience": 2, "spins": True}),
]
# Slow clients that connect again when they are closed: the first bytes, and those that follow one by one.
SLOW = [("heads", b"GET /slow HTTP/1.1\r\nX: ", b"a"), ("nothing", b"", b"G"), ("bodies", LONG_BODY, b"a"),
        ("chunks", CHUNKS, b"1\r\na\r\n"), ("requests, and the next head", GET, GET)]
# The beginning of a request, and what follows for as long as it is taken.
ENDLESS = [
    ("a request line", b"GET /", b"a" * PAGE), ("a header", b"GET / HTTP/1.1\r\nX: ", b"a" * PAGE),
    ("headers", b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 10_000), ("empty lines", b"", b"\r\n" * 30_000),
    ("a query", b"GET /api/v2/conversion_value?a=k", b"&n=" + b"a" * 1000),
    ("a body", POST + b"Content-Length: 4611686018427387904\r\n\r\n", b"a" * PAGE),
    ("chunks", CHUNKS, b"10000\r\n%s\r\n" % (b"a" * PAGE)), ("small chunks", CHUNKS, b"1\r\na\r\n" * 9000),
    ("a chunk extension", CHUNKS + b"1;", b"a" * PAGE), ("trailers", CHUNKS + b"0\r\n", b"X: y\r\n" * 9000),
    ("garbage", b"\xff\x00", bytes(range(256)) * 200),
]


def endless(server, first, more):
    def one(number):
        with server.connect() as connection:
            connection.sendall(first)
            end = time.monotonic() + 2
            while time.monotonic() < end:
                connection.sendall(more)
    in_threads(8, one)


def break_off(connection):
    """Closes a connection with a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def define_servers():
    for name, count, first, more, seconds, options in HELD:
        SERVERS.append((name, partial(holding, count=count, first=first, more=more, seconds=seconds), options))
    for name, first, more in SLOW:
        SERVERS.append((f"2,000 slow clients that connect again: {name}",
                        partial(dribbling, count=2000, first=first, more=more, seconds=8), {"patience": 2}))
    for name, first, more in ENDLESS:
        SERVERS.append((f"{name} without an end", partial(endless, first=first, more=more), {}))

    @against("requests one behind the other, answers read")
    def pipelined(server):
        in_threads(4, lambda number: flood(server, GET * 500, 3))

    @against("requests one behind the other, answers not read")
    def unread(server):
        in_threads(20, lambda number: flood(server, GET * 500, 3, reads=False, receive=4096))

    @against("large answers that are not read")
    def large(server):
        flood(server, query(1) * 500, 10, times=30)
        in_threads(50, lambda number: flood(server, get("/journal"), 3, reads=False, receive=4096))

    @against("answers that are read byte by byte")
    def read_byte_by_byte(server):
        def one(number):
            with server.connect(receive=4096) as connection:
                connection.sendall(get("/openapi.json") * 50)
                for _ in range(100):
                    connection.recv(1)
                    time.sleep(0.02)
        in_threads(50, one)

    @against("connections opened and closed")
    def opened(server):
        def one(number):
            for each in range(500):
                connection = server.connect()
                if each % 3:
                    connection.sendall(GET[:each % len(GET)])
                (break_off if each % 2 else socket.socket.close)(connection)
        in_threads(6, one)

    @against("resets within the answer")
    def resets(server):
        def one(number):
            for _ in range(200):
                connection = server.connect(receive=4096)
                connection.sendall(get("/openapi.json") * 5)
                connection.recv(10)
                break_off(connection)
        in_threads(6, one)

    @against("half closed connections")
    def half(server):
        def one(number):
            connections = [server.connect() for _ in range(50)]
            for each, connection in enumerate(connections):
                connection.sendall(GET[:each])
                connection.shutdown(socket.SHUT_WR)
            time.sleep(2)
            for connection in connections:
                connection.close()
        in_threads(4, one)

    @against("postbacks without an end")
    def postbacks(server):
        body = json.load(open(POSTBACK))

        def one(number):
            with server.connect() as connection:
                end, count = time.monotonic() + 5, 0
                while time.monotonic() < end:
                    count += 1
                    text = json.dumps(dict(body, **{"transaction-id": f"{number:08x}-0000-4000-8000-{count:012x}"})).encode()
                    connection.sendall(posted(text))
                    connection.recv(PAGE)
        in_threads(8, one)

    @against("the same postback without an end", patience=20)
    def same_postback(server):
        text = posted(open(POSTBACK, "rb").read())
        in_threads(4, lambda number: flood(server, text * 20, 4))

    @against("a journal that grows")
    def journal(server):
        long = query(7).replace(b"n=e", b"n=" + b"%1b" * 4000)
        in_threads(4, lambda number: flood(server, long * 50, 4))
        kept = len(answer(server, "/journal"))
        if kept > 9 << 20:
            return [f"the journal in memory has {kept >> 20} MiB"]

    # Phones with their first request, each of an app of its own.
    @against("300,000 phones, with a page open", memory=160 << 20)
    def phones(server):
        page = OpenPage(server)

        def one(number):
            for start in range(number * 75_000, number * 75_000 + 75_000, 500):
                batch(server, [query(each).replace(b"example", b"example%d" % (each % 50_000))
                               for each in range(start, start + 500)])
        in_threads(4, one)
        page.close()
        match = re.search(rb'"phones":(\d+)', server.ask() or b"")
        if not match or not 50_000 <= int(match[1]) <= 100_000:
            return [f"{match and int(match[1])} phones are remembered"]

    @against("what the page takes away, of a full journal", patience=1)
    def taken_away(server):
        fill(server, 10_500)
        answers, paths = {}, ["/page/list", "/page/report", "/page/list", "/journal"]

        def one(number):
            answers[number] = answer(server, paths[number])
        in_threads(len(paths), one)
        return [f"{path} is not answered whole: {len(answers.get(number, b''))} bytes" for number, path in enumerate(paths)
                if not whole(answers.get(number, b""))]

    @against("a list that is read slowly")
    def read_slowly(server):
        fill(server, 10_500)
        data = b""
        with server.connect(timeout=30, receive=1 << 16) as connection:
            connection.sendall(get("/page/list", "Connection: close"))
            while part := connection.recv(1 << 18):
                data += part
                time.sleep(0.2)
        if not whole(data):
            return [f"it is cut after {len(data)} bytes"]

    @against("pages that watch and do not read, when it ends")
    def watched(server):
        fill(server, 10_500)
        pages = [OpenPage(server, reads=False) for _ in range(30)]
        slow = server.connect(receive=4096)
        slow.sendall(get("/journal"))
        time.sleep(1)
        start = time.monotonic()
        server.process.terminate()
        server.process.wait(20)
        seconds = time.monotonic() - start
        for each in (*pages, slow):
            each.close()
        if seconds > 5.5:
            return [f"it ends {seconds:.1f} s after it was asked to"]


class Server:
    """A running `skan serve`, watched by a good client."""

    def __init__(self, skan, folder, *options, descriptors=None):
        self.folder = tempfile.mkdtemp(dir=folder)

        def limits():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        self.process, self.port = serve(skan, self.folder, "-q", *options, preexec_fn=limits)
        if self.port is None:
            sys.exit("attack: the server does not start")

    def connect(self, timeout=10.0, receive=None, source=None):
        connection = socket.socket()
        if source:
            connection.bind((source, 0))
        if receive:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        connection.settimeout(timeout)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def ask(self, data=b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", timeout=15.0,
            source=None):
        """All that is answered until the connection is closed; None when nothing comes in time."""
        try:
            with self.connect(timeout, source=source) as connection:
                connection.sendall(data)
                answer = b""
                while part := connection.recv(PAGE):
                    answer += part
                return answer
        except OSError:
            return None

    @property
    def descriptors(self):
        # Only root may look: the server holds the keys of phones.
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except PermissionError:
            return 0

    @property
    def processor(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        problems = []
        if self.process.poll() == 0:
            pass  # An attack has ended it.
        elif self.process.returncode is not None:
            problems.append(f"the server has ended with {self.process.returncode}")
        else:
            self.process.terminate()
            try:
                if self.process.wait(10) != 0:
                    problems.append(f"the clean end has exit code {self.process.returncode}")
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                problems.append("it does not end when it is asked to")
        self.process.stdout.close()
        shutil.rmtree(self.folder)
        return problems


class Watch(threading.Thread):
    """The good client, by turns from the attackers' address and from another."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.has_ended, self.spans, self.refused, self.silent = server, False, [], 0, 0

    def run(self):
        while not self.has_ended:
            start = time.monotonic()
            answer = self.server.ask(source=f"127.0.0.{1 + len(self.spans) % 2}")
            span = time.monotonic() - start
            if answer and b" 200 OK" in answer:
                self.spans.append(span)
            elif answer and b" 503 " in answer:
                self.refused += 1
            else:
                self.silent += 1
            time.sleep(0.05)


def attack_server(skan, folder, name, function, options):
    server = Server(skan, folder, "--model", MODEL, "--journal", "journal.jsonl", "--postbacks", "received.jsonl",
                    descriptors=options.get("descriptors"))
    server.ask()
    base = server.descriptors
    watch = Watch(server)
    watch.start()
    processor, begin = server.processor, time.monotonic()
    problems = []
    try:
        problems += function(server) or []
    except OSError as error:
        problems.append(f"the attack breaks off: {error}")
    seconds = time.monotonic() - begin
    if server.process.poll() is None:
        share = (server.processor - processor) / seconds
        if options.get("spins") and share > 0.5:
            problems.append(f"it takes {share:.0%} of a core for nothing")
        # Answered also when the attack is over.
        start = time.monotonic()
        while b" 200 OK" not in (server.ask(timeout=5) or b"") and time.monotonic() - start < 5:
            time.sleep(0.1)
        if b" 200 OK" not in (server.ask(timeout=5) or b""):
            problems.append("5 s later a good client is not answered")
        watch.has_ended = True
        watch.join(20)
        if watch.silent:
            problems.append(f"a good client gets nothing {watch.silent} times")
        if watch.refused:
            problems.append(f"a good client is refused {watch.refused} times")
        if watch.spans and max(watch.spans) > options.get("patience", 5):
            problems.append(f"a good client waits {max(watch.spans):.1f} s")
        end = time.monotonic() + 15
        while server.descriptors > base + 3 and time.monotonic() < end:
            time.sleep(0.1)
        if server.descriptors > base + 3:
            problems.append(f"{server.descriptors - base} descriptors are left")
    memory = memory_of(server.process.pid)
    if memory > options.get("memory", SERVER_MEMORY):
        problems.append(f"{memory >> 20} MiB of memory")
    problems += server.end()
    return problems, max(watch.spans, default=0), memory


def server_attacks(skan, folder, wanted, tally):
    define_servers()
    for name, function, options in SERVERS:
        if wanted in name:
            tally.add("server", name, *attack_server(skan, folder, name, function, options))
