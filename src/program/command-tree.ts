/** Every command by name: the one source of parsing, help and completion. */
import type { AnyCommand } from "../cli/command.ts";

/** Loads the code of each command, when its words are on the command line and not before. */
const LOADERS: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  sandbox: async () => (await import("../commands/sandbox.ts")).sandbox,
  "sandbox approve": async () => (await import("../commands/sandbox-approve.ts")).approve,
  login: async () => (await import("../commands/login.ts")).login,
  status: async () => (await import("../commands/status.ts")).status,
  logout: async () => (await import("../commands/logout.ts")).logout,
  "courses check": async () => (await import("../commands/courses/check/check.ts")).check,
  "courses diff": async () => (await import("../commands/courses/diff.ts")).diff,
  "courses push": async () => (await import("../commands/courses/push.ts")).push,
  "courses ls": async () => (await import("../commands/courses/ls.ts")).ls,
  "courses get": async () => (await import("../commands/courses/get.ts")).get,
  "courses preview": async () => (await import("../commands/courses/preview.ts")).preview,
  "courses pull": async () => (await import("../commands/courses/pull.ts")).pull,
  "courses init": async () => (await import("../commands/courses/init.ts")).init,
  "courses import": async () =>
    (await import("../commands/courses/import/import.ts")).importCourses,
  "courses create": async () => (await import("../commands/courses/create.ts")).create,
  "courses update": async () => (await import("../commands/courses/update.ts")).update,
  "courses rm": async () => (await import("../commands/courses/rm.ts")).rm,
  "courses publish": async () => (await import("../commands/courses/publish.ts")).publish,
  "courses unpublish": async () => (await import("../commands/courses/publish.ts")).unpublish,
  undo: async () => (await import("../commands/undo.ts")).undo,
  history: async () => (await import("../commands/history.ts")).history,
  "providers ls": async () => (await import("../commands/providers/ls.ts")).ls,
  explain: async () => (await import("../commands/explain.ts")).explain,
  schema: async () => (await import("../commands/schema.ts")).schema,
  api: async () => (await import("../commands/api.ts")).api,
  completion: async () => (await import("../commands/completion.ts")).completion,
};

/**
 * What help says of each command and of the words before them, as an imperative without a period, by headings. An
 * alias follows the words.
 */
const SUMMARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Start here": {
    sandbox: "run the API on your machine; no account needed",
    login: "save your API key and base URL",
    status: "show your settings and check that your API key works",
    logout: "remove the saved API key",
  },
  "Work with courses": {
    "courses, course": "check, diff, push, ls, get, preview, pull, import, create, update, rm, …",
    "providers, provider": "list your providers: the websites that host your courses",
    undo: "take back what a past command changed",
    history: "list what past commands changed",
  },
  "Work with course files": {
    "courses check": "find problems in course files; sends nothing",
    "courses diff": "show what a push would change",
    "courses push": "create and update courses from files",
    "courses pull": "write the catalog's courses to files",
    "courses init": "write a template of a course file",
    "courses import": "turn another system's export into course files",
  },
  "Work with the catalog": {
    "courses ls, list": "list courses",
    "courses get, view": "show every field of a course",
    "courses preview": "show courses as cards on a page",
    "providers ls, list": "list your providers: the websites that host your courses",
    "courses create": "create courses from files, standard input or flags",
    "courses update": "change some fields of a course",
    "courses rm, delete": "delete courses",
    "courses publish": "publish courses on the catalog's website",
    "courses unpublish": "take courses off the catalog's website",
  },
  More: {
    "sandbox approve": "set the status of courses in a running sandbox",
    explain: "explain a field or a rule",
    schema: "print a JSON Schema for your editor",
    api: "send a request with your API key",
    completion: "print a shell completion script",
  },
};

/** Every command, in the order of help and documents. A word comes before the commands below it. */
export const ENTRIES = Object.entries(SUMMARIES).flatMap(([heading, summaries]) =>
  Object.entries(summaries).map(([words, summary]) => {
    const [path = "", alias] = words.split(", ");
    const name = path.slice(path.lastIndexOf(" ") + 1);
    return { path, name, alias, summary, heading, load: LOADERS[path] };
  }),
);

/** A command, or a word before the names of commands, which has no code: `courses` in `catalog courses push`. */
export type Entry = Readonly<(typeof ENTRIES)[number]>;
