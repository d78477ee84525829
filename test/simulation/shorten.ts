/** Shortens histories that break a promise, and prints them as commands. */

import type { History } from "./history.ts";
import { FIELDS } from "./model.ts";
import { type Played, replay } from "./play.ts";
import type { Violation } from "./promises/run.ts";
import { USUAL } from "./world.ts";

/** What a violation is about, without the values of its history. */
export function kindOf(violation: Violation | undefined): string {
  const text =
    violation === undefined
      ? ""
      : `${violation.promise} | ${violation.how.replace(/:? *[{"[\n].*/s, "")}`;
  const fields = new RegExp(`\\b(${FIELDS.join("|")})\\b`, "g");
  return text
    .replace(/[0-9a-f]{8}-[-0-9a-f]{27}|\w+:\/\/\S+|\w+\/\S+/gi, "…")
    .replace(fields, "…")
    .replace(/…(, …)+/g, "…");
}

const REQUIRED = /^(id|name|url|provider_id|short_description|long_description|audio|pace)$/;

type Path = readonly (string | number)[];

/** The lists and records of a history of which parts may be left out. */
function pathsOf({ world, steps }: History): Path[] {
  const inSteps = steps.flatMap((_, index) =>
    ["events", "probes", "words"].map((name) => ["steps", index, name]),
  );
  const inCourses = world.courses.map((_, index) => ["world", "courses", index]);
  return [["steps"], ["world", "courses"], ["world", "files"], ...inSteps, ...inCourses];
}

function get(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined || value === undefined) return value;
  return get((value as Record<string | number, unknown>)[key], rest);
}

/** The shortest history found that still breaks the same promise: without steps, events, courses, files and freedoms. */
export async function shorten(played: Played, limit = 400): Promise<Played> {
  let best = played;
  let left = limit;
  const attempt = async (path: Path, part: unknown): Promise<void> => {
    if (left-- <= 0) return;
    const history = structuredClone(best.history);
    Object.assign(get(history, path.slice(0, -1)) as object, { [path.at(-1) ?? ""]: part });
    const tried = await replay(history);
    if (kindOf(tried.violation) === kindOf(played.violation)) best = tried;
  };
  const leaveOut = async (path: Path): Promise<void> => {
    const whole = get(best.history, path);
    if (typeof whole !== "object" || whole === null) return;
    const isList = Array.isArray(whole);
    const parts = (): [string, unknown][] => Object.entries(get(best.history, path) as object);
    for (let size = parts().length; size >= 1; size = Math.floor(size / 2)) {
      for (let start = parts().length - size; start > -size; start -= size) {
        const all = parts();
        const kept = all.filter(
          ([name], index) => index < start || index >= start + size || REQUIRED.test(name),
        );
        const part = isList ? kept.map(([, each]) => each) : Object.fromEntries(kept);
        if (kept.length < all.length) await attempt(path, part);
      }
    }
  };
  const measure = (): number => JSON.stringify(best.history).length;
  for (let round = 0, size = Number.POSITIVE_INFINITY; measure() < size && round < 3; round++) {
    size = measure();
    for (const path of pathsOf(best.history)) await leaveOut(path);
    for (const [name, value] of Object.entries(USUAL)) {
      const path = ["world", "freedoms", name];
      if (get(best.history, path) !== value) await attempt(path, value);
    }
  }
  return best;
}

/** A history as a person would type it. */
export function print({ history, violation }: Played): string {
  const { freedoms, courses, files } = history.world;
  const shown =
    courses.length > 20
      ? [...courses.slice(0, 4), `${courses.length - 8} others`, ...courses.slice(-4)]
      : courses;
  const lines = [
    `# The service: ${JSON.stringify(freedoms)}`,
    ...shown.map((course) => `# has ${JSON.stringify(course)}`),
  ];
  const quote = (word: string): string =>
    /^[\w./:=@%~+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const put = (path: string, text: string): string => `cat > ${path} <<'END'\n${text}END`;
  for (const [path, text] of Object.entries(files)) lines.push(put(path, text));
  for (const step of history.steps) {
    if (step.do === "write") lines.push(`# ${step.who}`, put(step.path, step.text));
    else if (step.do === "remove") lines.push(`rm -f ${step.path}  # ${step.who}`);
    else if (step.do === "snapshot") lines.push(`rm -rf base; cp -r courses base  # ${step.who}`);
    else if (step.do !== "run") lines.push(`# ${JSON.stringify(step)}`);
    else {
      const answer = step.answer === undefined ? "" : `, answers ${step.answer}`;
      const events = (step.events ?? [])
        .map((event) => `\n#   at ${JSON.stringify(event)}`)
        .join("");
      const probes = step.probes?.length ? `\n#   and ${step.probes.join(", ")}` : "";
      lines.push(
        `catalog ${step.words.map(quote).join(" ")}  # ${step.who}${answer}${events}${probes}`,
      );
    }
  }
  return `${lines.join("\n")}\n\nBroken: ${violation?.promise ?? "nothing"}\n${violation?.how ?? ""}`;
}
