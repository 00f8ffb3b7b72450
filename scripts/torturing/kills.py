"""Kills at random instants."""
import os
import random
import shutil
import signal
import subprocess
import time

from torturing.run import run
from shared import Started, environment


def random_kills(all_scenarios, folder, seconds, pool, tally):
    """Kills at random instants, on all cores."""
    end = time.monotonic() + seconds
    spans = {}
    for scenario in all_scenarios:
        copy = scenario.copy(folder)
        start = time.monotonic()
        run(scenario.command, copy)
        spans[scenario.name] = time.monotonic() - start
        shutil.rmtree(copy)

    def worker(seed):
        generator = random.Random(seed)
        while time.monotonic() < end:
            scenario = generator.choice(all_scenarios)
            copy = scenario.copy(folder)
            process = Started.popen(scenario.command, cwd=copy, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=environment())
            time.sleep(generator.uniform(0, spans[scenario.name] * 1.3))
            process.kill()
            code = process.wait()
            problems = [] if code in (0, -signal.SIGKILL) else [f"it ends with {code}"]
            if code == 0 and scenario.contents(copy) != scenario.new:
                problems.append("a confirmed change is lost")
            problems += scenario.check(copy, None, was_killed=True)
            tally.add("kills", scenario.name, problems)
            tally.notes[f"random kills {'before' if code < 0 else 'after'} the end of the command"] += 1
            shutil.rmtree(copy)

    for each in [pool.submit(worker, seed) for seed in range(os.cpu_count() or 2)]:
        each.result()
