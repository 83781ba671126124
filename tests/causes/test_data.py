"""Causes that keep the first batch waiting."""

from analyse.traces import KERAS, SITE, USER

from firststep.analyse import phases
from firststep.analyse.partition import partition

from .kit import MS, Frame, S, check_found, check_silent, sample, span, start

SHUFFLE = span("data-pipeline", S, S + MS, what="shuffle", buffer_size=5000)


def iterator(*chain):
    return span("data-iterator", 2 * S, 2 * S + MS, chain=list(chain))


def element(seconds, **labels):
    return span("data-first-element", 3 * S, int((3 + seconds) * S), **labels)


def test_slow_first_batch():
    check_silent("slow-first-batch", start(element(0.01)))
    check_found("slow-first-batch", start(element(3)), "3.0 s for the first element", line=7)
    mapped = span("data-function", S, 3 * S, "parse"), span("trace", int(1.5 * S), 3 * S, "Dataset_map_parse")
    made = check_found("slow-first-batch", start(*mapped), "500 ms, 500 ms to make its functions")  # its tracing is the tracing's
    assert not made.boosted and "boost" not in made.do
    begun = span("data-iterator", 2 * S, 3 * S, chain=["TensorSlice", "Map"])
    slow = check_found("slow-first-batch", start(begun, element(0.1)), "1.1 s, 1.0 s to start it, 100 ms")
    assert slow.do == "fewer transformations in it"
    lists = span("data-pipeline", S, 3 * S, "from_tensor_slices", line="/home/me/train.py:4")
    begun = span("data-iterator", 4 * S, 4 * S + 9 * MS)
    check_found("slow-first-batch", start(lists, begun), "2.0 s to put it together", "arrays", line=4)
    worked = [["ParallelMapV2", 2 * S], ["Shuffle", S]]
    check_found("slow-first-batch", start(element(3, worked=worked)), "3.0 s for the first element, most in ParallelMap", line=7)
    for other in ([["ParallelMapV2", S]], "", [[], ["Map"], ["Map", "long"], 7]):
        assert "most" not in check_found("slow-first-batch", start(element(3, worked=other))).evidence.words
    read = check_found("slow-first-batch", start(element(3)))
    assert not read.boosted and "boost" not in read.do


def test_the_pipelines_of_replicas():
    """What Python does for them, in no place that is known by name."""
    divides = Frame(f"{SITE}/tensorflow/python/data/ops/options.py", "with_options", 1, 2)
    seen = [sample(at * 100 * MS, *((USER, divides) if at < 40 else (USER,))) for at in range(1, 101)]
    begun = span("data-iterator", 5 * S, 5 * S + MS)
    for replicas, do in ((4, "fewer replicas"), (1, "prefetch")):
        traced = span("trace", 6 * S, 7 * S, "run", replicas=replicas)
        check_found("slow-first-batch", start(begun, traced, samples=seen), "3.9 s in other parts of it", do)


def test_python_that_a_pipeline_calls_is_named_where_most_of_the_wait_is():
    """Seen on the thread that runs it, while the main thread waits."""
    calls = Frame(f"{SITE}/tensorflow/python/ops/script_ops.py", "FuncRegistry.__call__", 250, 270)
    reads = Frame("/home/me/train.py", "decode", 20, 22)

    def called(*moments):
        return start(element(3), called=tuple((at * 100 * MS, (calls, reads)) for at in moments))

    check_found("slow-first-batch", called(*range(36, 56)), "3.0 s, 2.0 s in Python that it calls", "in each call", line=22)
    check_found("slow-first-batch", called(*range(31, 61), *range(31, 61), *range(80, 90)), "3.0 s, 3.0 s in Python", line=22)
    check_found("slow-first-batch", called(*range(36, 41)), "3.0 s for the first element", line=7)
    libraries = start(element(3), called=tuple((at * 100 * MS, (calls, KERAS)) for at in range(31, 61)))
    check_found("slow-first-batch", libraries, "3.0 s for the first element", line=7)


def test_python_that_a_pipeline_calls_and_that_is_asleep_is_told_from_python_that_works():
    calls = Frame(f"{SITE}/tensorflow/python/ops/script_ops.py", "FuncRegistry.__call__", 250, 270)
    reads = Frame("/home/me/train.py", "connect", 20, 22)
    moments = range(31, 61)

    def working(cpus):
        worked = tuple((at * 100 * MS, int(at * 100 * MS * cpus)) for at in moments)
        return start(element(3), called=tuple((at * 100 * MS, (calls, reads)) for at in moments), worked=worked)

    check_found("slow-first-batch", working(0.02), "2.9 s asleep in Python that it calls", "in a thread", line=22, gain=(1700, 1800))
    check_found("slow-first-batch", working(1), "TensorFlow operations instead", line=22, gain=(1300, 1400))


