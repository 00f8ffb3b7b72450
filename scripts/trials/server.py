"""A hostile client against `skan serve` and its live page."""
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from shared import MODEL, serve
from trials.requests import SERVERS, against, answer, batch, define_servers, get, in_threads, query, quietly
from trials.run import PAGE, SERVER_MEMORY, memory_of


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


EXTREMES = ["-9223372036854775808", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9007199254740993",
            "1e400", "-0", "-1", "253402300800", "18446744073709551616"]
TIMES = ["skan_first_call_to_skadnetwork_timestamp", "skan_last_call_to_skadnetwork_timestamp", "p0_window_lock",
         "p1_window_lock", "p2_window_lock", "first_call_to_skadnetwork_timestamp", "last_call_to_skadnetwork_timestamp",
         "skan_conversion_value", "utime", "umilisec"]


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


def fill(server, count):
    """As many requests of a thousand phones."""
    for start in range(0, count, 500):
        batch(server, [query((start + each) % 1000) for each in range(500)])


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
                batch(server, [query(each).replace(b"example", b"example%d" % (each % 50_000))
                               for each in range(start, start + 500)])
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


def server_attacks(skan, folder, wanted, tally):
    define_servers(), define_page()
    for name, function, options in SERVERS:
        if wanted in name:
            tally.add("server", name, *attack_server(skan, folder, name, function, options))
