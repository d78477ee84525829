/** Every mode of the commands that change courses or files, and how the effect of each flag shows. */
import type { AnyCommand } from "../../src/command-support/command.ts";
import { create } from "../../src/commands/courses/create.ts";
import { diff } from "../../src/commands/courses/diff.ts";
import { publish, unpublish } from "../../src/commands/courses/publish.ts";
import { pull } from "../../src/commands/courses/pull.ts";
import { push } from "../../src/commands/courses/push/push.ts";
import { rm } from "../../src/commands/courses/rm.ts";
import { update } from "../../src/commands/courses/update.ts";
import { undo } from "../../src/commands/undo.ts";
import { course } from "../rig.ts";
import { workbook } from "../workbooks.ts";
import { ABSENT, id, numberedCourse } from "./helpers.ts";

type Courses = readonly Readonly<Record<string, unknown>>[];

/** A catalog, files and a system in which a run with the flag differs from one without it. */
export interface Scenario {
  /** The flag with its value. */
  readonly flag: readonly string[];
  /** Words that both runs have. */
  readonly words?: readonly string[];
  readonly seeds?: Courses;
  /** The content of files by their names. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** Command lines before both runs. */
  readonly earlier?: readonly (readonly string[])[];
  /** Whether the service rejects what the run sends. */
  readonly rejects?: true;
  /** The answer to the question on a terminal; without it, there is no terminal. */
  readonly answer?: string;
}

/** What is done by default, and in how many ways. */
export interface FlaggedCommand {
  readonly name: string;
  readonly command: AnyCommand;
  /** The words of the command in each mode, besides `--yes`. */
  readonly modes: Readonly<Record<string, readonly string[]>>;
  readonly usual: Omit<Scenario, "flag">;
  /** By the names of the flags. */
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** Pairs of a mode and a flag that are accepted without an effect, with the reason. */
  readonly excused?: Readonly<Record<string, string>>;
}

const IN_SCRIPTS = "scripts pass --yes to every command, and it is right for each";

/** A course as the service has it. */
const remote = (number: number) => numberedCourse(number, { level: ["beginner"] });
const renamed = (number: number) => numberedCourse(number, { name: `Renamed ${number}` });
/** Without an id, and in no catalog. */
const added = (number: number) =>
  course({ name: `Added ${number}`, url: `https://academy.example/added/${number}` });

/** The flags of a record have the same effect everywhere. */
const RECORD: Readonly<Record<string, Scenario>> = {
  record: { flag: ["--record", "record.ndjson"] },
  note: { flag: ["--note", "Why"] },
};
const REPORT: Scenario = { flag: ["--report", "json=report.json"] };

/** What a push plans, and diff shows. */
const PLANNING: Readonly<Record<string, Scenario>> = {
  prune: { flag: ["--prune"] },
  "max-deletes": { flag: ["--max-deletes", "0"] },
  complete: { flag: ["--complete"] },
  provider: { flag: ["--provider", "nobody"] },
  base: { flag: ["--base", "absent"] },
  // Its effects need --base: test/commands/base.test.ts.
  "on-drift": { flag: ["--on-drift", "overwrite"] },
  report: REPORT,
};

const USUAL_FILES: Omit<Scenario, "flag"> = {
  seeds: [1, 2, 3, 4, 5, 6].map(remote),
  files: {
    "c/a.json": [renamed(1), numberedCourse(2), added(1)],
    "c/b.json": [renamed(3), numberedCourse(4), numberedCourse(5), added(2)],
    "p/p.json": [{ id: id(1), name: "New" }],
  },
};
/** Of a workbook another sheet, and of a table another encoding. */
const tables = (one: object, other: object): Readonly<Record<string, Scenario>> => {
  const rows = (each: object) => [Object.keys(each), Object.values(each).map(String)];
  const csv = rows(one).map((row) => `${row.join(";")}\n`);
  return {
    sheet: {
      ...{ flag: ["--sheet", "Other"], earlier: [] },
      files: { "c/c.xlsx": workbook({ One: rows(one), Other: rows(other) }) },
    },
    encoding: {
      ...{ flag: ["--encoding", "utf-16le"], earlier: [] },
      files: { "c/c.csv": Buffer.from(csv.join("")) },
    },
  };
};
const TABLES = tables(added(4), added(5));
/** Two warnings, of different rules, which only a report shows. */
const WARNINGS: Omit<Scenario, "flag"> = {
  words: ["--report", "json=report.json"],
  files: { "c/a.json": [numberedCourse(1, { slug: "mine", approval_status: "approved" })] },
  earlier: [],
};
const MANY = Array.from({ length: 50 }, (_, index) => index + 1);

