"""Computes the last fine and coarse values of an export by other means, and prints how many devices have each as JSON.

    backtest_rivals.py duckdb|pandas FILE THREADS
    backtest_rivals.py version                                prints the versions of duckdb and pandas

It says in SQL and in pandas what backtest-model.json says, for rows as scripts/make writes them: no lock, sums that only grow, an
update with every row. Then the last value is that of the sums at the end of a window, and no device needs to be run. What a device
without a beginning is, and when windows end, is as in `skan backtest`.
"""
import json
import sys

WINDOWS = [0, 172_800, 604_800, 3_024_000]


def query(file):
    sums, coarse = [], []
    for index, (begin, end) in enumerate(zip(WINDOWS, WINDOWS[1:])):
        # A row before its device's beginning is in the first window.
        is_in = f"age < {end}" + (f" AND age >= {begin}" if begin else "")
        sums += [f"count(*) FILTER (name = '__SESSION__' AND {is_in}) AS sessions{index}",
                 f"coalesce(sum(revenue) FILTER ({is_in}), 0) AS revenue{index}"]
        coarse.append(f"CASE WHEN revenue{index} >= 20.005 THEN 'high' WHEN revenue{index} >= 0.005 THEN 'medium' "
                      f"WHEN sessions{index} >= 1 THEN 'low' ELSE 'none' END AS p{index}")
    return f"""
WITH rows AS (
  SELECT device, name, revenue, epoch(time - installed) AS age
  FROM read_csv('{file.replace("'", "''")}', header = true, columns = {{
    'device': 'VARCHAR', 'time': 'TIMESTAMP', 'name': 'VARCHAR', 'revenue': 'DOUBLE', 'currency': 'VARCHAR',
    'installed': 'TIMESTAMP', 'campaign': 'VARCHAR', 'country': 'VARCHAR'}})
), sums AS (
  SELECT device, count(*) FILTER (name = 'tutorial_done' AND age < {WINDOWS[1]}) AS tutorials0, {", ".join(sums)}
  FROM rows GROUP BY device HAVING min(age) <= 3600
), devices AS (
  SELECT CASE WHEN revenue0 >= 20.005 THEN 40 WHEN revenue0 >= 5.005 THEN 30 WHEN revenue0 >= 0.005 THEN 20
      WHEN tutorials0 >= 1 THEN 10 WHEN sessions0 >= 3 THEN 5 WHEN sessions0 >= 1 THEN 1 ELSE 0 END AS fine,
    {", ".join(coarse)}
  FROM sums
)
SELECT fine::VARCHAR, p0, p1, p2, count(*) FROM devices GROUP BY ALL
"""


def by_duckdb(file, threads):
    import duckdb

    connection = duckdb.connect(config={"threads": threads})
    return connection.execute(query(file)).fetchall()


def by_pandas(file, threads):
    import numpy
    import pandas

    columns = ["device", "time", "name", "revenue", "installed"]
    rows = pandas.read_csv(file, usecols=columns, dtype={"revenue": "float64", "name": "category"})
    for column in ("time", "installed"):
        rows[column] = pandas.to_datetime(rows[column], format="%Y-%m-%dT%H:%M:%SZ")
    age = (rows["time"] - rows["installed"]).dt.total_seconds()
    window = pandas.cut(age, WINDOWS, right=False, labels=False)
    sums = {"age": age}
    for index in range(3):
        is_in = window == index
        sums[f"sessions{index}"] = is_in & (rows["name"] == "__SESSION__")
        sums[f"revenue{index}"] = rows["revenue"].where(is_in, 0).fillna(0)
    sums["tutorials0"] = (window == 0) & (rows["name"] == "tutorial_done")
    frame = pandas.DataFrame(sums)
    groups = frame.groupby(rows["device"], sort=False)
    devices = groups.sum().drop(columns="age")
    devices = devices[groups["age"].min() <= 3600]
    values = {"fine": numpy.select(
        [devices["revenue0"] >= 20.005, devices["revenue0"] >= 5.005, devices["revenue0"] >= 0.005,
         devices["tutorials0"] >= 1, devices["sessions0"] >= 3, devices["sessions0"] >= 1],
        ["40", "30", "20", "10", "5", "1"], "0")}
    for index in range(3):
        revenue = devices[f"revenue{index}"]
        values[f"p{index}"] = numpy.select(
            [revenue >= 20.005, revenue >= 0.005, devices[f"sessions{index}"] >= 1], ["high", "medium", "low"], "none")
    return [(*key, count) for key, count in pandas.DataFrame(values).value_counts().items()]


def versions():
    for name in ("duckdb", "pandas"):
        try:
            print(name, __import__(name).__version__)
        except ImportError:
            pass


def main():
    if sys.argv[1:] == ["version"]:
        return versions()
    kind, file, threads = sys.argv[1:]
    found = {"fine": {}, "p0": {}, "p1": {}, "p2": {}}
    for *values, count in {"duckdb": by_duckdb, "pandas": by_pandas}[kind](file, int(threads)):
        for name, value in zip(found, values):
            found[name][value] = found[name].get(value, 0) + int(count)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
