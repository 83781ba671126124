"""Each cause before and after its remedy, on a program of the zoo that has it: the figures of `firststep explain` and docs/causes.md.

    python benchmarks/remedied.py --list
    python benchmarks/remedied.py                        all of them
    python benchmarks/remedied.py double-trace           one cause, and those that are measured with it
    python benchmarks/remedied.py --pairs 1 --to FILE    tried out: written to another file than the one that is shown
"""

import argparse
import json
import math
import sys
import time
import traceback
from pathlib import Path

from harness import ROOT, difference, interleaved, machine, measured, middle
from remedies_tried import CASES

from firststep.report import pages


def figures(case, pairs):
    """What is shown of one case."""
    with case.start() as (plain, treated):
        before, after = interleaved(plain, treated, pairs)
    less = difference(before, after)
    return {
        "program": case.program, "with": case.words, "until": case.until, "before_s": round(middle(before), 3),
        "after_s": round(middle(after), 3), "pairs": pairs, "measured": measured(), "machine": machine().strip("*"),
        "less_s": [None if math.isinf(value) else round(value, 3) for value in (less.mid, less.low, less.high)],
    }


def write(path, found):
    """Adds figures, by cause, to those that are there; the page of all causes is written anew where they are the ones it shows."""
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, **found}, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    if path == pages.MEASURED:
        pages.measured.cache_clear()
        (ROOT / "docs" / "causes.md").write_text(pages.document())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only say what there is, and what it takes")
    parser.add_argument("--pairs", type=int, help="runs of each side (default: the case's own number)")
    parser.add_argument("--to", type=Path, default=pages.MEASURED, metavar="FILE", help="where the figures go (default: what is shown)")
    parser.add_argument("causes", nargs="*", metavar="CAUSE", help="default: all")
    options = parser.parse_args()
    known = {cause for case in CASES for cause in case.causes}
    if unknown := set(options.causes) - known:
        parser.error(f"nothing is measured of {', '.join(sorted(unknown))}; --list says what is")
    wanted = [case for case in CASES if not options.causes or set(case.causes) & set(options.causes)]
    if options.list:
        for case in wanted:
            print(f"{((options.pairs or case.pairs) + 1) * case.seconds:6.0f} s  {', '.join(case.causes)}: {case.words}")
        return
    failed, began = [], time.monotonic()
    for case in wanted:
        print(f"{', '.join(case.causes)}: ", end="", file=sys.stderr, flush=True)
        try:
            found = figures(case, options.pairs or case.pairs)
        except Exception:
            traceback.print_exc()
            failed += case.causes
            continue
        write(options.to, dict.fromkeys(case.causes, found))
        print(pages.in_words(found), flush=True)
    print(f"took {(time.monotonic() - began) / 60:.0f} min", file=sys.stderr)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
