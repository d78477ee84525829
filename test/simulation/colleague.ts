/** What a colleague does in a web form, and what else happens while a command runs. */

import { type Change, type Event, FAULTS } from "./history.ts";
import { normalUrl, readCourses } from "./model.ts";
import type { Scene } from "./scene.ts";
import { EDITED, randomCourse, randomId, randomUrl, randomValue, respell } from "./world.ts";

/** What a colleague does: often to the urls that files and runs are about. */
export function colleague(
  { random, courses, paths, plans, files, simulation }: Scene,
  among = courses,
): Change {
  const provider = random.pick(simulation.world.providers);
  const kind = random.weighted({ change: 6, url: 1, add: 2, twin: 0.6, delete: 1.5 });
  const described = paths.flatMap((path) => readCourses(path, files.get(path) ?? "") ?? []);
  const planned = plans.flatMap(
    (path) => (files.get(path) ?? "").match(/(?<="url":")[^"]+/g) ?? [],
  );
  // Urls that plans give, that files have, or that courses had.
  const known = [...planned, ...described.map(({ url }) => String(url)), ...simulation.urls];
  const urls = known.filter((each) => normalUrl(each).startsWith(provider.url));
  const taken = new Set(courses.map((course) => normalUrl(course.url)));
  const free = urls.filter((each) => !taken.has(normalUrl(each)));
  const url =
    random.chance(0.7) && urls.length > 0
      ? random.pick(free.length > 0 && random.chance(0.8) ? free.slice(0, 4) : urls)
      : randomUrl(random, provider);
  if (kind === "add" || among.length === 0)
    return { op: "add", course: { id: randomId(random), ...randomCourse(random, provider, url) } };
  const course = random.pick(random.chance(0.4) ? among.slice(0, 4) : among);
  const id = String(course.id);
  if (kind === "delete") return { op: "delete", id };
  if (kind === "url") {
    const other = random.chance(0.5) ? url : String(course.url);
    return { op: "change", id, fields: { url: respell(random, other) } };
  }
  if (kind === "twin") {
    const more = random.chance(0.6) ? randomCourse(random, provider, url) : {};
    const given = Object.fromEntries(Object.entries(course).filter(([, value]) => value !== null));
    const twin = { id: randomId(random), url: respell(random, String(course.url)) };
    return { op: "add", course: { ...more, ...given, ...twin } };
  }
  const field = random.pick(random.chance(0.4) ? ["name", "short_description", "prices"] : EDITED);
  return { op: "change", id, fields: { [field]: randomValue(random, field) } };
}

/** The requests of commands that make only one kind of change. */
const METHODS: Readonly<Record<string, string>> = {
  create: "POST",
  update: "PATCH",
  publish: "PATCH",
  unpublish: "PATCH",
  rm: "DELETE",
};

/** What happens during a run, to courses that it names if it names some. */
export function chooseEvents(scene: Scene, words: readonly string[]): Event[] {
  const { random, courses } = scene;
  const at = (): string => {
    const method = random.weighted({ POST: 3, PATCH: 3, DELETE: 2, GET: 3 });
    const own = method === "GET" ? undefined : METHODS[words[0] ?? ""];
    return `${own ?? method} ${1 + random.below(3)}`;
  };
  const named = courses.filter(
    ({ id, url }) => words.includes(String(id)) || words.includes(String(url)),
  );
  const change = (): Change => colleague(scene, named.length > 0 ? named : courses);
  const kind = random.weighted(scene.habits.events);
  switch (kind) {
    case "fault": {
      const count = random.pick([1, 1, 2]);
      const faults = Array.from({ length: count }, (): Event => {
        const event = { at: at(), fault: random.pick(FAULTS), times: random.pick([1, 1, 2, 8]) };
        // What is rejected is not repeated, and then nothing is deleted.
        const isHalf = event.at.startsWith("P") && words.includes("--prune");
        return isHalf ? { ...event, fault: "500 hint" } : event;
      });
      return random.chance(0.2) ? [...faults, { at: at(), colleague: change() }] : faults;
    }
    case "colleague":
      return [{ at: at(), colleague: change() }];
    case "list":
      return courses.length > 100 ? moveCourses(scene) : [];
    case "question":
      return courses.length > 0 ? [{ at: "question", colleague: change() }] : [];
    case "signal":
      return [{ at: at(), signal: random.pick(["SIGINT", "SIGTERM", "SIGHUP"] as const) }];
    case "kill":
      return [{ at: at(), kill: true }];
    case "full":
      return [{ at: at(), full: true }];
    default:
      return [];
  }
}

/** Courses that are added or deleted while a long list is read, so that others move to other pages. */
function moveCourses(scene: Scene): Event[] {
  const { random, courses } = scene;
  const first = courses.slice(0, 90);
  const page = 2 + random.below(4);
  return Array.from({ length: random.pick([1, 2, 3]) }, () => ({
    at: `GET ${page}`,
    colleague: random.chance(0.7)
      ? { op: "delete", id: String(random.pick(first).id) }
      : colleague(scene, first),
  }));
}
