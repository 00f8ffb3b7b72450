#!/usr/bin/env python3
"""Types unfinished lines into a real shell under a pseudo-terminal, and prints what a TAB makes of each.

complete.py SHELL SCRIPT < LINES

SCRIPT holds the completions. Of each line of standard input, "one TEXT" prints the arguments of the line after a TAB, and
"list WORD TEXT" the words that the shell shows, as soon as WORD is among them. The program is the first `skan` of
the PATH. A slow machine is waited for; only what never comes costs the whole time.
"""

import os
import pty
import re
import select
import shutil
import sys
import tempfile
import time

shell, script = sys.argv[1], os.path.abspath(sys.argv[2])
home = tempfile.mkdtemp()
environment = dict(os.environ, HOME=home, TERM="xterm", PS1="READY> ", ZDOTDIR=home)
environment.pop("XDG_CONFIG_HOME", None)

if shell == "bash":
    command = ["bash", "--norc", "--noprofile", "-i"]
    setup = ["bind 'set enable-bracketed-paste off'", "bind 'set page-completions off'", "bind 'set completion-query-items 0'",
             "show() { for word in \"$@\"; do echo \"<$word>\"; done; }", "source '%s'" % script]
elif shell == "zsh":
    os.mkdir(home + "/functions")
    shutil.copy(script, home + "/functions/_skan")
    command = ["zsh", "-f", "-i"]
    setup = ["unsetopt prompt_cr prompt_sp zle_bracketed_paste; unset zle_bracketed_paste; LISTMAX=0",
             "PS1='READY> '; fpath=('%s/functions' $fpath); autoload -U compinit; compinit -u -D" % home,
             "show() { for word in \"$@\"; do echo \"<$word>\"; done; }; bindkey -e"]
else:
    command = ["fish", "--no-config", "-i"]
    setup = ["function fish_prompt; echo -n 'READY> '; end; set -g fish_autosuggestion_enabled 0",
             "function show; for word in $argv; echo \"<$word>\"; end; end", "source '%s'" % script]

pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(command[0], command, environment)


def read(seconds, until=None):
    """What comes within a time, or until a pattern is found in it and nothing follows."""
    text, end = "", time.time() + seconds
    while time.time() < end:
        ready, _, _ = select.select([terminal], [], [], 0.25)
        if ready:
            try:
                text += os.read(terminal, 65536).decode("utf-8", "replace")
            except OSError:
                break
        elif until is None or re.search(until, plain(text)):
            break
    return plain(text)


def plain(text):
    """Without what moves the cursor."""
    return re.sub(r"\x1b\][^\x07]*\x07|\x1b\[[0-9;?>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]|[\r\x08\x0e\x0f]", "", text)


def send(text):
    os.write(terminal, text.encode())


read(10, ".")
for line in setup:
    send(line + "\n")
    read(10, "READY>")
for line in sys.stdin.read().splitlines():
    kind, text = line.split(" ", 1)
    word, text = text.split(" ", 1) if kind == "list" else (None, text)
    send(text)
    read(1)
    send("\t")
    if kind == "one":
        read(1.2)
        send("\x01show \n")
        shown = read(30, r"<[^<>]*>[^<>]*READY>")
        print(" ".join(re.findall(r"<([^<>]*)>", shown)))
    else:
        # zsh goes back to the line right behind the last word.
        shown = r"(?<!\S)%s" % re.escape(word)
        # bash rings at the first TAB and lists at the second; a second one would keep the others from listing.
        found = read(30, shown + "|\x07")
        if shell == "bash":
            send("\t")
        if not re.search(shown, found):
            found += read(30, shown)
        print(" ".join(found.split()))
        # The next line is typed when this one is gone for certain.
        send("\x03")
        read(2)
        send("echo go''ne\n")
        read(30, r"gone[^>]*READY>")
    sys.stdout.flush()
send("exit\n")
shutil.rmtree(home, ignore_errors=True)
