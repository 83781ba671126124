"""A boosted start with the page cache dropped against the same start with a warm one."""

from harness import Row, Table, between, interleaved, middle, program, ratio
from proving import TIMEOUT_S, Case, own_cache

from firststep.prove import page_cache
from firststep.prove.measure import run_once
from firststep.prove.run import Purpose, Side

LEARNING_RUNS = 3
WITHOUT_FUNCTIONS = ("cache-functions",)
HEADING = ["asked for", "boosted, warm", "boosted, cold", "cold / warm", "page cache"]


def row(name, pairs, before_s, pair_s, **options):
    def measure(pairs):
        case = Case(program(name), **options)
        plan = case.plans()[Side.TREATED]
        folders, emptied = (), None

        def warm(purpose=Purpose.COUNTED):
            nonlocal folders
            run = run_once(case.command, plan, Side.TREATED, purpose, timeout=TIMEOUT_S)
            if run.ready is None or run.exit_code:
                raise RuntimeError(f"{name} ended with exit code {run.exit_code}: {run.printed_last}")
            folders = run.folders
            return run.ready

        def cold():
            nonlocal emptied
            emptied = page_cache.empty(folders)
            return warm()

        with own_cache():
            for _ in range(LEARNING_RUNS):
                warm(Purpose.LEARNING)
            ones, others = interleaved(cold, _after(warm), pairs)
        return ["≤ 1.4", f"{middle(others):.2f} s", f"{middle(ones):.2f} s", between(ratio(ones, others)), str(emptied)]

    return Row(measure, pairs, before_s, pair_s)


def _after(warm):
    """A warm start may follow a cold one, which has not read everything: the first of two is not counted."""

    def second():
        warm()
        return warm()

    return second


TABLE = Table("cold-start", "Boosted: page cache dropped against warm", HEADING, {
    "MLP fit, functions not cached": row("keras_mlp", 5, 10, 9, without=WITHOUT_FUNCTIONS),
})


if __name__ == "__main__":
    TABLE.main()
