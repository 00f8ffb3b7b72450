"""What a hostile client sends."""
import errno
import json
import os
import random
import re
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

from shared import FIXTURES, REPOSITORY, Started, pasted
from trials.answers import chunk
from trials.run import PAGE

POSTBACK = os.path.join(FIXTURES, "postbacks", "apple-4.0-fine.json")
SERVERS = []


def against(name, **options):
    def adds(function):
        SERVERS.append((name, function, options))
        return function
    return adds


def quietly(function, *arguments):
    try:
        return function(*arguments)
    except OSError:
        return None


def flood(server, data, seconds, times=None, reads=True, receive=None):
    """Sends the same over one connection for a while; gives the bytes that came back."""
    got, end, count = 0, time.monotonic() + seconds, 0
    with server.connect(receive=receive) as connection:
        connection.setblocking(False)
        pending = b""
        while time.monotonic() < end and (times is None or count < times):
            try:
                if not pending:
                    pending, count = data, count + 1
                pending = pending[connection.send(pending):]
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:
                break
            while reads:
                try:
                    part = connection.recv(1 << 20)
                    if not part:
                        return got
                    got += len(part)
                except BlockingIOError:
                    break
                except OSError:
                    return got
    return got


def holding(server, count, first, more, seconds):
    """Keeps connections open, and adds to each now and then."""
    connections, latest = [], time.monotonic() + 20
    for _ in range(count):
        connection = quietly(server.connect, 2) if time.monotonic() < latest else None
        if connection:
            quietly(connection.sendall, first)
            connections.append(connection)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for connection in connections:
            connection.setblocking(False)
            if more:
                quietly(connection.send, more)
        time.sleep(0.2)
    for connection in connections:
        connection.close()


def dribble(port, count, seconds, first, more):
    """As many connections, each of which sends the first bytes, and then every 50 ms one of the others; how many were made.

    One that the server closes connects again at once.
    """
    poller, connections = select.epoll(), {}
    total = 0

    def connect():
        nonlocal total
        connection = socket.socket()
        connection.setblocking(False)
        if connection.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS):
            connection.close()
            return
        total += 1
        connections[connection.fileno()] = connection
        poller.register(connection, select.EPOLLOUT)

    def drop(number):
        poller.unregister(number)
        connections.pop(number).close()

    end, turn, place = time.monotonic() + seconds, time.monotonic(), 0
    while time.monotonic() < end:
        for _ in range(min(200, count - len(connections))):
            connect()
        for number, events in poller.poll(0.01):
            connection = connections[number]
            try:
                if events & select.EPOLLOUT:
                    connection.send(first)
                    poller.modify(number, select.EPOLLIN)
                elif not connection.recv(4096):
                    drop(number)
            except OSError:
                drop(number)
        if time.monotonic() > turn:
            turn, place = time.monotonic() + 0.05, place + 1
            for number in list(connections):
                try:
                    connections[number].send(more[place % len(more):][:1])
                except BlockingIOError:
                    pass
                except OSError:
                    drop(number)
    return total


def dribbling(server, count, first, more, seconds):
    """Slow clients, as a process of their own so that the good client is not held up by them."""
    call = f"from trials.requests import dribble; print(dribble({server.port}, {count}, {seconds}, {first!r}, {more!r}))"
    attacker = Started.popen([sys.executable, "-Bc", call], cwd=os.path.join(REPOSITORY, "scripts"), stdout=subprocess.PIPE)
    total = int(attacker.communicate(timeout=seconds + 60)[0] or 0)
    if total <= count:
        return [f"{total} connections were made: no place was taken from anybody"]


