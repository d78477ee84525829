/** Chooses the next step of a history, from the files and the catalog as they are. */
import { parseAllDocuments } from "yaml";
import { type Course, normalUrl, readCourses } from "./model.ts";
import { commandOf } from "./promises.ts";
import {
  type Change,
  type Event,
  FAULTS,
  type Person,
  type Probe,
  type RunStep,
  type Simulation,
  type Step,
} from "./simulation.ts";
import {
  describe,
  EDITED,
  PROVIDERS,
  type Random,
  randomCourse,
  randomId,
  randomUrl,
  randomValue,
  respell,
  writeCourses,
} from "./world.ts";

/** What a person has, from which a step is chosen. */
interface Scene {
  readonly random: Random;
  readonly habits: Habits;
  readonly who: Person;
  readonly files: ReadonlyMap<string, string>;
  /** The paths of course files, without those of the base. */
  readonly paths: readonly string[];
  readonly courses: readonly Course[];
  /** How many steps there were, for names of new files. */
  readonly count: number;
  readonly simulation: Simulation;
}

/** How often something is chosen. */
type Weights = Readonly<Record<string, number>>;

/** What the people of one history often do: other histories have other habits, so that rare steps meet often. */
export interface Habits {
  readonly steps: Weights;
  readonly runs: Weights;
  readonly events: Weights;
}

const STEPS = { edit: 24, add: 10, remove: 4, colleague: 10, run: 60, cell: 8, snapshot: 3 };
const EVENTS = { none: 55, fault: 22, colleague: 14, signal: 4, kill: 4, full: 2 };

export function randomHabits(random: Random): Habits {
  const some = (weights: Weights): Weights =>
    Object.fromEntries(
      Object.entries(weights).map(([name, weight]) => [
        name,
        random.chance(0.35) ? weight * 4 : weight / 4,
      ]),
    );
  return {
    steps: { ...some(STEPS), run: 60 },
    runs: some(RUNS),
    events: { ...some(EVENTS), none: random.pick([10, 55, 300]) },
  };
}

/** The next step. @param last the exit code of the last run: a refused push is often repaired */
export function chooseStep(
  random: Random,
  habits: Habits,
  simulation: Simulation,
  count: number,
  last: unknown,
): Step {
  const who = random.weighted({ ada: 6, ben: 2, ci: 1 }) as Person;
  const files = simulation.files(who);
  const paths = [...files.keys()].filter((path) =>
    /^courses\/.*\.(yaml|json|ndjson|csv)$/.test(path),
  );
  const courses = [...simulation.courses().values()];
  const scene: Scene = { random, habits, who, files, paths, courses, count, simulation };
  if (last === 3 && random.chance(0.5))
    return { do: "remove", who, path: paths.at(-1) ?? "courses/none.yaml" };
  const kind = random.weighted(habits.steps);
  if (kind === "edit" && paths.length > 0) return editFile(scene);
  if (kind === "add") return addFile(scene);
  if (kind === "remove" && paths.length > 0) return { do: "remove", who, path: random.pick(paths) };
  if (kind === "colleague") return { do: "colleague", change: colleague(scene) };
  if (kind === "snapshot" && paths.length > 0) return { do: "snapshot", who };
  const books = [...files.keys()].filter((path) => /^\w+\.xlsx$/.test(path));
  const plans = [...files.keys()].filter((path) => /^plan\d+\.ndjson$/.test(path));
  if (kind === "cell" && books.length > 0 && courses.length > 0)
    return editCell(scene, random.pick(books));
  if (kind === "cell" && plans.length > 0)
    return { do: "drop", who, path: random.pick(plans), line: 1 + random.below(3) };
  return chooseRun(scene, books, plans);
}

function editCell({ random, who, courses }: Scene, path: string): Step {
  const column = random.pick(["name", "short_description", "prices[0].price"]);
  const value =
    column === "prices[0].price" ? `${random.below(3) + 10}.50` : `Cell ${random.below(3)}`;
  return { do: "cell", who, path, id: String(random.pick(courses.slice(0, 3)).id), column, value };
}

