/**
 * string-width in the form that cli-table3 requires. The older copy of cli-table3 measures several scripts differently.
 * cli-table3 measures each cell eight times, mostly in a row, so that the last result is kept.
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
  // Loaded at its first use, because loading takes half as long as a start of Node.js.
  measureWide ??= require("../../node_modules/string-width/index.js").default;
  return measureWide(text);
}
