"""The page in a real browser, without a window: what it draws, how it is used, that it is silent, quick and accessible."""

import gzip
import re
import shutil
from pathlib import Path

import pytest
from analyse.traces import USER, process, sample, span, trace
from profiles.made import MS, export

from firststep.model.read_trace import parse_trace
from firststep.profiles import read_profile
from firststep.report.html.page import page
from firststep.report.load import load
from firststep.report.shared import shared
from report.hostile import hostile

RECORDED = Path(__file__).parents[1] / "traces" / "keras_mlp.trace.gz"
PROFILED = Path(__file__).parents[1] / "profiles" / "recorded"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
SECOND = 1_000_000_000
PATIENCE = 900_000  # milliseconds, however busy the machine is
WIDE, PHONE = {"width": 1400, "height": 1000}, {"width": 390, "height": 844}

if CHROMIUM is None:
    pytest.skip("the page in a browser: no Chromium is installed", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="the page in a browser: playwright is not installed")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE)
        yield running
        running.close()


def boosted():
    return trace(process([span("import", SECOND, 2 * SECOND, "tensorflow")], [sample(2 * SECOND, USER)], ready=2 * SECOND),
                 boost=["import-image"])


def profiled(folder):
    """A real start, a real profile of it by TensorFlow's profiler, and an export of Nsight Systems that was made for it."""
    start = load(PROFILED / "small.trace.gz")
    made = export(folder / "run.sqlite", day=None, clock=start.spawned[0] + 9150 * MS)
    return page([start], profiles=[read_profile(path, start, start.end) for path in (PROFILED / "host.xplane.pb", made)])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """{name: path} of pages."""
    folder = tmp_path_factory.mktemp("pages")
    real = shared(parse_trace(gzip.decompress(RECORDED.read_bytes()).decode("ascii")))
    found = {"real": [real], "two": [real, boosted()], "hostile": [hostile()], "empty": [trace(ended=3 * SECOND)]}
    for name, starts in found.items():
        (folder / f"{name}.html").write_text(page(starts), encoding="utf-8")
    (folder / "profiled.html").write_text(profiled(folder), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in (*found, "profiled")}


@pytest.fixture
def opened(browser, files):
    """opened(name, ...) -> the page; at the end, that it said nothing and asked for nothing but itself."""
    said, contexts = [], []

    def open_(name, viewport=WIDE, **options):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        shown = context.new_page()
        shown.on("console", lambda message: said.append(message.text))
        shown.on("pageerror", lambda error: said.append(str(error)))
        shown.on("dialog", lambda dialog: said.append(f"dialog {dialog.message}"))
        shown.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
        shown.goto(files[name].as_uri())
        return shown

    yield open_
    for context in contexts:
        context.close()
    assert said == []


def state(shown, of):
    """What the page says there."""
    return shown.inner_text(of)


def drawn(shown, figure):
    """How many pixels of a chart are not empty."""
    return shown.evaluate("""(figure) => {
        const canvas = document.querySelector(figure + " canvas");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let place = 3; place < data.length; place += 4) count += data[place] > 0;
        return count;
    }""", figure)


def settled(shown):
    """Two frames later, all that was asked for is drawn."""
    shown.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize(("name", "scheme", "viewport"), [
    ("real", "light", WIDE), ("real", "dark", PHONE), ("two", "dark", WIDE), ("two", "light", PHONE), ("hostile", "light", PHONE),
    ("empty", "dark", WIDE), ("profiled", "dark", PHONE)], ids=str)
