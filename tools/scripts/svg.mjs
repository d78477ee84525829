/** Draws the screen of a terminal as SVG: text in a dark window. */

const SIZE = 14;
const CELL = { width: 8.4, height: 19 };
const MARGIN = 16;
const BAR = 30;
const FONTS =
  "ui-monospace,'SF Mono',Menlo,'DejaVu Sans Mono','Liberation Mono',Consolas,monospace";
const FOREGROUND = "#e6edf3";
const BACKGROUND = "#0d1117";
const FRAME = "#30363d";
/** The sixteen colors of a terminal, readable on the background. */
const COLORS = [
  ...["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
  ...["#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"],
];
const LIGHTS = ["#ff5f57", "#febc2e", "#28c840"];

/**
 * @param {readonly import("@xterm/headless").IBufferLine[]} rows
 * @param {number} columns
 * @param {string} title the description for screen readers
 * @returns {string} the file
 */
export function screenSvg(rows, columns, title) {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = BAR + rows.length * CELL.height + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${BACKGROUND}" stroke="${FRAME}"/>`,
    ...LIGHTS.map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="16" r="5" fill="${fill}"/>`,
    ),
    `<g font-family="${FONTS}" font-size="${SIZE}" fill="${FOREGROUND}">`,
    ...rows.flatMap((row, index) => line(row, BAR + index * CELL.height + SIZE)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** One row as one text element with its spaces, so that a reader can select and copy the row. */
function line(row, y) {
  const runs = runsOf(row);
  if (runs.length === 0) return [];
  return [`<text y="${y}" xml:space="preserve">${runs.map(run).join("")}</text>`];
}

/** A run of characters with one style, as wide as its cells in any font. */
function run({ text, column, cells, style }) {
  const at = `x="${number(MARGIN + column * CELL.width)}" textLength="${number(cells * CELL.width)}"`;
  return `<tspan ${at}${style}>${escapeXml(text)}</tspan>`;
}

/** The cells of a row up to its last character; neighbors with the same style are one run. */
function runsOf(row) {
  const runs = [];
  const end = row.translateToString(true).length;
  for (let column = 0, length = 0; length < end; column += 1) {
    const cell = row.getCell(column);
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    if (runs.at(-1)?.style !== style) runs.push({ text: "", column, cells: 0, style });
    const last = runs.at(-1);
    const text = cell.getChars() || " ";
    last.text += text;
    last.cells += cell.getWidth();
    length += text.length;
  }
  return runs;
}

function styleOf(cell) {
  return [
    cell.isFgDefault() ? "" : ` fill="${colorOf(cell)}"`,
    cell.isBold() ? ' font-weight="bold"' : "",
    cell.isDim() ? ' fill-opacity=".65"' : "",
    cell.isUnderline() ? ' text-decoration="underline"' : "",
  ].join("");
}

function colorOf(cell) {
  const color = cell.isFgPalette() ? COLORS[cell.getFgColor()] : undefined;
  if (color === undefined) throw new Error("The picture would need more than sixteen colors.");
  return color;
}

function number(value) {
  return String(Math.round(value * 10) / 10);
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
