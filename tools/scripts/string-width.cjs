/**
 * string-width as cli-table3 requires it; its own, older copy measures several scripts differently.
 * cli-table3 measures each cell eight times, mostly in a row, so the last result is kept.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles and links begin with an escape character
const ESCAPES = /\u001b\[[\d;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;
const NARROW = /^[ -~·–…→●✓✗]*$/;

let last = { text: "", width: 0 };
let measureWide;

module.exports = (text) => {
  if (text !== last.text) last = { text, width: measure(text.replace(ESCAPES, "")) };
  return last.width;
};

function measure(text) {
  if (NARROW.test(text)) return text.length;
  // It takes as long to load as half a start of Node.js.
  measureWide ??= require("../../node_modules/string-width/index.js").default;
  return measureWide(text);
}