/** Changes a value of a course of a file; comments and everything else stay. */
function editFile({ random, who, files, paths }: Scene): Step {
  const path = random.pick(paths);
  const text = files.get(path) ?? "";
  const courses = readCourses(path, text) ?? [];
  const index = random.below(Math.max(1, courses.length));
  const old = courses[index];
  if (old === undefined) return { do: "remove", who, path };
  const provider =
    PROVIDERS.find(({ slug, id }) => slug === old.provider || id === old.provider_id) ??
    PROVIDERS[0];
  const field = random.chance(0.15) && provider !== undefined ? "url" : random.pick(EDITED);
  const value =
    field === "url" && provider !== undefined
      ? respell(random, random.chance(0.5) ? String(old.url) : randomUrl(random, provider))
      : randomValue(random, field);
  if (path.endsWith(".yaml")) {
    const documents = parseAllDocuments(text);
    if (documents.length === courses.length) {
      documents[index]?.set(field, value);
      return { do: "write", who, path, text: documents.map(String).join("") };
    }
  }
  courses[index] = { ...old, [field]: value };
  return { do: "write", who, path, text: writeCourses(random, path, courses) };
}

/** A new file: a new course, one of the catalog, or one of another file under another spelling of its url. */
function addFile(scene: Scene): Step {
  const { random, who, paths, files, courses, count, simulation } = scene;
  const provider = random.pick(simulation.world.providers);
  const extension = random.pick(["yaml", "yaml", "json", "csv", "ndjson"]);
  const path = `courses/n${count}.${extension}`;
  const make = (): Course => {
    const kind = random.weighted({ new: 5, catalog: 4, again: 1.5 });
    const how = random.pick(["id", "url", "url", "key"] as const);
    const [twin] =
      paths.length === 0
        ? []
        : (readCourses(random.pick(paths), files.get(random.pick(paths)) ?? "") ?? []);
    if (kind === "again" && twin !== undefined)
      return {
        ...twin,
        id: undefined,
        key: undefined,
        name: "Again",
        url: respell(random, String(twin.url)),
      };
    if (kind === "catalog" && courses.length > 0) {
      const course = random.pick(courses);
      return describe(
        random,
        random.chance(0.5) ? course : { ...course, url: respell(random, String(course.url)) },
        how,
      );
    }
    return describe(
      random,
      randomCourse(random, provider, respell(random, randomUrl(random, provider))),
      how === "id" ? "url" : how,
    );
  };
  const made = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, make);
  const plain: Course[] = made.map((course) => JSON.parse(JSON.stringify(course)));
  return { do: "write", who, path, text: writeCourses(random, path, plain) };
}

/** What a colleague does: often to the urls that files and runs are about. */
function colleague({ random, courses, paths, files, simulation }: Scene, among = courses): Change {
  const provider = random.pick(simulation.world.providers);
  const kind = random.weighted({ change: 5, url: 1, add: 2, twin: 1, delete: 2 });
  const described = paths.flatMap((path) => readCourses(path, files.get(path) ?? "") ?? []);
  // Urls that files have, or that courses had.
  const urls = [...described.map(({ url }) => String(url)), ...simulation.urls].filter((each) =>
    normalUrl(each).startsWith(provider.url),
  );
  const url =
    random.chance(0.7) && urls.length > 0 ? random.pick(urls) : randomUrl(random, provider);
  if (kind === "add" || among.length === 0)
    return { op: "add", course: { id: randomId(random), ...randomCourse(random, provider, url) } };
  const course = random.pick(among);
  const id = String(course.id);
  if (kind === "delete") return { op: "delete", id };
  if (kind === "url")
    return {
      op: "change",
      id,
      fields: { url: respell(random, random.chance(0.5) ? url : String(course.url)) },
    };
  if (kind === "twin") {
    const more = random.chance(0.6) ? randomCourse(random, provider, url) : {};
    const given = Object.fromEntries(Object.entries(course).filter(([, value]) => value !== null));
    return {
      op: "add",
      course: { ...more, ...given, id: randomId(random), url: respell(random, String(course.url)) },
    };
  }
  const field = random.pick(EDITED);
  return { op: "change", id, fields: { [field]: randomValue(random, field) } };
}

