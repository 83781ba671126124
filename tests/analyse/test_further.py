"""What the last span of a line tells of the calls that have none of their own."""

from analyse.traces import process, span
from firststep.analyse.further import calls, each, more_ns
from firststep.analyse.spans import Seen

OF = process()


def seen(start, end, **labels):
    return Seen(OF, span("session-extend", start, end, **labels))


def test_a_span_that_stands_for_several_is_as_many_evenly():
    first, last = seen(100, 110, nodes=10, graph=1), seen(500, 520, nodes=50, graph=1, further=[4, 60])
    assert [(one.span.start, one.span.end, one.span.labels) for one in each([first, last])] == [
        (100, 110, {"nodes": 10, "graph": 1}),
        *[(start, start + 15, {"nodes": nodes, "graph": 1}) for start, nodes in ((200, 20), (300, 30), (400, 40), (500, 50))]]
    assert (calls(first), calls(last), more_ns(first), more_ns(last)) == (1, 4, 0, 40)


def test_a_line_that_was_first_seen_then_has_its_calls_before_its_last():
    assert [one.span.start for one in each([seen(500, 520, further=[3, 60])])] == [460, 480, 500]


def test_what_is_no_such_label_is_one_call_and_no_number_of_a_trace_fills_the_memory():
    assert [calls(seen(0, 10, further=value)) for value in ("x", [1], [0, 5], ["a", 3], None)] == [1, 1, 1, 1, 1]
    assert len(each([seen(10**9, 10**9 + 1, further=[10**15, 10**18])])) == 100_000
