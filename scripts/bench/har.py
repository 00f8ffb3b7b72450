#!/usr/bin/env python3
"""Measures how fast 'skan check' reads a HAR, and in how much memory.

    scripts/bench/har.py SKAN [MEGABYTES]      (default 1024)

Two files, the same every time, are written to a temporary folder: a day behind a proxy, where one entry in a hundred is a
request to Singular and the others are pages of other hosts with bodies of up to 64 kB; and requests to Singular alone, of
2,000 phones, in the form of mitmproxy, which has every parameter twice and indents by four.
"""
import json
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


def singular_entries(size):
    """Yields entries to Singular alone until they have that many bytes together."""
    number = 0
    while size > 0:
        second = number % 86400
        at = f"2026-01-{1 + number // 86400 % 28:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.250000+00:00"
        query = [("a", "k"), ("p", "iOS"), ("i", "com.example.app"), ("ip", "203.0.113.7"), ("ve", "17.4"),
                 ("idfv", f"21DB6612-09B3-4ECC-84AC-{number % 2000:012X}"), ("att_authorization_status", "0"),
                 ("utime", str(1767225600 + number)), ("skan_current_conversion_value", "0"),
                 ("skan_first_call_to_skadnetwork_timestamp", "1767225600")]
        path = "evt"
        if number % 3 == 0:
            path = "launch"
            query += [("app_v", "1.0"), ("install", "false"), ("ma", "Apple"), ("mo", "iPhone14,5"), ("lc", "en_US"),
                      ("bd", "21E236")]
        else:
            query.append(("n", "purchase"))
        url = f"https://s2s.singular.net/api/v1/{path}?" + "&".join(f"{name}={value}" for name, value in query)
        headers = [("Host", "s2s.singular.net"), ("User-Agent", "python-requests/2.31.0"),
                   ("Accept-Encoding", "gzip, deflate"), ("Accept", "*/*"), ("Connection", "keep-alive")]
        answer = [("Content-Type", "application/json"), ("Content-Length", "15"), ("Server", "nginx"),
                  ("Date", "Thu, 01 Jan 2026 00:00:00 GMT"), ("Connection", "keep-alive")]
        pairs = lambda fields: [{"name": name, "value": value} for name, value in fields]
        entry = json.dumps({
            "startedDateTime": at, "time": 60.2,
            "request": {"method": "GET", "url": url, "httpVersion": "HTTP/1.1", "cookies": [], "headers": pairs(headers),
                        "queryString": pairs(query), "headersSize": 310, "bodySize": 0},
            "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
                         "headers": pairs(answer), "redirectURL": "", "headersSize": 410, "bodySize": 15,
                         "content": {"size": 15, "mimeType": "application/json", "text": "{\"status\":\"ok\"}"}},
            "cache": {}, "timings": {"connect": 20.1, "ssl": 10.2, "send": 1.1, "receive": 1.5, "wait": 27.2},
            "serverIPAddress": "203.0.113.9"}, indent=4)
        size -= len(entry) + 2
        number += 1
        yield entry


def measure(skan, name, entries):
    """Writes a file, checks it twice, and prints how long that takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "day.har")
        with open(path, "w") as file:
            file.write('{"log":{"version":"1.2","entries":[\n')
            for index, entry in enumerate(entries):
                file.write((",\n" if index else "") + entry)
            file.write("\n]}}\n")
        size = os.path.getsize(path) / MEGABYTE
        for _ in range(2):
            start = time.monotonic()
            process = subprocess.Popen([skan, "check", "--quiet", "--fail-on", "error", path], stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - start
            # Linux gives kibibytes.
            print(f"{name}: {size:.0f} MB in {seconds:.2f} s: {size / seconds:.0f} MB/s, at most "
                  f"{usage.ru_maxrss / 1024:.0f} MiB of memory", flush=True)


def main():
    skan = os.path.abspath(sys.argv[1])
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    measure(skan, "one in a hundred", entries(megabytes * MEGABYTE))
    measure(skan, "Singular alone", singular_entries(megabytes * MEGABYTE))


if __name__ == "__main__":
    main()