const PUSH: FlaggedCommand = {
  name: "courses push",
  command: push,
  modes: {
    "without a mode": ["c"],
    "--dry-run": ["c", "--dry-run"],
    "--plan": ["--plan", "plan.json"],
    "--prune": ["c", "--prune"],
    "--complete": ["c", "--complete"],
  },
  usual: { ...USUAL_FILES, earlier: [["courses", "diff", "c", "--prune", "--out", "plan.json"]] },
  scenarios: {
    ...PLANNING,
    ...RECORD,
    ...TABLES,
    "dry-run": { flag: ["--dry-run"] },
    yes: {
      flag: ["--yes"],
      seeds: [...MANY.map(remote), remote(51)],
      files: {
        "c/a.json": MANY.slice(0, 25).map(renamed),
        "c/b.json": MANY.slice(25).map(renamed),
      },
      answer: "n\n",
    },
    "write-ids": { flag: ["--write-ids"] },
    out: { flag: ["--out", "new.json"] },
    plan: { flag: ["--plan", "plan.json"] },
    rule: { ...WARNINGS, flag: ["--rule", "own-slug"] },
    ignore: { ...WARNINGS, flag: ["--ignore", "own-slug"] },
    "max-findings": {
      flag: ["--max-findings", "1"],
      files: { "c/a.json": [1, 2].map((number) => numberedCourse(number, { pace: "slow" })) },
      earlier: [],
    },
  },
  excused: { "--dry-run --yes": IN_SCRIPTS },
};

const DIFF: FlaggedCommand = {
  name: "courses diff",
  command: diff,
  modes: {
    "without a mode": ["c"],
    "--prune": ["c", "--prune"],
    "--complete": ["c", "--complete"],
    "--partial": ["p", "--partial"],
    "--plan": ["--plan", "plan.json"],
  },
  usual: PUSH.usual,
  scenarios: {
    ...PLANNING,
    ...TABLES,
    "exit-code": { flag: ["--exit-code"] },
    partial: {
      flag: ["--partial"],
      files: { "c/a.json": [{ id: id(1), name: "New" }] },
      earlier: [["courses", "diff", "--partial", "c"]],
    },
    out: { flag: ["--out", "new.json"] },
    plan: { flag: ["--plan", "plan.json"] },
  },
  excused: {
    "--drift --prune": "it names courses of other providers, and there are none",
    "--partial --sheet": "both sheets have a course without an id, which is refused before",
    "--partial --encoding": "the table has a course without an id, which is refused before",
  },
};

const PULL: FlaggedCommand = {
  name: "courses pull",
  command: pull,
  modes: {
    "without a mode": ["c"],
    "--dry-run": ["c", "--dry-run"],
    "--prune": ["c", "--prune"],
    "--force": ["c", "--force"],
  },
  usual: {
    seeds: [1, 2, 3].map(remote),
    files: { "c/a.json": renamed(1), "c/gone.json": numberedCourse(9) },
  },
  scenarios: {
    provider: { flag: ["--provider", ABSENT] },
    name: { flag: ["--name", "Course 2"] },
    published: { flag: ["--published", "false"] },
    // Results name the files that would be written.
    format: { flag: ["--format", "json"], words: ["--json"] },
    force: { flag: ["--force"] },
    diff: { flag: ["--diff"] },
    prune: { flag: ["--prune"] },
    "max-deletes": { flag: ["--max-deletes", "0"] },
    yes: { flag: ["--yes"], answer: "n\n" },
    "no-ids": { flag: ["--no-ids"] },
    "dry-run": { flag: ["--dry-run"] },
  },
  excused: { "--dry-run --yes": IN_SCRIPTS, "without a mode --yes": IN_SCRIPTS },
};

const RENAMED = [["courses", "update", id(1), "--name", "New", "--set", "number_of_lessons=7"]];
const UNDO: FlaggedCommand = {
  name: "undo",
  command: undo,
  modes: { "without a mode": [], "--dry-run": ["--dry-run"], "--force": ["--force"] },
  usual: { seeds: [1, 2].map(remote), earlier: RENAMED },
  scenarios: {
    ...RECORD,
    force: {
      flag: ["--force"],
      earlier: [
        ...RENAMED,
        ["api", "PATCH", `developer/v1/courses?id=${id(1)}`, "-d", '{"name":"Again"}'],
      ],
    },
    yes: { flag: ["--yes"] },
    "dry-run": { flag: ["--dry-run"] },
  },
  excused: { "--dry-run --yes": IN_SCRIPTS },
};