def test_what_runs_in_an_input_pipelines_own_code_is_the_datas():
    """Keras drops the iterator that it has built a model with, and waits until its pipeline has stopped, where no place is watched."""
    reset = Frame(f"{SITE}/keras/src/trainers/epoch_iterator.py", "EpochIterator.reset", 90, 99)
    op = Frame(f"{SITE}/tensorflow/python/ops/gen_dataset_ops.py", "iterator_get_next_as_optional", 1, 9)
    get = Frame(f"{SITE}/tensorflow/python/data/ops/iterator_ops.py", "OwnedIterator.get_next_as_optional", 450, 455)

    def waiting(*inside):
        seen = [sample(at * 100 * MS, USER, *(inside if 30 < at <= 50 else ()), ran=at * 100 * MS) for at in range(1, 101)]
        return start(iterator("TensorSlice", "Map"), span("fit", 2 * S, 20 * S), samples=seen)

    for stack in ((KERAS, reset), (KERAS, get, op)):
        check_found("slow-first-batch", waiting(*stack), "2.0 s in other parts of it", line=7)
    assert waiting(KERAS, op)(partition).phases[phases.LIBRARIES] == 2 * S  # another's operation
    check_silent("slow-first-batch", waiting(get, op, USER))  # the program's own function, which a pipeline called


def test_a_distributed_pipeline_within_the_first_step_is_as_slow_as_the_one_before():
    """`fit` under a strategy builds the model with a first batch, and makes its pipelines anew for the step."""
    def fitted(seconds):
        chain = ["ReincarnatedPerDeviceGenerator", "Prefetch"]
        built = span("data-iterator", S, S + MS, chain=chain, iterator=1)
        return start(built, span("data-first-element", S + MS, int((1 + seconds) * S), iterator=1),
                     span("data-iterator", 5 * S, 5 * S + MS, chain=chain, iterator=2), span("first-call", 6 * S, 7 * S, "step"))

    check_found("first-execution", fitted(1.5), "kernels, and the first batch")
    check_found("first-execution", fitted(0.01), "kernels are prepared")


def test_shuffle_buffer_fill():
    check_silent("shuffle-buffer-fill", start(SHUFFLE, iterator("TensorSlice", "Shuffle", "Map", "Batch"), element(0.1)))
    check_silent("shuffle-buffer-fill", start(iterator("TensorSlice", "Map", "Batch"), element(3)))
    check_found("shuffle-buffer-fill", start(SHUFFLE, iterator("TensorSlice", "Map", "Shuffle", "Batch"), element(3)),
                "after map", "5,000 elements", "shuffle before map", line=7, confidence="high", gain=(1500, 2850))
    check_found("shuffle-buffer-fill", start(SHUFFLE, iterator("TensorSlice", "Shuffle", "Batch"), element(3)), "a large one",
                confidence="medium")


