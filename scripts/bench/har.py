#!/usr/bin/env python3
"""Measures how fast 'skan check' reads a HAR, and in how much memory.

    scripts/bench/har.py SKAN [MEGABYTES]      (default 1024)

One entry in a hundred is a request to Singular; the others are pages of other hosts with bodies of up to 64 kB, as a day
behind a proxy has them. The file is written to a temporary folder, and is the same every time.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

MEGABYTE = 1_000_000


def entries(size):
    """Yields entries until they have that many bytes together."""
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz 0123456789 {}[]<>:/=;,.\\\"\\n\\\\"
    noise = "".join(chance.choice(letters.split("\\")[0]) for _ in range(65536))
    number = 0
    while size > 0:
        second = number % 86400
        at = f"2026-01-{1 + number // 86400:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.250Z"
        if number % 100 == 0:
            url = ("https://s2s.singular.net/api/v1/launch?a=k&p=iOS&i=com.example.app&ip=203.0.113.7&ve=17.4"
                   f"&idfv=21DB6612-09B3-4ECC-84AC-{number:012X}&att_authorization_status=0&app_v=1.0&install=true"
                   "&ma=Apple&mo=iPhone14,5&lc=en_US&bd=21E236&skan_current_conversion_value=0")
            body = "{\\\"status\\\":\\\"ok\\\"}"
        else:
            url = f"https://cdn{number % 7}.example.net/page/{number}"
            start = chance.randrange(32768)
            body = "<p class=\\\"x\\\">" + noise[start:start + chance.randrange(1, 32768) * 2 % 32768] + "</p>\\n"
        entry = (f'{{"startedDateTime":"{at}","time":12,"request":{{"method":"GET","url":"{url}","httpVersion":"HTTP/2",'
                 '"headers":[{"name":"Accept","value":"*/*"}],"queryString":[],"cookies":[]},"response":{"status":200,'
                 f'"headers":[],"content":{{"size":1,"mimeType":"text/html","text":"{body}"}}}}}}')
        size -= len(entry) + 2
        number += 1
        yield entry


def main():
    skan = os.path.abspath(sys.argv[1])
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "day.har")
        with open(path, "w") as file:
            file.write('{"log":{"version":"1.2","entries":[\n')
            for index, entry in enumerate(entries(megabytes * MEGABYTE)):
                file.write((",\n" if index else "") + entry)
            file.write("\n]}}\n")
        size = os.path.getsize(path) / MEGABYTE
        for _ in range(2):
            start = time.monotonic()
            process = subprocess.Popen([skan, "check", "--quiet", "--fail-on", "error", path], stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - start
            # Linux gives kibibytes.
            print(f"{size:.0f} MB in {seconds:.2f} s: {size / seconds:.0f} MB/s, at most {usage.ru_maxrss / 1024:.0f} MiB of memory")


if __name__ == "__main__":
    main()
