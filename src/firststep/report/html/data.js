// The data of the page, and how numbers read.
const DATA = JSON.parse(document.getElementById("data").textContent);
const TEXT = DATA.strings;

/** Microseconds as people say them: 0.4 ms, 12 ms, 1.6 s. */
function duration(us) {
  if (us < 10000) return (us / 1000).toFixed(1) + " ms";
  if (us < 1e6) return (us / 1000).toFixed(0) + " ms";
  if (us < 120e6) return (us / 1e6).toFixed(us < 10e6 ? 2 : 1) + " s";
  return Math.floor(us / 60e6) + " min " + Math.floor(us / 1e6 % 60) + " s";
}

function share(us, whole) {
  return whole ? (100 * us / whole).toFixed(us * 10 < whole ? 1 : 0) + "%" : "";
}

/** An element with its text; text is never markup. */
function element(name, classes, text) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}