/** What happens during a run. */
function chooseEvents(scene: Scene, words: readonly string[]): Event[] {
  const { random, courses } = scene;
  const at = (): string =>
    `${random.weighted({ POST: 3, PATCH: 3, DELETE: 2, GET: 3 })} ${1 + random.below(3)}`;
  const kind = random.weighted(scene.habits.events);
  // Courses move to other pages while a long list is read.
  if (courses.length > 100 && random.chance(0.4)) {
    const first = courses.slice(0, 90);
    const change: Change = random.chance(0.6)
      ? { op: "delete", id: String(random.pick(first).id) }
      : colleague(scene, first);
    return [{ at: `GET ${2 + random.below(3)}`, colleague: change }];
  }
  if (kind === "fault") {
    const faults = Array.from(
      { length: random.pick([1, 1, 2]) },
      (): Event => ({ at: at(), fault: random.pick(FAULTS), times: random.pick([1, 1, 2, 8]) }),
    );
    return random.chance(0.2) ? [...faults, { at: at(), colleague: colleague(scene) }] : faults;
  }
  const named = courses.filter(
    ({ id, url }) => words.includes(String(id)) || words.includes(String(url)),
  );
  if (kind === "colleague")
    return [{ at: at(), colleague: colleague(scene, named.length > 0 ? named : courses) }];
  if (kind === "signal")
    return [{ at: at(), signal: random.pick(["SIGINT", "SIGTERM", "SIGHUP"] as const) }];
  if (kind === "kill") return [{ at: at(), kill: true }];
  return kind === "full" ? [{ at: at(), full: true }] : [];
}

const RUNS = {
  push: 30,
  prune: 10,
  complete: 4,
  base: 7,
  plan: 4,
  apply: 8,
  create: 6,
  createFlags: 3,
  update: 5,
  updateFile: 2,
  publish: 2,
  rm: 6,
  undo: 9,
  undoNamed: 4,
  pull: 4,
  pullFresh: 2,
  pullForce: 3,
  pullBase: 2,
  writeIds: 3,
  fix: 2,
  export: 1.2,
  book: 5,
  import: 2,
  diff: 2,
  status: 0.5,
};