def in_threads(count, function):
    threads = [threading.Thread(target=lambda number=number: quietly(function, number), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def batch(server, requests):
    """Sends requests one behind the other over one connection, and reads until all are answered."""
    with server.connect() as connection:
        connection.sendall(b"".join(requests))
        connection.shutdown(socket.SHUT_WR)
        while quietly(connection.recv, PAGE):
            pass


def get(path, *headers):
    lines = "".join(f"{line}\r\n" for line in headers)
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode()


def answer(server, path, *headers):
    """All that is answered; empty when nothing is."""
    return server.ask(get(path, "Connection: close", *headers), 60) or b""


GET = get("/healthz")


def query(number, path=b"/api/v2/conversion_value"):
    return (b"GET %s?a=k&p=iOS&i=com.example.app&app_v=1.0&n=e&v=17.4&idfv=%032x HTTP/1.1\r\nHost: localhost\r\n\r\n"
            % (path, number))


def posted(body, path=b"/postbacks"):
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (path, len(body), body)


def define_servers():
    @against("heads that come byte by byte")
    def slow_heads(server):
        holding(server, 300, b"GET /", b"a", 3)

    @against("headers that come line by line")
    def slow_headers(server):
        holding(server, 300, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n", 3)

    @against("bodies that come byte by byte")
    def slow_bodies(server):
        holding(server, 300, b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n", b"a", 3)

    @against("connections that say nothing")
    def silent(server):
        holding(server, 300, b"", b"", 3)

    @against("more connections than it takes", patience=2)
    def many(server):
        holding(server, 1200, b"", b"", 2)

    @against("more connections than it takes, each with a request before", patience=2)
    def many_idle(server):
        holding(server, 1200, GET, b"", 2)

    @against("more connections than it has descriptors", descriptors=64, patience=2, spins=True)
    def no_descriptors(server):
        holding(server, 200, b"", b"", 3)

    for name, first, more in (
            ("heads", b"GET /slow HTTP/1.1\r\nX: ", b"a"), ("nothing", b"", b"G"),
            ("bodies", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n", b"a"),
            ("chunks", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
            ("requests, and the next head", GET, GET)):
        SERVERS.append((f"2,000 slow clients that connect again: {name}",
                        lambda server, first=first, more=more: dribbling(server, 2000, first, more, 8), {"patience": 2}))

    for name, first, more in (
            ("a request line", b"GET /", b"a" * PAGE), ("a header", b"GET / HTTP/1.1\r\nX: ", b"a" * PAGE),
            ("headers", b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 10_000), ("empty lines", b"", b"\r\n" * 30_000),
            ("a query", b"GET /api/v2/conversion_value?a=k", b"&n=" + b"a" * 1000),
            ("a body", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 4611686018427387904\r\n\r\n", b"a" * PAGE),
            ("chunks", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", chunk(b"a" * PAGE)),
            ("small chunks", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", chunk(b"a") * 9000),
            ("a chunk extension", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a" * PAGE),
            ("trailers", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 9000),
            ("garbage", b"\xff\x00", bytes(range(256)) * 200)):
        def endless(server, first=first, more=more):
            def one(number):
                with server.connect() as connection:
                    connection.sendall(first)
                    end = time.monotonic() + 2
                    while time.monotonic() < end:
                        connection.sendall(more)
            in_threads(8, one)
        SERVERS.append((f"{name} without an end", endless, {}))

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
    def read_slowly(server):
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
                if each % 2:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
        in_threads(6, one)

    @against("resets within the answer")
    def resets(server):
        def one(number):
            for _ in range(200):
                connection = server.connect(receive=4096)
                connection.sendall(get("/openapi.json") * 5)
                connection.recv(10)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
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

    @against("random changes of good requests")
    def changed(server):
        generator = random.Random(3)
        good = [GET, query(5), posted(open(POSTBACK, "rb").read()), posted(b"{}", b"/api/v1/evt")]
        for _ in range(2000):
            data = bytearray(generator.choice(good))
            for _ in range(generator.randint(1, 6)):
                position = generator.randrange(len(data))
                choice = generator.random()
                if choice < 0.5:
                    data[position] = generator.randrange(256)
                elif choice < 0.75:
                    del data[position:position + generator.randint(1, 20)]
                else:
                    data[position:position] = generator.randbytes(generator.randint(1, 20))
            connection = quietly(server.connect, 0.5)
            if connection:
                quietly(connection.sendall, bytes(data))
                quietly(connection.shutdown, socket.SHUT_WR)
                quietly(connection.recv, PAGE)
                connection.close()

    # One request with a second one in it: whoever stands before the server might see one only.
    smuggled = [
        ("a length and chunks", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n"
         b"0\r\n\r\n"),
        ("chunks and a length", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n"
         b"0\r\n\r\n"),
        ("two lengths", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 45\r\n\r\n"),
        ("a list of lengths", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 45\r\n\r\n"),
        ("a length with a sign", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n"),
        ("a hexadecimal length", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n\r\n"),
        ("a blank before the colon", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n"),
        ("an unknown coding", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n"),
        ("chunked, identity", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        ("a folded coding", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        ("chunks in HTTP/1.0", b"POST /postbacks HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("a chunk with a signed size", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-0\r\n\r\n"),
        ("a NUL in a name", b"POST /postbacks HTTP/1.1\r\nHost: a\r\nContent\x00-Length: 0\r\n\r\n"),
        ("a carriage return in a value", b"GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n"),
        ("two hosts", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("a blank in the target", b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]
    for name, first in smuggled:
        def refused(server, first=first):
            got = server.ask(first + GET) or b""
            count = got.count(b"HTTP/1.1 ")
            if count != 1 or not re.match(rb"HTTP/1\.1 [45]\d\d ", got):
                return [f"{count} answers: {got[:80]!r}"]
        SERVERS.append((f"a request within another: {name}", refused, {}))

    for name, body in (("JSON 100,000 deep", b"[" * 60_000), ("JSON above the limit", b'{"a":"' + b"a" * 200_000 + b'"}'),
                       ("a number of 60,000 digits", b'{"version":' + b"9" * 60_000 + b"}"), ("NULs", bytes(60_000)),
                       ("a million small keys", b"{" + b'"a":1,' * 10_000 + b'"b":2}'), ("UTF-16", '{"a":1}'.encode("utf-16"))):
        def refused_body(server, body=body):
            got = server.ask(posted(body).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)) or b""
            if not re.match(rb"HTTP/1\.1 4\d\d ", got):
                return [f"it answers {got[:60]!r}"]
        SERVERS.append((f"a postback that is {name}", refused_body, {}))

    @against("120,000 phones")
    def phones(server):
        def one(number):
            for start in range(number * 30_000, number * 30_000 + 30_000, 500):
                batch(server, [query(start + each) for each in range(500)])
            with server.connect() as connection:
                connection.sendall(b"".join(query(number * 30_000 + each) for each in range(100)))
                connection.settimeout(1)
                while quietly(connection.recv, PAGE):
                    pass
        in_threads(4, one)
        return phone_count(server)

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

    @against("faults on demand")
    def faults(server):
        for fault in (b"close", b"truncated", b"not-http", b"status-503", b"html", b"array", b"nonsense", b"\xff", b"a" * 9000):
            for request in [GET, query(9)] * 20:
                server.ask(request.replace(b"\r\n\r\n", b"\r\nX-SKAN-Fault: " + fault + b"\r\nConnection: close\r\n\r\n"), 2)

    @against("what the page copies, pasted into a shell")
    def copied(server):
        """What a phone calls its event never acts on the shell of the tester who repeats its request."""
        problems = []
        for number, name in enumerate(PASTED, 1):
            answer(server, "/api/v2/conversion_value?a=k&n=" + urllib.parse.quote(name, safe=""))
            head, _, body = answer(server, f"/page/request?n={number}").partition(b"\r\n\r\n")
            if b" 200 OK" not in head:
                problems.append(f"the server makes no command of {name!r}")
                continue
            text = json.loads(body)["curl"]
            if re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text):
                problems.append(f"the command of {name!r} has control characters")
            calls = pasted(text, server.folder)
            if os.path.exists(os.path.join(server.folder, "ran")):
                problems.append(f"{name!r} runs its own command")
                os.remove(os.path.join(server.folder, "ran"))
            if len(calls) != 1 or f"n={name}" not in calls[0] or "a=k3y" not in calls[0]:
                problems.append(f"the command of {name!r} calls curl with {calls}")
        return problems


# Names of events that leave a shell's quotes, its line, or its paste.
PASTED = ["\x1b[201~\x03\ntouch ran\n", "\ntouch ran\n", "\r\ntouch ran\r", "'\ntouch ran\n'", "'; touch ran; '",
          "\\'\ntouch ran\n", "\x1b[201~'\x03\ntouch ran #", "\x04\x15touch ran\n", "\x9b201~\x03\ntouch ran\n", "$(touch ran)`touch ran`",
          "\u202e\u2066x", "!!\x16\x03\ntouch ran\n", "\x1b\x05\x17\x0f touch ran\n"]


def phone_count(server):
    match = re.search(rb'"phones":(\d+)', server.ask() or b"")
    count = int(match[1]) if match else None
    if count is None or not 50_000 <= count <= 100_000:
        return [f"{count} phones are remembered"]