def test_a_page_is_accessible_silent_and_no_wider_than_the_screen(opened, name, scheme, viewport):
    axe = pytest.importorskip("axe_playwright_python.base", reason="accessibility: axe-playwright-python is not installed")
    shown = opened(name, viewport, color_scheme=scheme)
    settled(shown)
    shown.evaluate(Path(axe.__file__).with_name("axe.min.js").read_text())
    found = shown.evaluate("axe.run()")["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_every_chart_is_drawn(opened):
    shown = opened("real")
    settled(shown)
    assert all(drawn(shown, f"figure.{kind}") > 1000 for kind in ("timeline", "flame", "packages"))


def test_what_another_profiler_saw_is_drawn_and_can_be_searched(opened):
    shown = opened("profiled")
    assert "on a GPU" in state(shown, ".legend")
    shown.keyboard.press("/")
    shown.keyboard.type("sm90_gemm")
    assert state(shown, "#found").startswith("2 spans")
    shown.keyboard.press("Enter")
    settled(shown)
    said = state(shown, "figure.timeline output")
    assert "sm90_gemm" in said and "GPU kernel" in said and "Nsight Systems: GPU 0, stream 7" in said


def test_a_search_counts_and_is_cleared(opened):
    shown = opened("real")
    shown.keyboard.press("/")
    shown.keyboard.type("keras")
    spans = int(re.match(r"([\d,]+) spans", state(shown, "#found"))[1].replace(",", ""))
    assert spans > 100
    shown.keyboard.press("Enter")
    assert "keras" in state(shown, "figure.timeline .said")
    shown.focus("#search")
    shown.keyboard.press("Escape")
    assert state(shown, "#found") == ""


def test_the_keyboard_goes_from_span_to_span_and_zooms(opened):
    shown = opened("real")
    shown.focus("figure.timeline canvas")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        shown.keyboard.press(key)
        seen.append(state(shown, "figure.timeline .said"))
    assert seen[0] == seen[2] != seen[1]
    settled(shown)
    shown.click("figure.timeline canvas", position={"x": 700, "y": 90})
    settled(shown)
    outer = state(shown, "figure.timeline .said")
    shown.keyboard.press("ArrowDown")
    assert state(shown, "figure.timeline .said") != outer
    shown.keyboard.press("ArrowUp")
    assert state(shown, "figure.timeline .said") == outer
    settled(shown)
    before = shown.evaluate("document.querySelector('figure.timeline canvas').toDataURL()")
    shown.keyboard.press("Enter")
    settled(shown)
    assert shown.evaluate("document.querySelector('figure.timeline canvas').toDataURL()") != before
    shown.keyboard.press("Escape")
    assert state(shown, "figure.timeline .said") == ""


def test_the_keyboard_goes_through_the_trees(opened):
    shown = opened("real")
    for figure in ("figure.flame", "figure.packages"):
        shown.focus(f"{figure} canvas")
        shown.keyboard.press("ArrowDown")
        first = state(shown, f"{figure} .said")
        shown.keyboard.press("ArrowDown")
        assert state(shown, f"{figure} .said") != first
        shown.keyboard.press("Enter")
        shown.keyboard.press("Escape")


def test_a_pointer_over_a_span_tells_about_it(opened):
    shown = opened("real")
    shown.locator("#timeline").scroll_into_view_if_needed()
    shown.hover("figure.timeline canvas", position={"x": 700, "y": 90})
    tip = shown.inner_text("#tip")
    assert "tensorflow" in tip and "import" in tip
    shown.mouse.move(5, 5)
    assert shown.locator("#tip").is_hidden()


def test_dragging_moves_and_a_double_click_fills(opened):
    shown = opened("real")
    canvas = shown.locator("figure.timeline canvas")
    canvas.scroll_into_view_if_needed()
    settled(shown)
    whole = canvas.evaluate("(canvas) => canvas.toDataURL()")
    canvas.dblclick(position={"x": 1200, "y": 130})
    settled(shown)
    zoomed = canvas.evaluate("(canvas) => canvas.toDataURL()")
    assert zoomed != whole
    box = canvas.bounding_box()
    shown.mouse.move(box["x"] + 600, box["y"] + 100)
    shown.mouse.down()
    shown.mouse.move(box["x"] + 300, box["y"] + 100, steps=4)
    shown.mouse.up()
    settled(shown)
    assert canvas.evaluate("(canvas) => canvas.toDataURL()") != zoomed
    shown.click("[data-zoom=all]")


def test_a_findings_evidence_is_marked_in_the_timeline(opened):
    shown = opened("real")
    settled(shown)
    plain = shown.evaluate("document.querySelector('figure.timeline canvas').toDataURL()")
    button = shown.locator("button.show").nth(1)
    button.click()
    settled(shown)
    assert button.get_attribute("aria-pressed") == "true"
    assert state(shown, "figure.timeline .said").startswith("Highlighted: slow-module-search")
    assert shown.evaluate("document.querySelector('figure.timeline canvas').toDataURL()") != plain
    shown.click("#clear")
    assert button.get_attribute("aria-pressed") == "false" and shown.locator("#clear").is_hidden()


def test_a_heading_sorts_its_table(opened):
    shown = opened("real")
    table = "#table0-variables table"
    heading = shown.locator(f"{table} th", has_text="bytes")
    for _ in range(2):
        heading.locator("button").click()
        order = heading.get_attribute("aria-sort")
        keys = shown.locator(f"{table} tbody").evaluate("(body) => [...body.rows].map((row) => +row.cells[3].dataset.key)")
        assert keys == sorted(keys, reverse=order == "descending") and len(set(keys)) > 2
    shown.locator(f"{table} th").first.locator("button").click()
    names = shown.locator(f"{table} tbody td:first-child").all_inner_texts()
    assert names == sorted(names, key=str.casefold) or len(names) > 2 and names[0] <= names[-1]


def test_libraries_fold_and_unfold(opened):
    shown = opened("real")
    folded = shown.evaluate("document.querySelector('figure.flame .space').style.height")
    shown.uncheck("#fold")
    settled(shown)
    assert int(shown.evaluate("document.querySelector('figure.flame .space').style.height")[:-2]) > int(folded[:-2])


def test_the_theme_can_be_chosen(opened):
    shown = opened("real", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = shown.evaluate(ground)
    shown.click("#theme")
    assert shown.evaluate(ground) == light
    shown.click("#theme")
    assert shown.evaluate(ground) != light


def test_a_link_from_the_text_opens_what_it_leads_to(opened):
    shown = opened("real")
    shown.locator("a[href='#table0-packages']").click()
    shown.wait_for_selector("#table0-packages[open]", state="attached")


def test_a_printed_page_is_dark_on_light_without_controls(opened):
    shown = opened("real", color_scheme="dark")
    shown.emulate_media(media="print")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.locator(".tools").first.is_hidden() and shown.locator("header").is_hidden()
    assert shown.pdf().startswith(b"%PDF")


def test_a_page_without_its_script_still_tells_the_findings(opened):
    shown = opened("real", java_script_enabled=False)
    assert "slow-module-search" in shown.inner_text("main") and "imports" in shown.inner_text(".phases")
    assert shown.locator(".tools").first.is_hidden()


def test_two_starts_share_one_time_axis(opened):
    shown = opened("two")
    settled(shown)
    assert shown.locator("figure.timeline").count() == 2
    second = "document.querySelectorAll('figure.timeline canvas')[1].toDataURL()"
    before = shown.evaluate(second)
    shown.click("[data-zoom=in]")
    settled(shown)
    assert shown.evaluate(second) != before


@pytest.mark.suite
def test_the_first_paint_is_quick(opened):
    """The best of five: another program's work is no slowness of the page."""
    times = []
    for _ in range(5):
        shown = opened("real")
        settled(shown)
        times.append(shown.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    assert min(times) <= 1000


def test_hostile_words_do_nothing(opened):
    shown = opened("hostile")
    settled(shown)
    shown.focus("figure.timeline canvas")
    shown.keyboard.press("ArrowRight")
    shown.fill("#search", "<script>")
    for button in shown.locator("button.show").all():
        button.click()
    for heading in shown.locator("th button").all():
        if heading.is_visible():
            heading.click()
    assert shown.evaluate("document.querySelectorAll('script').length") == 2
    assert shown.title().startswith("firststep: ")
