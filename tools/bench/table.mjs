/** Formats a result as a table. */

const FIGURES = ["median", "min", "max", "ratio"];

/** The title, a line for each row, and the note, with a newline at the end. */
export function tableText({ title, unit, rounds, note, rows, figures: names = FIGURES }) {
  const after = note === undefined ? "" : `${note}\n`;
  if (rows.length === 0) return `${title}\n${after}`;
  const lines = [
    ["", ...names],
    ...rows.map((row) => [row.name, ...names.map((name) => row[name].toFixed(digitsOf(name)))]),
  ];
  const widths = lines[0].map((_, index) => Math.max(...lines.map((line) => line[index].length)));
  const text = lines.map(([name, ...figures]) =>
    [
      name.padEnd(widths[0]),
      ...figures.map((figure, index) => figure.padStart(widths[index + 1])),
    ].join("  "),
  );
  const measured = rounds === undefined ? unit : `${unit}, ${rounds} rounds`;
  return `${title} (${measured})\n${text.join("\n")}\n${after}`;
}

function digitsOf(figure) {
  if (figure === "count") return 0;
  return figure === "ratio" ? 2 : 1;
}