const ONE: Omit<Scenario, "flag"> = { seeds: [1, 2].map(remote) };
const RM: FlaggedCommand = {
  name: "courses rm",
  command: rm,
  modes: { "without a mode": [id(1)], "--dry-run": [id(1), "--dry-run"] },
  usual: ONE,
  scenarios: {
    ...RECORD,
    yes: { flag: ["--yes"] },
    "dry-run": { flag: ["--dry-run"] },
    "ignore-not-found": { flag: ["--ignore-not-found"], words: [ABSENT] },
  },
  excused: { "--dry-run --yes": IN_SCRIPTS },
};

/** The flags that change a course. */
const ASSIGNMENTS: Readonly<Record<string, readonly string[]>> = {
  set: ["--set", "number_of_lessons=7"],
  unset: ["--unset", "level"],
  name: ["--name", "Other"],
  url: ["--url", "https://academy.example/other"],
  "short-description": ["--short-description", "Other."],
  "long-description": ["--long-description", "Other."],
  audio: ["--audio", "pt"],
  provider: ["--provider", ABSENT],
  pace: ["--pace", "instructor_paced"],
};

/** Each replaces a value that is wrong in the file, which a dry run shows, too. */
const CORRECTIONS: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(ASSIGNMENTS).map(([name, flag]) => {
    const field = { set: "number_of_lessons", unset: "level" }[name] ?? name.replace("-", "_");
    return [name, { flag, files: { "c/a.json": { ...added(1), [field]: 0 } } }];
  }),
);

const CREATE: FlaggedCommand = {
  name: "courses create",
  command: create,
  modes: { "without a mode": ["c"], "--dry-run": ["c", "--dry-run"] },
  usual: { ...ONE, files: { "c/a.json": { ...added(1), level: ["beginner"] } } },
  scenarios: {
    ...RECORD,
    ...CORRECTIONS,
    ...TABLES,
    provider: { flag: ["--provider", ABSENT] },
    "dry-run": { flag: ["--dry-run"] },
    "skip-existing": { flag: ["--skip-existing"], files: { "c/a.json": [added(1), remote(1)] } },
  },
};

const UPDATE_TABLES = Object.fromEntries(
  Object.entries(tables({ id: id(2), name: "One" }, { id: id(2), name: "Other" })).map(
    ([name, scenario]) => {
      const files = { "c/a.json": { id: id(1), duration_in_hours: 3 }, ...scenario.files };
      const words = Object.keys(scenario.files ?? {});
      return [name, { ...scenario, words, files, seeds: [remote(1), remote(2)] }];
    },
  ),
);

const UPDATE: FlaggedCommand = {
  name: "courses update",
  command: update,
  modes: {
    "without a mode": ["c/a.json"],
    "--dry-run": ["c/a.json", "--dry-run"],
  },
  usual: { ...ONE, files: { "c/a.json": { id: id(1), duration_in_hours: 3 } } },
  scenarios: {
    ...RECORD,
    ...Object.fromEntries(Object.entries(ASSIGNMENTS).map(([name, flag]) => [name, { flag }])),
    ...UPDATE_TABLES,
    yes: {
      flag: ["--yes"],
      seeds: MANY.map(remote),
      files: { "c/a.json": MANY.map((number) => ({ id: id(number), name: `Renamed ${number}` })) },
      answer: "n\n",
    },
    "dry-run": { flag: ["--dry-run"] },
  },
  excused: { "--dry-run --yes": IN_SCRIPTS },
};

const publishing = (name: string, command: AnyCommand, published: boolean): FlaggedCommand => ({
  name: `courses ${name}`,
  command,
  modes: { "without a mode": ["Course 1"], "--dry-run": ["Course 1", "--dry-run"] },
  usual: { seeds: [{ ...remote(1), published: !published }] },
  scenarios: { ...RECORD, yes: { flag: ["--yes"] }, "dry-run": { flag: ["--dry-run"] } },
  excused: { "--dry-run --yes": IN_SCRIPTS },
});

/** The commands with the pairs that are tested. */
export const FLAGGED_COMMANDS: readonly FlaggedCommand[] = [
  ...[PUSH, DIFF, PULL, UNDO, RM, CREATE, UPDATE],
  publishing("publish", publish, true),
  publishing("unpublish", unpublish, false),
];
