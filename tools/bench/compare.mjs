/**
 * Compares measurements in interleaved rounds: each round takes every measurement once. So other load on the
 * machine affects all measurements, and ratios are calculated within a round.
 */

/**
 * @param title what is measured
 * @param unit the unit of the measurements
 * @param rounds the number of rounds after one that warms up
 * @param measurements for each a name, a function that takes one measurement, and the goal for its ratio, if it has
 *   one; the first is the baseline
 * @returns the title, the unit, and for each measurement the median and the median of its ratios to the baseline
 */
export async function compare({ title, unit, rounds, measurements }) {
  const measured = measurements.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, { measure }] of measurements.entries()) {
      const figure = await measure();
      if (round >= 0) measured[index].push(figure);
    }
  }
  const rows = measurements.map(({ name, goal }, index) => ({
    name,
    goal,
    median: median(measured[index]),
    ratio: median(measured[index].map((figure, round) => figure / measured[0][round])),
  }));
  return { title, unit, rows };
}

/** The title, and a line for each row. */
export function tableText({ title, unit, rows }) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, median: figure, ratio, goal }) => {
    const expected = goal === undefined ? "" : `  (goal: at most ${goal})`;
    const [shown, compared] = [figure.toFixed(1).padStart(9), ratio.toFixed(2).padStart(6)];
    return `  ${name.padEnd(width)} ${shown} ${unit} ${compared}${expected}\n`;
  });
  return `${title}\n${lines.join("")}`;
}

function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
