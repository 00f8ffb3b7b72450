"""A hostile client against the live page of `skan serve`."""
import re
import threading
import time

from trials.requests import against, in_threads, query, quietly
from trials.run import PAGE

EXTREMES = ["-9223372036854775808", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9007199254740993",
            "1e400", "-0", "-1", "253402300800", "18446744073709551616"]
TIMES = ["skan_first_call_to_skadnetwork_timestamp", "skan_last_call_to_skadnetwork_timestamp", "p0_window_lock",
         "p1_window_lock", "p2_window_lock", "first_call_to_skadnetwork_timestamp", "last_call_to_skadnetwork_timestamp",
         "skan_conversion_value", "utime", "umilisec"]


def get(path, *headers):
    lines = "".join(f"{line}\r\n" for line in headers)
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode()


class OpenPage:
    """A page that reads all that the server sends."""

    def __init__(self, server, reads=True):
        self.connection = server.connect(receive=None if reads else 4096)
        self.connection.sendall(get("/events"))
        self.received = b""
        while b'"run":"' not in self.received:
            self.received += self.connection.recv(PAGE)
        self.run = re.search(rb'"run":"([^"]*)"', self.received)[1].decode()
        if reads:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while quietly(self.connection.recv, 1 << 20):
            pass

    def close(self):
        self.connection.close()


def answer(server, path, *headers):
    return server.ask(get(path, "Connection: close", *headers), 60) or b""


def fill(server, count):
    """As many requests of a thousand phones."""
    for start in range(0, count, 500):
        with server.connect() as connection:
            connection.sendall(b"".join(query((start + each) % 1000) for each in range(500)))
            connection.shutdown(1)
            while quietly(connection.recv, PAGE):
                pass


def whole(data):
    """Whether an answer has all the bytes that its head states."""
    length = re.search(rb"Content-Length: (\d+)", data)
    return length and len(data) - data.index(b"\r\n\r\n") - 4 == int(length[1])


def define_page():
    @against("extreme numbers in Last-Event-ID")
    def last_event(server):
        page = OpenPage(server)
        for number in EXTREMES:
            with server.connect() as connection:
                connection.sendall(get("/events", f"Last-Event-ID: {page.run}-{number}"))
                quietly(connection.recv, PAGE)
        page.close()

    @against("extreme times of a client, with a page open")
    def times(server):
        page = OpenPage(server)
        for path in ("/api/v1/launch", "/api/v1/evt", "/api/v2/conversion_value", "/api/v1/conversion_value"):
            for name in TIMES:
                for number in EXTREMES:
                    others = "&".join(f"{other}=5" for other in TIMES if other != name)
                    answer(server, f"{path}?a=k&p=iOS&i=com.example.app&idfv=A&n=e&{name}={number}&{others}")
        time.sleep(0.5)
        page.close()

    # Phones with their first request, each of an app of its own.
    @against("300,000 phones, with a page open", memory=160 << 20)
    def phones(server):
        page = OpenPage(server)

        def one(number):
            for start in range(number * 75_000, number * 75_000 + 75_000, 500):
                with server.connect() as connection:
                    connection.sendall(b"".join(
                        query(start + each).replace(b"example", b"example%d" % ((start + each) % 50_000))
                        for each in range(500)))
                    connection.shutdown(1)
                    while quietly(connection.recv, PAGE):
                        pass
        in_threads(4, one)
        page.close()

    @against("what the page takes away, of a full journal", patience=1)
    def taken_away(server):
        fill(server, 10_500)
        problems, answers = [], {}
        paths = ["/page/list", "/page/report", "/page/list", "/journal"]

        def one(number):
            answers[number] = answer(server, paths[number])
        in_threads(len(paths), one)
        for number, path in enumerate(paths):
            if not whole(answers.get(number, b"")):
                problems.append(f"{path} is not answered whole: {len(answers.get(number, b''))} bytes")
        return problems

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
        for page in pages:
            page.close()
        slow.close()
        if seconds > 5.5:
            return [f"it ends {seconds:.1f} s after it was asked to"]

    @against("the journal, asked by another page")
    def other_page(server):
        return [f"{headers} is let in" for headers in (
            ["Origin: http://localhost:1"], ["Origin: https://evil.example"], ["Origin: null"], ["Sec-Fetch-Site: same-site"],
            ["Sec-Fetch-Site: cross-site"], ["Referer: http://localhost:1/"])
            if b" 403 " not in answer(server, "/journal", *headers)[:20]]
