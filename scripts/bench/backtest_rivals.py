"""Computes the last fine and coarse values of an export by other means, and prints how many devices have each as JSON.

    backtest_rivals.py duckdb|pandas|duckdb-ladder FILE THREADS
    backtest_rivals.py version                                prints the versions of duckdb and pandas

The ladder is another model, which backtest.py makes: many values for revenue in steps of half a dollar. It says in SQL and in
pandas what backtest-model.json says, for rows as scripts/make writes them: no lock, sums that only grow, an update with every
row. Then the last value is that of the sums at the end of a window, and no device needs to be run. What a device without a
beginning is, and when windows end, is as in `skan backtest`.
"""
import json
import sys

SQL = """
WITH rows AS (
  SELECT device, name, revenue, epoch(time - installed) AS age
  FROM read_csv('{file}', header = true, columns = {{
    'device': 'VARCHAR', 'time': 'TIMESTAMP', 'name': 'VARCHAR', 'revenue': 'DOUBLE', 'currency': 'VARCHAR',
    'installed': 'TIMESTAMP', 'campaign': 'VARCHAR', 'country': 'VARCHAR'}})
), sums AS (
  SELECT device,
    count(*) FILTER (name = '__SESSION__' AND age < 172800) AS sessions0,
    count(*) FILTER (name = '__SESSION__' AND age >= 172800 AND age < 604800) AS sessions1,
    count(*) FILTER (name = '__SESSION__' AND age >= 604800 AND age < 3024000) AS sessions2,
    count(*) FILTER (name = 'tutorial_done' AND age < 172800) AS tutorials0,
    coalesce(sum(revenue) FILTER (age < 172800), 0) AS revenue0,
    coalesce(sum(revenue) FILTER (age >= 172800 AND age < 604800), 0) AS revenue1,
    coalesce(sum(revenue) FILTER (age >= 604800 AND age < 3024000), 0) AS revenue2
  FROM rows GROUP BY device HAVING min(age) <= 3600
), devices AS (
  SELECT
    {fine} AS fine,
    CASE WHEN revenue0 >= 20.005 THEN 'high' WHEN revenue0 >= 0.005 THEN 'medium' WHEN sessions0 >= 1 THEN 'low'
      ELSE 'none' END AS p0,
    CASE WHEN revenue1 >= 20.005 THEN 'high' WHEN revenue1 >= 0.005 THEN 'medium' WHEN sessions1 >= 1 THEN 'low'
      ELSE 'none' END AS p1,
    CASE WHEN revenue2 >= 20.005 THEN 'high' WHEN revenue2 >= 0.005 THEN 'medium' WHEN sessions2 >= 1 THEN 'low'
      ELSE 'none' END AS p2
  FROM sums
)
SELECT fine::VARCHAR, p0, p1, p2, count(*) FROM devices GROUP BY ALL
"""

FINE = """CASE WHEN revenue0 >= 20.005 THEN 40 WHEN revenue0 >= 5.005 THEN 30 WHEN revenue0 >= 0.005 THEN 20
      WHEN tutorials0 >= 1 THEN 10 WHEN sessions0 >= 3 THEN 5 WHEN sessions0 >= 1 THEN 1 ELSE 0 END"""
# The value and the least revenue of each step; no sum of cents is a boundary.
LADDER = [(3 + step, 0.005 + step / 2) for step in range(60)]
LADDER_FINE = "CASE {} WHEN tutorials0 >= 1 THEN 2 WHEN sessions0 >= 1 THEN 1 ELSE 0 END".format(
    " ".join(f"WHEN revenue0 >= {least} THEN {value}" for value, least in reversed(LADDER)))


def by_duckdb(file, threads, fine=FINE):
    import duckdb

    connection = duckdb.connect(config={"threads": threads})
    return connection.execute(SQL.format(file=file.replace("'", "''"), fine=fine)).fetchall()


def by_pandas(file, threads):
    import numpy
    import pandas

    columns = ["device", "time", "name", "revenue", "installed"]
    rows = pandas.read_csv(file, usecols=columns, dtype={"revenue": "float64", "name": "category"})
    for column in ("time", "installed"):
        rows[column] = pandas.to_datetime(rows[column], format="%Y-%m-%dT%H:%M:%SZ")
    age = (rows["time"] - rows["installed"]).dt.total_seconds()
    window = pandas.cut(age, [0, 172_800, 604_800, 3_024_000], right=False, labels=False)
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


def by_ladder(file, threads):
    return by_duckdb(file, threads, LADDER_FINE)


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
    for *values, count in {"duckdb": by_duckdb, "pandas": by_pandas, "duckdb-ladder": by_ladder}[kind](file, int(threads)):
        for name, value in zip(found, values):
            found[name][value] = found[name].get(value, 0) + int(count)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