def test_a_generator_gives_no_elements_that_could_be_shuffled_sooner():
    generated = start(SHUFFLE, iterator("Tensor", "FlatMap", "Shuffle", "Batch"), element(3))
    check_found("shuffle-buffer-fill", generated, "of a generator", "what the generator reads", confidence="medium")
    check_found("shuffle-buffer-fill", start(SHUFFLE, iterator("Tensor", "FlatMap", "Map", "Shuffle"), element(3)), "after map",
                "a smaller buffer, or shuffle before map", confidence="high")
    for seconds, where in ((2, "of a generator"), (0.5, "after map")):
        took = [["Generator", int(seconds * S)], ["MapV2", S], ["FlatMap", S // 100]]
        check_found("shuffle-buffer-fill", start(SHUFFLE, iterator("Tensor", "FlatMap", "Map", "Shuffle"), element(3, worked=took)), where)


def test_cache_fill():
    check_silent("cache-fill", start(iterator("TensorSlice", "Shuffle", "Cache"), element(3)))
    check_found("cache-fill", start(iterator("TensorSlice", "Map", "MemoryCache", "Shuffle"), element(3)), "3.0 s")


def test_the_shuffle_that_is_filled_is_named():
    """`list_files` shuffles names, as many as there are."""
    names, images = (span("data-pipeline", S, S + MS, what="shuffle", buffer_size=size, line=f"/home/me/train.py:{line}")
                     for size, line in (("Tensor", 16), (2000, 18)))
    found = start(names, images, iterator("TensorSlice", "Shuffle", "Map", "Shuffle", "Batch"), element(3))
    check_found("shuffle-buffer-fill", found, "2,000 elements", line=18)


def test_a_cache_before_the_shuffle_is_named_alone():
    """Shuffling first would change nothing of what the cache has to take in; within `fit` the first call waits for it."""
    filled = start(SHUFFLE, iterator("TensorSlice", "Map", "MemoryCache", "Shuffle"), span("first-call", 3 * S, 6 * S, "step"))
    check_found("cache-fill", filled, "3.0 s", line=7)
    check_silent("shuffle-buffer-fill", filled)


def test_what_fills_within_the_first_step_is_not_its_first_execution_as_well():
    first_step = span("first-call", 3 * S, 6 * S, "step")
    for filling in (iterator("TensorSlice", "Map", "MemoryCache", "Shuffle"), iterator("TensorSlice", "Map", "Shuffle", "Batch")):
        check_silent("first-execution", start(SHUFFLE, filling, first_step))
    check_found("first-execution", start(SHUFFLE, iterator("TensorSlice", "Shuffle", "Batch"), first_step))
    check_found("first-execution", start(SHUFFLE, iterator("TensorSlice", "Map", "Shuffle", "Batch"), element(1), first_step))


def test_another_pipelines_first_element_says_nothing_of_the_one_that_fit_waits_for():
    """File names are listed in a loop of the program's own; the images are fetched within the first step."""
    names = span("data-iterator", S, S + MS, chain=["TensorSlice"], iterator=1), span("data-first-element", S + MS, S + 2 * MS, iterator=1)
    images = span("data-iterator", 2 * S, 2 * S + MS, chain=["TensorSlice", "ParallelMap", "Cache", "Shuffle"], iterator=2)
    first_step = span("first-call", 3 * S, 9 * S, "step")
    started = start(SHUFFLE, *names, images, first_step)
    check_found("cache-fill", started, "6.0 s before")
    check_silent("first-execution", started)
    check_silent("oversized-model-for-iteration", started)
    check_found("oversized-model-for-iteration", start(SHUFFLE, *names, first_step))
    unlabelled = [span(one.kind, one.start, one.end, **{name: said for name, said in one.labels.items() if name != "iterator"})
                  for one in (*names, images)]
    check_found("cache-fill", start(SHUFFLE, *unlabelled, first_step), "6.0 s before")  # of an older trace


def test_a_step_of_several_batches_is_not_called_kernels_alone():
    """`steps_per_execution`: the wait for the first batch was seen apart, those for the others were not."""
    made = span("data-iterator", 2 * S, 2 * S + MS, chain=["Generator", "Batch"], iterator=1)
    step = span("first-call", 3 * S, 6 * S, "step"), span("first-execution", 3 * S, 6 * S, "step")
    for labels, what in (({}, "kernels are prepared"), ({"elements": 3}, "kernels, and the first batch")):
        waited = span("data-first-element", 3 * S, 4 * S, iterator=1, **labels)
        check_found("first-execution", start(made, *step, waited), what, "2.0 s of first runs")
        check_found("slow-first-batch", start(made, *step, waited), "1.0 s for the first element")


def test_a_buffer_that_is_filled_for_each_iterator_counts_each_time():
    """A look at the first batch, and then `fit`."""
    chain = ["TensorSlice", "Map", "Shuffle"]
    two = [span("data-iterator", S + at * S, S + at * S + MS, chain=chain, iterator=at) for at in (1, 4)]
    fetched = [span("data-first-element", begin * S, end * S, iterator=which) for begin, end, which in ((3, 5, 1), (6, 9, 4))]
    check_found("shuffle-buffer-fill", start(SHUFFLE, *two, *fetched), "5.0 s before the first, 2 times", gain=(2500, 4750))
    other = span("data-iterator", 5 * S, 5 * S + MS, chain=["TensorSlice", "Batch"], iterator=4)
    check_found("shuffle-buffer-fill", start(SHUFFLE, two[0], other, *fetched), "2.0 s before the first", gain=(1000, 1900))


def test_each_first_element_is_its_own_iterators():
    two = [span("data-iterator", S + at * MS, S + at * MS + MS, chain=chain, iterator=at)
           for at, chain in ((1, ["TensorSlice", "Map", "Shuffle"]), (2, ["TensorSlice", "Batch"]))]
    fetched = [span("data-first-element", int(begin * S), int(end * S), iterator=which) for begin, end, which in ((2, 2.1, 1), (3, 6, 2))]
    check_silent("shuffle-buffer-fill", start(SHUFFLE, *two, *fetched))


def test_the_line_is_that_of_the_transformation():
    """Not that of the loop which waits, nor of whatever else took longest to put into the pipeline."""
    put = [span("data-pipeline", S + n * MS, S + (n + 1) * MS, what=what, buffer_size=5000, line=f"/home/me/data.py:{n}")
           for n, what in enumerate(("constants", "shuffle", "cache"))]
    check_found("shuffle-buffer-fill", start(*put, iterator("TensorSlice", "Map", "Shuffle"), element(3)), line=1)
    check_found("cache-fill", start(*put, iterator("TensorSlice", "Map", "MemoryCache", "Shuffle"), element(3)), line=2)


def test_a_long_first_step_of_fit_is_no_shuffle_of_what_is_at_hand():
    first_call = span("first-call", 3 * S, 6 * S, "__inference_multi_step_4")
    at_hand = iterator("TensorSlice", "Shuffle", "Batch", "Prefetch")
    check_silent("shuffle-buffer-fill", start(SHUFFLE, at_hand, first_call))
    check_found("shuffle-buffer-fill", start(SHUFFLE, iterator("TensorSlice", "Map", "Shuffle", "Batch"), first_call), "after map",
                confidence="medium")
    large = span("data-pipeline", S, S + MS, what="shuffle", buffer_size=100_000)
    check_found("shuffle-buffer-fill", start(large, at_hand, first_call), "a large one", confidence="medium")


def test_embedded_constant_dataset():
    small = span("data-pipeline", S, 3 * S, what="constants", bytes=1000)
    check_silent("embedded-constant-dataset", start(small))
    large = span("data-pipeline", S, 3 * S, what="constants", bytes=900_000_000)
    one = check_found("embedded-constant-dataset", start(large), "900 MB in the pipeline", "2.0 s", "whole batches", line=7)
    assert "from_generator" not in one.do  # element by element it makes each epoch many times as long


def test_a_large_constant_is_no_slow_pipeline_besides():
    """Making the iterator copies it once more."""
    large = span("data-pipeline", S, 3 * S, what="constants", bytes=900_000_000)
    copied = start(large, span("data-iterator", 3 * S, 5 * S, chain=["TensorSlice", "Batch"]))
    check_found("embedded-constant-dataset", copied, "copied in 2.0 s, again for an iterator in 2.0 s", line=7, gain=(2000, 3800))
    check_silent("slow-first-batch", copied)
    check_found("slow-first-batch", start(large, element(3)), "3.0 s for the first element")
    reset = Frame(f"{SITE}/keras/src/trainers/epoch_iterator.py", "EpochIterator.reset", 90, 99)
    seen = [sample(at * 100 * MS, USER, *((KERAS, reset) if 40 < at <= 60 else ()), ran=at * 100 * MS) for at in range(1, 101)]
    check_found("slow-first-batch", start(large, span("fit", 3 * S, 20 * S), samples=seen), "2.0 s in other parts of it")


def asked(at, seconds, thread=7, what="receive", peer="10.0.0.9:443"):
    return span("network", int(at * S), int((at + seconds) * S), what, thread=thread, peer=peer, what=what)


def test_remote_dataset():
    served = iterator("Generator", "Batch")
    check_silent("remote-dataset", start(served, element(3)))
    check_silent("remote-dataset", start(served, element(3), asked(3.1, 0.5)))  # most of it is something else
    check_silent("remote-dataset", start(served, element(3), asked(1, 6)))  # a connection that was open before is another's
    check_silent("remote-dataset", start(served, element(3), asked(3.1, 2.5, what="accept")))  # a server of the program's own
    check_silent("remote-dataset", start(served, element(3), span("network", int(3.1 * S), int(5.6 * S), "receive", thread=7,
                                                                  peer="10.0.0.9:50112", what="receive", served=True)))
    check_silent("remote-dataset", start(served, element(3), asked(3.1, 2.5, thread=1)))  # that is blocked-on-network
    check_silent("remote-dataset", start(served, asked(3.1, 2.5)))
    one = check_found("remote-dataset", start(served, element(3), asked(3.1, 1), asked(4.2, 1), asked(4.3, 0.5)),
                      "2.0 s of 3.0 s", "3 waits for 10.0.0.9:443", "num_parallel_calls", line=7, gain=(1000, 1900))
    assert one.confidence == "medium"


def test_a_remote_data_set_is_waited_for_inside_the_first_call_of_fit():
    inside = start(iterator("Generator", "Batch"), span("first-call", 3 * S, 6 * S, "step"), asked(3.1, 2.5))
    check_found("remote-dataset", inside, "2.5 s of 3.0 s")
