"""Causes that make imports slow."""

import dataclasses

from analyse.traces import SITE, USER, process, trace

from firststep.analyse.facts import Facts
from firststep.model.trace import Mark

from .kit import LIBRARY, MS, Frame, S, check_found, check_silent, sample, span, start


def modules(number, ms=5, at=1 * S):
    return [span("import", at + index * ms * MS, at + (index + 1) * ms * MS, f"pkg.m{index}") for index in range(number)]


def in_library(first, last):
    return [sample(at * 100 * MS, USER, LIBRARY if first <= at < last else USER) for at in range(1, 101)]


def test_gc_during_startup():
    check_silent("gc-during-startup", start())
    check_silent("gc-during-startup", start(span("gc", 1 * S, 1 * S + 5 * MS, "generation 0")))
    check_found("gc-during-startup", start(span("import", S, 3 * S), span("gc", 1 * S, 2 * S, "generation 2")),
                "1 collection took 1.0 s", gain=(900, 1000), confidence="high")


def collected(*seconds, generation=2, asked=True):
    labels = {"asked": True} if asked else {}
    return [span("gc", at * S, at * S + 500 * MS, f"generation {generation}", **labels) for at in seconds]


def test_gc_in_your_code():
    """Boost neither touches what the program asks for, nor the young objects of its own code."""
    check_silent("gc-in-your-code", start())
    check_silent("gc-in-your-code", start(span("import", S, 4 * S), *collected(2, 3, generation=0, asked=False)))
    check_silent("gc-in-your-code", start(*collected(1, 2, asked=False)))  # full ones that boost keeps off
    check_silent("gc-in-your-code", start(span("gc", S, S + 50 * MS, "generation 2", asked=True)))
    asked = start(*collected(1, 2, 3))
    check_found("gc-in-your-code", asked, "asks for it", "3 collections took 1.5 s", line=7, confidence="high", gain=(1300, 1500))
    check_silent("gc-during-startup", asked)
    check_found("gc-in-your-code", start(*collected(1, 2, generation=0, asked=False)), "your own objects", "2 collections", "arrays",
                line=7, confidence="medium", gain=(300, 1000))
    imports = start(span("import", S // 2, 3 * S), *collected(2), *collected(1, asked=False))
    check_found("gc-in-your-code", imports, "asks for it", "1 collection")
    check_found("gc-during-startup", imports, "1 collection took 500 ms, 500 ms during imports")


def test_full_collections_that_find_garbage_of_the_programs_are_none_that_boost_keeps_off():
    """Its memory would grow without them: there the pause ends."""
    found = start(*(span("gc", at * S, at * S + 500 * MS, "generation 2", collected=70_000) for at in (1, 2)))
    check_silent("gc-during-startup", found)
    check_found("gc-in-your-code", found, "your own objects", "2 collections took 1.0 s", gain=(300, 1000))


def test_a_collection_that_a_librarys_function_asks_for_is_not_the_programs():
    cleared = span("gc", 2 * S, 3 * S, "generation 2", asked=True, by=f"{SITE}/keras/src/backend/common/global_state.py")
    check_silent("gc-in-your-code", start(cleared))
    own = span("gc", 4 * S, 5 * S, "generation 2", asked=True, by=USER.file)
    check_found("gc-in-your-code", start(cleared, own), "asks for it", "1 collection took 1.0 s", line=7)


def test_slow_module_search():
    check_silent("slow-module-search", start(*modules(20)))
    one = check_found("slow-module-search", start(*modules(400)), "400 modules", "most of them pkg's", gain=(600, 1400))
    assert "import-image" in one.remedies and one.boosted
    others = [span("import", 4 * S + index * MS, 4 * S + index * MS + MS // 2, f"p{index}.m") for index in range(401)]
    check_found("slow-module-search", start(*modules(400), *others), "801 modules", ", 400 of them pkg's")


def test_compilation_is_no_search_for_modules():
    found = modules(400)
    compiled_ = [span("compile-source", one.start + MS, one.start + 3 * MS, one.name, why="missing") for one in found]
    check_found("slow-module-search", start(*found, *compiled_), "400 modules took 1.2 s", gain=(480, 720))


def test_slow_library_load():
    check_silent("slow-library-load", start(span("native", S, S + 50 * MS, "/lib/small.so")))
    built = {"build": {"is_cuda_build": True}, "environment": {}}
    big, used = span("native", S, 3 * S, "/lib/big.so", module="big"), span("device-discovery", 4 * S, 5 * S, devices={"CPU": 1, "GPU": 1})
    check_found("slow-library-load", start(big, gpu=built), "big.so 2.0 s", "build without GPU")
    for other in (start(big), start(big, used, gpu=built)):  # another framework's; one that uses its GPU
        assert "without GPU" not in check_found("slow-library-load", other).do
    without = start(span("native", S, 3 * S, "/lib/big.so", module="big"), gpu={"build": {"is_cuda_build": False}, "environment": {}})
    assert "without GPU" not in check_found("slow-library-load", without).do


def test_a_library_took_no_more_than_all_of_them():
    """What its own initialisation imports is imports', and what another thread loads the start does not wait for."""
    imports = span("import", int(1.5 * S), 5 * S, "numpy")
    check_found("slow-library-load", start(span("native", S, 6 * S, "/lib/big.so"), imports), "big.so 1.5 s of 1.5 s")
    beside = span("native", 4 * S, 9 * S, "/lib/other.so", thread=2)
    check_found("slow-library-load", start(span("native", S, 3 * S, "/lib/big.so"), beside), "big.so 2.0 s of 2.0 s")
    check_silent("slow-library-load", start(beside, span("native", S, S + 50 * MS, "/lib/small.so")))


def test_boost_loads_no_other_packages_library_beside_python():
    torch, ours = (span("native", S, 3 * S, f"{SITE}/{file}") for file in ("torch/_C.so", "tensorflow/python/_pywrap.so"))
    one = check_found("slow-library-load", start(torch), "_C.so 2.0 s of 2.0 s", "linking and initialising", "first needed")
    assert not one.boosted and "boost" not in one.do
    assert check_found("slow-library-load", start(ours), "boost loads it").boosted
    alone = start(ours, header={"host": {"machine": "x86_64", "usable_cpus": 1}})
    assert not check_found("slow-library-load", alone, "first needed").boosted


def test_a_library_of_custom_operations_is_no_slow_library_besides():
    custom = span("custom-op-library", 4 * S, 7 * S, "/x/_ops.so")
    check_silent("slow-library-load", start(custom))
    both = start(span("native", S, 3 * S, "/lib/big.so", module="big"), custom)
    check_found("slow-library-load", both, "big.so 2.0 s of 2.0 s, 1 library", gain=(0, 600))
    check_found("custom-op-library", both, "_ops.so, 1 load in 3.0 s", gain=(0, 3000))
    of_its_own = span("custom-op-library", 4 * S, 7 * S, "/v/lib/python3.11/site-packages/tensorflow/lite/_a.so")
    check_found("slow-library-load", start(of_its_own), "_a.so 3.0 s of 3.0 s")


def compiled(why, number=40):
    return [span("import", S, 4 * S, "pkg"),
            *[span("compile-source", S + index * 20 * MS, S + (index + 1) * 20 * MS, f"m{index}", why=why) for index in range(number)]]


def test_missing_bytecode():
    check_silent("missing-bytecode", start(*compiled("missing", 3)))
    check_silent("missing-bytecode", start(*compiled("stale")))
    check_found("missing-bytecode", start(*compiled("missing")), "40 modules compiled", "compileall", gain=(600, 800))


def test_stale_bytecode():
    check_silent("stale-bytecode", start(*compiled("missing")))
    check_found("stale-bytecode", start(*compiled("stale")), "40 modules compiled", "unchecked-hash")


def test_unwritable_bytecode():
    check_silent("unwritable-bytecode", start(*compiled("missing")))
    check_found("unwritable-bytecode", start(*compiled("unwritable")), "40 modules", "PYTHONPYCACHEPREFIX")


def test_bytecode_that_is_switched_off_is_to_be_switched_on():
    off = process(compiled("unwritable"), ready=10 * S)
    off.header["flags"] = "sys.flags(debug=0, dont_write_bytecode=1)"
    found = check_found("unwritable-bytecode", Facts(trace(off, ended=10 * S)), "unset PYTHONDONTWRITEBYTECODE")
    assert "PYTHONPYCACHEPREFIX" not in found.do  # a folder alone would stay empty


def test_unused_heavy_import():
    check_silent("unused-heavy-import", start())
    check_silent("unused-heavy-import", start(span("import", S, 3 * S, "heavy"), samples=in_library(40, 60)))
    check_silent("unused-heavy-import", start(span("import", S, 3 * S, "tensorflow"), span("trace", 4 * S, 5 * S)))
    check_silent("unused-heavy-import", start(span("import", S, 2 * S, "numpy"), span("import", 2 * S, 4 * S, "tensorflow")))
    check_silent("unused-heavy-import", start(span("import", S, 3 * S, "firststep_agent.observe")))
    check_silent("unused-heavy-import", start(span("import", S, 3 * S, "heavy"), ready=3.2))  # too little came after it to tell
    check_found("unused-heavy-import", start(span("import", S, 3 * S, "heavy")), "import heavy took 2.0 s", line=7, confidence="medium")
    torch, there = span("import", S, 3 * S, "torch"), held(torch=("",))
    check_silent("unused-heavy-import", start(torch, **there))
    check_silent("unused-heavy-import", start(torch, header={"unnamed": ["jax"]}, **there))
    check_found("unused-heavy-import", start(torch, header={"unnamed": ["torch"]}, **there), "import torch took 2.0 s", confidence="medium")
    check_silent("unused-heavy-import", start(torch, span("import", 4 * S, 5 * S, "keras"), header={"unnamed": ["torch"]},
                                              **held(torch=("keras",))))  # its backend
    several = start(span("import", S, 2 * S, "plots"), span("import", 2 * S, 4 * S, "heavy"), span("import", 4 * S, int(4.5 * S), "tables"))
    check_found("unused-heavy-import", several, "heavy and 2 more are unused", "3.5 s: heavy 2.0 s, plots 1.0 s, tables 500 ms",
                gain=(2000, 3500))


def test_several_imports_of_one_package_are_told_as_such():
    twice = start(span("import", S, 2 * S, "heavy"), span("import", 2 * S, 4 * S, "heavy.more"))
    check_found("unused-heavy-import", twice, "heavy is not used before ready", "2 imports of heavy took 3.0 s", "import each inside")


def test_what_the_programs_own_package_imports_is_named_and_not_that():
    """Only a file deep within it was met by a sample."""
    def of(file, cwd="/home/me", path=()):
        at_work = [sample(at * 100 * MS, Frame(file, "<module>", 1, 2), ran=at * 100 * MS) for at in range(1, 101)]
        one = start(span("import", S, 3 * S, "proj"), span("import", S, 2 * S, "heavy"), samples=at_work)
        (process,) = one.trace.processes
        there = dataclasses.replace(process, header={**process.header, "cwd": cwd, "path": list(path)})
        return Facts(dataclasses.replace(one.trace, processes=(there,)))

    deep = "/home/me/src/proj/utils/formulas.py"
    for told in (of(deep), of(deep, "/elsewhere", ["/home/me/src"]), of(deep, "/home/me/src/proj/utils", ["/home/me/src"])):
        check_found("unused-heavy-import", told, "heavy is not used before ready", "import heavy took 1.0 s")
    check_found("unused-heavy-import", of("/home/me/train.py"), "proj is not used before ready", "import proj took 2.0 s")


def held(**packages):
    """The mark that tells which packages hold a module; `a__b` is the module `a.b`."""
    rows = [[name.replace("__", "."), list(by)] for name, by in packages.items()]
    return {"marks": (Mark(9 * S, "held-modules", {"holders": rows}),)}


def test_what_others_would_import_anyway_is_no_gain():
    """Keras asks for `tables` as well, after the program: it is there by then, and only what it keeps of it says so."""
    tables, inside = span("import", S, 3 * S, "tables"), span("import", S, 2 * S, "tables.core")
    rest = span("import", 4 * S, 5 * S, "keras")
    check_silent("unused-heavy-import", start(tables, rest, **held(tables=("keras", ""))))
    check_found("unused-heavy-import", start(tables, rest, **held(tables=("", "plots"))), "tables took 2.0 s", gain=(1200, 2000))
    check_silent("unused-heavy-import", start(tables, span("import", int(3.5 * S), 4 * S, "plots", thread=2), **held(tables=("plots",))))
    check_found("unused-heavy-import", start(tables, inside, rest, **held(tables__nothing=("keras",))), "import tables took 2.0 s")
    more = [span("import", S, 3 * S, "tables.more"), span("import", S, 2 * S, "tables"), rest]
    check_found("unused-heavy-import", start(*more, **held(tables=("keras",))), "1.0 s of import tables's 2.0 s, others need the rest",
                gain=(300, 1000))


def test_what_only_unused_libraries_ask_for_goes_with_them():
    plots = [span("import", S, 2 * S, "tables"), span("import", 2 * S, 4 * S, "plots"), span("import", 4 * S, 5 * S, "keras")]
    check_found("unused-heavy-import", start(*plots, **held(tables=("plots",))), "plots 2.0 s, tables 1.0 s", gain=(1800, 3000))
    check_silent("unused-heavy-import", start(*plots, **held(tables=("plots",), plots=("keras",))))


def test_a_trace_that_does_not_tell_who_asks_for_what_promises_nothing_of_what_keras_may_ask_for():
    pandas = span("import", S, 3 * S, "pandas")
    check_silent("unused-heavy-import", start(pandas, span("import", 4 * S, 5 * S, "keras")))
    check_found("unused-heavy-import", start(pandas), "pandas took 2.0 s")


def test_a_library_written_in_c_is_used_at_the_lines_that_name_it():
    """`cv2.imread` has no frame of its own; nor have `a @ b` and the like, which do not name NumPy."""
    opencv, later = span("import", S, 2 * S, "cv2"), Frame("/home/me/train.py", "<module>", 1, 9)
    samples = [sample(at * 100 * MS, USER if at < 25 else later) for at in range(1, 101)]
    for first, then in (("import cv2", "x = cv2.imread(f)"), ("import cv2 as cv", "x = cv.imread(f)"),
                        ("from cv2 import imread as read", "x = read(f)")):
        source = {later.file: {"7": first, "9": then}}
        check_silent("unused-heavy-import", start(opencv, samples=samples, header={"source": source}))
        check_found("unused-heavy-import", start(opencv, samples=samples, header={"source": {later.file: {"7": first, "9": "work(f)"}}}))
    check_silent("unused-heavy-import", start(span("import", S, 2 * S, "numpy"), samples=samples))


def test_optional_imports():
    """Keras imports tables, which somebody installed; the program asks for nothing of it."""
    keras, tables = span("import", S, 4 * S, "keras"), span("import", S, 3 * S, "tables")
    with_keras = held(tables=("keras",))
    one = check_found("optional-imports", start(keras, tables, **with_keras), "tables came along", "tables 2.0 s, with keras",
                      gain=(1400, 2000), confidence="medium")
    assert one.evidence.line.line == 7
    check_silent("optional-imports", start(keras, tables))  # it is not told who asks for what
    check_silent("optional-imports", start(keras, span("import", S, 3 * S, "numpy"), **held(numpy=("keras",))))
    check_silent("optional-imports", start(keras, span("import", S, 3 * S, "json"), **with_keras))
    check_silent("optional-imports", start(keras, span("import", S, S + 20 * MS, "tables"), **with_keras))
    check_silent("optional-imports", start(tables, span("import", 4 * S, 5 * S, "keras"), **with_keras))  # the program's
    check_silent("optional-imports", start(keras, tables, **held(tables=("keras", ""))))
    elsewhere = span("import", 4 * S, 5 * S, "mail")
    check_silent("optional-imports", start(keras, tables, elsewhere, **held(tables=("keras", "mail"))))
    used = [sample(at * 100 * MS, USER, Frame(f"{SITE}/tables/core.py", "work", 1, 5)) for at in range(1, 101)]
    check_silent("optional-imports", start(keras, tables, samples=used, **with_keras))
    plots, inside = span("import", S, 3 * S, "plots"), span("import", S, 2 * S, "tables")  # nothing is told twice
    more = span("import", 3 * S, int(3.5 * S), "tables.io")
    both = start(keras, plots, inside, more, **held(tables=("plots", "keras"), plots=("keras",)))
    check_found("optional-imports", both, "tables and 1 more came along", "2.5 s with keras: tables 1.5 s, plots 1.0 s")


def _with(given, **header):
    return Facts(dataclasses.replace(given.trace, header={**given.trace.header, **header}))


def test_framework_imported_for_nothing():
    tensorflow = span("import", S, 3 * S, "tensorflow")
    check_silent("framework-imported-for-nothing", start(tensorflow))
    check_silent("framework-imported-for-nothing", start(tensorflow, span("trace", 4 * S, 5 * S), ready_kind="exit"))
    check_silent("framework-imported-for-nothing", start(tensorflow, span("session-create", 4 * S, 5 * S), ready=None))
    unnamed = {**held(tensorflow=("keras", "")), "header": {"framework_named": "nowhere"}}
    check_found("framework-imported-for-nothing", start(tensorflow, ready_kind="exit", **unnamed), "took 2.0 s, and none of it ran",
                line=7, gain=(1800, 2000), confidence="high")
    ended = start(tensorflow, ready=None, **unnamed)
    check_found("framework-imported-for-nothing", ended, "tensorflow is unused", confidence="high")
    check_found("framework-imported-for-nothing", _with(ended, exit_code=1), "tensorflow is unused")
    check_silent("framework-imported-for-nothing", _with(ended, exit_code=143))  # before it could use it
    check_silent("framework-imported-for-nothing", _with(ended, lost="the disk is full"))
    check_silent("framework-imported-for-nothing", Facts(dataclasses.replace(ended.trace, cut_short=True)))


def test_a_framework_of_which_no_runtime_is_needed_may_be_used_nevertheless():
    """`tf.io.gfile`, `TFRecordWriter`, `keras.utils`: no hook sees them, and a few milliseconds no sample."""
    tensorflow = span("import", S, 3 * S, "tensorflow")
    alone = held(tensorflow=("keras", ""))
    check_silent("framework-imported-for-nothing", start(tensorflow, ready=None, header={"framework_named": "used"}, **alone))
    maybe = "it may be unused", "import tensorflow took 2.0 s, no graph or data set of it ran"
    for named in ("perhaps", None):
        one = start(tensorflow, ready=None, header={"framework_named": named}, **alone)
        check_found("framework-imported-for-nothing", one, *maybe, confidence="low")
    check_found("framework-imported-for-nothing", start(tensorflow, ready=None, **alone), *maybe, confidence="low")  # an older trace
    nowhere = {"ready": None, "header": {"framework_named": "nowhere"}}
    by_another = start(tensorflow, **nowhere, **held(tensorflow__io=("tensorflow_datasets",)))
    check_found("framework-imported-for-nothing", by_another, *maybe, confidence="low")
    check_found("framework-imported-for-nothing", start(tensorflow, **nowhere), *maybe, confidence="low")  # who has it, nobody told


def test_a_sample_in_which_the_program_calls_a_framework_is_a_use_of_it():
    tensorflow = span("import", S, 3 * S, "tensorflow")
    inside = Frame(f"{SITE}/tensorflow/python/lib/io/tf_record.py", "TFRecordWriter.write", 1, 5)
    alone = {**held(tensorflow=("keras", "")), "header": {"framework_named": "perhaps"}, "ready": None}

    def seen(at, *frames):
        return [sample(tenth * 100 * MS, *(frames if tenth == at else (USER,))) for tenth in range(1, 101)]

    check_silent("framework-imported-for-nothing", start(tensorflow, samples=seen(50, USER, inside), **alone))
    check_found("framework-imported-for-nothing", start(tensorflow, samples=seen(20, USER, inside), **alone))  # while it is imported
    check_found("framework-imported-for-nothing", start(tensorflow, samples=seen(90, inside), **alone))  # as it does at the exit


def test_cold_page_cache():
    imports = span("import", S, 5 * S, "pkg")
    check_silent("cold-page-cache", start(imports))
    disk = [sample(at * 100 * MS, USER, state="D" if 10 < at < 40 else "R", ran=(at if at <= 10 else 10) * 100 * MS)
            for at in range(1, 101)]
    check_found("cold-page-cache", start(imports, samples=disk), "waiting for the disk")
    unseen = [sample(at * 100 * MS, USER, state="R", ran=(at if at <= 10 else 10) * 100 * MS) for at in (*range(1, 11), *range(40, 101))]
    check_silent("cold-page-cache", start(imports, samples=unseen, shortages=((100 * MS, 9, 1, -1), (4 * S, 99, 1, -1))))
    check_found("cold-page-cache", start(imports, samples=unseen, shortages=((100 * MS, 9, 1, -1), (4 * S, 99, 30, -1))),
                "3.0 s of", "waiting for the disk")


def test_slow_interpreter_start():
    check_silent("slow-interpreter-start", start())
    late = {"entered": 800 * MS, "loaded": 801 * MS}
    check_found("slow-interpreter-start", start(**late, header={"pth": [["/x/slow.pth", 600 * MS]]}), "slow.pth 600 ms",
                confidence="high", gain=(550, 750))
    twice = start(**late, header={"pth": [["/x/slow.pth", 300 * MS], ["/x/slow.pth", 320 * MS]]})
    check_found("slow-interpreter-start", twice, "slow.pth 620 ms", confidence="high")
    check_found("slow-interpreter-start", start(**late), "800 ms", confidence="low")
    slower = start(**late, header={"pth": [["/x/slow.pth", 3 * S]]})  # when it was measured again
    check_found("slow-interpreter-start", slower, "took 800 ms to come up, slow.pth 800 ms of it")
    busy = start(**late, header={"pth": [["/x/coverage.pth", 8 * MS]]})
    check_found("slow-interpreter-start", busy, "coverage.pth 8.0 ms of it", confidence="low")


def test_custom_op_library():
    check_silent("custom-op-library", start())
    packages = "/v/lib/python3.11/site-packages"
    check_silent("custom-op-library", start(span("custom-op-library", S, 2 * S, f"{packages}/tensorflow/lite/_a.so")))
    check_found("custom-op-library", start(span("custom-op-library", S, 2 * S, f"{packages}/tensorflow_text/_a.so")), "_a.so")
    check_found("custom-op-library", start(span("custom-op-library", S, 2 * S, "/x/_ops.so")), "_ops.so", line=7)


def test_library_opened_in_vain():
    check_silent("library-opened-in-vain", start(span("native", S, 2 * S, "/lib/good.so")))
    check_found("library-opened-in-vain", start(span("native", S, 2 * S, "libcudart.so.12", failed=True)), "libcudart", line=7,
                gain=(1000, 1000))