function chooseRun(scene: Scene, books: readonly string[], plans: readonly string[]): RunStep {
  const { random, who, files, paths, courses, count } = scene;
  const kind = random.weighted(scene.habits.runs);
  const path = paths.length > 0 && random.chance(0.25) ? random.pick(paths) : "courses";
  const course =
    courses.length > 0
      ? random.pick(courses)
      : { id: randomId(random), url: "https://alpha.example/bread" };
  const name = random.pick([
    String(course.id),
    String(course.url),
    respell(random, String(course.url)),
  ]);
  const drift = random.pick([[], [], ["--on-drift", "keep"], ["--on-drift", "overwrite"]]);
  const bases = [...files.keys()].some((each) => each.startsWith("base/"))
    ? ["--base", "base"]
    : [];
  const prune = random.chance(0.4) ? ["--prune", "--yes", "--max-deletes", "100%"] : [];
  const words = ((): string[] => {
    switch (kind) {
      case "prune":
        return [
          "push",
          path,
          "--prune",
          "--yes",
          "--max-deletes",
          random.pick(["100%", "100%", "1"]),
        ];
      case "complete":
        return ["push", path, "--complete"];
      case "base":
        return ["push", path, ...bases, ...(bases.length > 0 ? drift : []), ...prune];
      case "plan":
        return [
          "diff",
          path,
          "--out",
          `plan${count}.ndjson`,
          ...prune.slice(0, 1),
          ...prune.slice(2),
        ];
      case "apply":
        return plans.length > 0 ? ["push", "--plan", random.pick(plans), "--yes"] : ["push", path];
      case "create":
        return ["create", paths.length > 0 ? random.pick(paths) : path];
      case "createFlags":
        return [
          "create",
          "--name",
          "By flags",
          "--url",
          name.includes("://") ? name : randomUrl(random, PROVIDERS[0] ?? random.pick(PROVIDERS)),
          "--short-description",
          "S",
          "--long-description",
          "L",
          "--audio",
          "en",
          "--provider",
          "alpha",
          "--pace",
          "self_paced",
        ];
      case "update": {
        const field = random.pick([
          "name",
          "short_description",
          "url",
          "image_url",
          "number_of_lessons",
        ]);
        const value =
          field === "url"
            ? respell(random, randomUrl(random, PROVIDERS[0] ?? random.pick(PROVIDERS)))
            : field === "image_url"
              ? "https://img.example/9.png"
              : field === "number_of_lessons"
                ? "4"
                : `Set ${random.below(5)}`;
        return ["update", name, "--set", `${field}=${value}`];
      }
      case "updateFile":
        return ["update", paths.length > 0 ? random.pick(paths) : path];
      case "publish":
        return [random.pick(["publish", "unpublish"]), name];
      case "rm":
        return ["rm", name, "--yes"];
      case "undo":
        return ["undo", "--yes"];
      case "undoNamed":
        return [
          "undo",
          `$run${1 + random.below(3)}`,
          "--yes",
          ...(random.chance(0.3) ? ["--force"] : []),
        ];
      case "pull":
        return ["pull", "courses"];
      case "pullFresh":
        return [
          "pull",
          `pulled${count}`,
          ...random.pick([
            [],
            [],
            ["--format", "json"],
            ["--format", "csv"],
            ["--format", "ndjson"],
          ]),
        ];
      case "pullForce":
        return [
          "pull",
          "courses",
          "--force",
          ...(random.chance(0.5) ? ["--prune", "--yes", "--max-deletes", "100%"] : []),
        ];
      case "pullBase":
        return ["pull", "courses", ...bases];
      case "writeIds":
        return ["push", path, "--write-ids"];
      case "fix":
        return ["check", path, "--fix"];
      case "export":
        return ["ls", "--all", "--out", `book${count}.xlsx`];
      case "book":
        return books.length > 0
          ? [random.pick(["push", "push", "update"]), random.pick(books), ...drift]
          : ["push", path];
      case "import":
        return ["import", paths.find((each) => each.endsWith(".csv")) ?? path, "--out", "courses"];
      case "diff":
        return ["diff", path, ...prune.slice(0, 1)];
      case "status":
        return ["ls", "--all"];
      default:
        return ["push", path];
    }
  })();
  const full = words[0] === "undo" ? words : ["courses", ...words];
  const isAsked = who !== "ci" && words.includes("--yes") && random.chance(0.25);
  const typed = isAsked ? full.filter((word) => word !== "--yes") : [...full];
  const command = commandOf(full);
  const changes = ["push", "create", "update", "rm", "publish", "unpublish", "undo"].includes(
    command,
  );
  if (random.chance(0.3)) typed.push("--concurrency", "1");
  if (changes && random.chance(0.05)) typed.push("--record", `record${count}.ndjson`);
  if (changes && random.chance(0.05)) typed.push("--dry-run");
  if (command !== "ls" && random.chance(0.9)) typed.push("--json");
  const events = chooseEvents(scene, words);
  if (isAsked && random.chance(0.3)) events.push({ at: "question", colleague: colleague(scene) });
  const probes: Probe[] = [];
  if (changes && random.chance(0.35)) probes.push("shown");
  if (command === "push" && random.chance(0.35)) probes.push("again");
  if (changes && command !== "undo" && random.chance(0.35)) probes.push("undone");
  const run = { do: "run", who, words: typed, ...(isAsked ? { answer: "yes" } : {}) } as const;
  return {
    ...run,
    ...(events.length > 0 ? { events } : {}),
    ...(probes.length > 0 ? { probes } : {}),
  };
}
