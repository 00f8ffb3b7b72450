"""A hostile client against `skan serve`."""
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from shared import MODEL, serve
from trials.page import define_page
from trials.requests import SERVERS, define_servers
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


def server_attacks(skan, folder, wanted, tally):
    define_servers(), define_page()
    for name, function, options in SERVERS:
        if wanted in name:
            tally.add("server", name, *attack_server(skan, folder, name, function, options))
