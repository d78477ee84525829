/**
 * string-width for the program and for cli-table3, whose own, older copy measures several scripts
 * differently. It takes as long to load as half a start of Node.js, so it waits for text that is not plain.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles and links begin with an escape character
const ESCAPES = /\u001b\[[\d;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;
const NARROW = /^[ -~·–…→●✓✗]*$/;

/** Measuring a text takes microseconds for each character: the widths of so many are kept. */
const MAX_CACHED = 10_000;
const LONGEST_CACHED = 20;
const cache = new Map();
// cli-table3 measures each cell eight times, mostly in a row.
let last = { text: "", width: 0 };
let measureWide;

module.exports = (styled) => {
  const text = styled.includes("\u001b") ? styled.replace(ESCAPES, "") : styled;
  if (NARROW.test(text)) return text.length;
  if (text.length <= LONGEST_CACHED) return widthOfPart(text);
  if (text !== last.text) last = { text, width: measure(text) };
  return last.width;
};

/** The width of a character, or of a short text. */
function widthOfPart(text) {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const width = measure(text);
  if (cache.size < MAX_CACHED) cache.set(text, width);
  return width;
}

function measure(text) {
  measureWide ??= require("../../node_modules/string-width/index.js").default;
  return measureWide(text);
}
