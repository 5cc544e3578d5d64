"""The scenarios by name, and what is written about each beside its capture."""

import json
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
TRACES = os.path.join(ROOT, "traces")
SCENARIOS = {}


class Scenario:
    """One scenario: an `async` function of a port, and the facts that its folder tells.

    The capture runs around the function; with `within` the function is given it, and begins it by itself.
    """

    def __init__(self, name, function, purpose, shows, client, machines, in_force, options, snaplen, within):
        self.name, self.function, self.snaplen, self.within = name, function, snaplen, within
        self.purpose, self.shows, self.client = purpose, shows, client
        self.machines, self.in_force, self.options = machines, in_force, options

    @property
    def folder(self):
        return os.path.join(TRACES, self.name)

    @property
    def recipe(self):
        return "tools/recipes/scenarios/%s.py" % self.function.__module__.rpartition(".")[2]

    @property
    def record(self):
        """What `goldwire record` is told besides `-r` and `-w`."""
        return (["--in-force", ",".join(self.in_force)] if self.in_force else []) + list(self.options)

    def describe(self):
        facts = {
            "purpose": self.purpose, "origin": "recorded", "recipe": self.recipe, "client": self.client,
            "machines": self.machines, "inForce": self.in_force, "record": self.record, "shows": self.shows,
        }
        with open(os.path.join(self.folder, "scenario.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
        lines = [self.purpose, "Recorded on the loopback interface by %s (client: %s)."
                 % (self.recipe, self.client), self.shows]
        with open(os.path.join(self.folder, "README.md"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def scenario(name, *, purpose, shows, client, machines, in_force=(), options=(), snaplen=0, within=False):
    """Registers the function below it as the scenario `name`."""
    def register(function):
        SCENARIOS[name] = Scenario(name, function, purpose, shows, client, list(machines), list(in_force),
                                   list(options), snaplen, within)
        return function
    return register


def write_index():
    """`traces/index.json` from the folders' own `scenario.json`, by name."""
    entries = []
    for name in sorted(os.listdir(TRACES)):
        path = os.path.join(TRACES, name, "scenario.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                facts = json.load(file)
            entries.append({"name": name, "origin": facts["origin"], "machines": facts["machines"],
                            "purpose": facts["purpose"]})
    with open(os.path.join(TRACES, "index.json"), "w", encoding="utf-8") as file:
        lines = [json.dumps(entry, ensure_ascii=False) for entry in entries]
        file.write("[\n  " + ",\n  ".join(lines) + "\n]\n")
