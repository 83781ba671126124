"""In words, what the key of a function is made of that no entry's is: against the entry that has most in common with it."""

from firststep_agent.as_found import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.key.ingredients import Key

_MOST = 4  # ingredients that are named


def differences(metas: "Iterable[dict[str, Any]]", function: str, key: "Key") -> "list[str]":
    """The names of the ingredients in which the nearest entry of this function's name differs; none where there is no such entry."""
    others = [meta["ingredients"] for meta in metas if meta.get("function") == function and "code" in meta.get("ingredients", ())]
    return min((_differing(key.ingredients, other) for other in others), key=len, default=[])


def words(differs: "list[str]") -> str:
    """A list of ingredients in words."""
    more = f" and {len(differs) - _MOST} more" if len(differs) > _MOST else ""
    differ = "differs" if len(differs) == 1 else "differ"
    return f"no entry has this key: {', '.join(differs[:_MOST])}{more} {differ} from the nearest one's"


def reasons(metas: "Iterable[dict[str, Any]]") -> "Iterator[tuple[str, str, str, float]]":
    """[(function, program, why its newest entry was made, when)], of functions that are asked for before they are traced."""
    functions: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
    for meta in metas:
        if "code" in meta.get("ingredients", ()):
            functions.setdefault((meta.get("function"), meta.get("program")), []).append(meta)
    for (function, program), entries in sorted(functions.items(), key=str):
        newest = max(entries, key=lambda meta: meta["learned"])
        yield function, program, _reason(newest, [meta for each in functions for meta in functions[each] if each[0] == function
                                                  and meta["learned"] < newest["learned"]]), newest["learned"]


def _reason(newest: "dict[str, Any]", earlier: "list[dict[str, Any]]") -> "Any":
    if newest["missed"] is not None:
        return newest["missed"]
    if not earlier:
        return "there was no entry of this name"
    nearest = min(earlier, key=lambda meta: (len(_differing(newest["ingredients"], meta["ingredients"])), -meta["learned"]))
    differs = _differing(newest["ingredients"], nearest["ingredients"])
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(nearest["learned"]))
    return f"{words(differs)} (made {made})" if differs else "what it reads was another"


def _differing(some: "dict[str, str]", others: "dict[str, str]") -> "list[str]":
    return sorted(name for name in {*some, *others} if some.get(name) != others.get(name))
