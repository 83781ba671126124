"""How the time to first step grows with a model's depth: ResNet152 against ResNet50, plain and boosted."""

from harness import Row, Table, program
from proving import Case, compare, own_cache

from firststep.prove.run import Side

SHALLOW, DEEP = ("resnet50", 50), ("resnet152", 152)
STEPS = ("--steps", 1, "--batch-size", 4)
HEADING = ["asked for", "plain, 50 layers", "152 layers", "boosted, 50 layers", "152 layers", "growth per layer, plain", "boosted",
           "boosted / plain", "results"]


def measure(pairs):
    found = []
    for name, _ in (SHALLOW, DEEP):
        with own_cache() as cache:
            found.append(compare(Case(program(name, *STEPS)), pairs, cache))
    times = {side: [each.median("ready", side) for each in found] for side in Side}
    growth = {side: (deep - shallow) / (DEEP[1] - SHALLOW[1]) for side, (shallow, deep) in times.items()}
    plain, boosted = growth[Side.PLAIN], growth[Side.TREATED]
    return ["≤ 15%", *(f"{each:.2f} s" for side in (Side.PLAIN, Side.TREATED) for each in times[side]), f"{1000 * plain:.0f} ms",
            f"{1000 * boosted:.1f} ms", f"{boosted / plain:.1%}", "; ".join(each.results() for each in found)]


TABLE = Table("depth", "Growth with depth", HEADING, {"ResNet152 against ResNet50": Row(measure, 1, 215, 110)},
              "Medians at ready, programs that end with their first step.")


if __name__ == "__main__":
    TABLE.main()
