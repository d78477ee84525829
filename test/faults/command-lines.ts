/** The command lines of the fault table, with the courses before and after each. */
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { id, numberedCourse } from "../commands/helpers.ts";
import { course } from "../rig.ts";
import type { CommandName } from "./commands.ts";

type Courses = readonly Readonly<Record<string, unknown>>[];

/** A command line and its effect without a fault. */
export interface CommandLine {
  readonly words: readonly string[];
  /** The courses in the service before the run; `TWO_COURSES` by default. */
  readonly before?: Courses;
  /** The course file `a.json`, which no command removes. */
  readonly file?: unknown;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The expected courses after success, compared by these fields only; `before` by default. */
  readonly after?: Courses;
  /** A pattern in one of its outputs after success. */
  readonly shows: RegExp;
  /** A pattern of the path, below the home folder, of the file that it creates on success. */
  readonly makes?: RegExp;
}

/** The courses in the service before most runs. */
export const TWO_COURSES: Courses = [numberedCourse(1), numberedCourse(2)];
const MANY: Courses = Array.from({ length: 101 }, (_, index) => numberedCourse(index + 1));
const NEW = { name: "Knitting", url: "https://academy.example/new" };
const CHANGED = numberedCourse(1, { name: "New" });
const WITH_NEW = [...TWO_COURSES, NEW];
const WITH_CHANGE = [{ ...CHANGED }, numberedCourse(2)];
const WITHOUT_FIRST = [numberedCourse(2)];
const FIRST = id(1);
/** The path of a record of the history, below the home folder. */
export const RECORD = /catalog\/history\/.+\.ndjson$/;

const CREATE: CommandLine = {
  words: ["courses", "create", "a.json"],
  file: course(NEW),
  after: WITH_NEW,
  // A course that another request created meanwhile existed already.
  shows: /Created 1 course|Already up to date: 1 course/,
};
const PUSH_NEW: CommandLine = {
  words: ["courses", "push", "a.json"],
  file: course(NEW),
  after: WITH_NEW,
  // A course that another request created meanwhile is unchanged.
  shows: /(Created|Already up to date:) 1 course\./,
};
const RM: CommandLine = {
  words: ["courses", "rm", "--yes", FIRST],
  after: WITHOUT_FIRST,
  shows: /Deleted 1 course/,
  makes: RECORD,
};

const PUBLISH: CommandLine = {
  words: ["courses", "publish", FIRST],
  before: [numberedCourse(1, { published: false }), numberedCourse(2)],
  after: TWO_COURSES,
  shows: /Updated 1 course/,
};

/** The command line of each command of the table. */
export const COMMAND_LINES: Readonly<Record<CommandName, CommandLine>> = {
  "providers ls": { words: ["providers", "ls"], shows: /Example Academy/i },
  "courses ls --all": {
    // One page at a time, so that the requests before the affected one are known.
    words: ["courses", "ls", "--all", "-o", "id", "--concurrency", "1"],
    before: MANY,
    shows: new RegExp(id(101)),
  },
  "courses get": { words: ["courses", "get", FIRST], shows: /"name": "Course 1"/ },
  "courses pull": { words: ["courses", "pull", "out"], shows: /Wrote 2 files/, makes: /out\// },
  "courses check --online": {
    words: ["courses", "check", "--online", "a.json"],
    file: CHANGED,
    shows: /no problems|0 errors/i,
  },
  "courses rm, while it reads": RM,
  "courses push, while it reads": PUSH_NEW,
  "courses create": CREATE,
  "courses push, of a new course": PUSH_NEW,
  "courses update": {
    words: ["courses", "update", FIRST, "--name", "New"],
    after: WITH_CHANGE,
    shows: /Updated 1 course/,
  },
  "courses publish": PUBLISH,
  "courses rm": RM,
  "courses push --prune": {
    words: ["courses", "push", "--prune", "--yes", "a.json"],
    file: numberedCourse(2),
    after: WITHOUT_FIRST,
    shows: /Deleted 1 course\. 1 was up to date\./,
    makes: RECORD,
  },
  login: {
    words: ["login", "--with-key"],
    input: DEFAULT_KEY,
    environment: { CATALOG_API_KEY: undefined },
    shows: /Saved the key/,
    makes: /catalog\/.+\.(json|yaml)$/,
  },
  status: { words: ["status"], shows: /authenticated\W+yes/ },
  "api GET": { words: ["api", "GET", "developer/v1/courses?limit=5"], shows: new RegExp(FIRST) },
  "api PATCH": {
    words: ["api", "PATCH", `developer/v1/courses?id=${FIRST}`, "-d", '{"name":"New"}'],
    after: WITH_CHANGE,
    shows: /HTTP 20\d/,
  },
  "courses init": {
    words: ["courses", "init", "new.yaml"],
    shows: /Wrote new\.yaml/,
    makes: /new\.yaml$/,
  },
};
