/** Every command by name: the one source of parsing, help, completion and docs/commands.md. */
import type { AnyCommand } from "../cli/command.ts";

interface Entry {
  readonly name: string;
  readonly alias?: string;
  /** What it does, as an imperative without a period. */
  readonly summary: string;
  /** What it is for. Entries with the same goal share a row of the program's page, and a heading of their group's page. */
  readonly goal?: string;
}

/** A command of the tree. Its code is loaded when it is called, not before. */
export interface Leaf extends Entry {
  /** Names that other programs use for this command; only error messages suggest them. */
  readonly synonyms?: readonly string[];
  readonly load: () => Promise<AnyCommand>;
}

/** A word before the names of its commands: `courses` in `catalog courses push`. */
export interface Group extends Entry {
  readonly commands: readonly Leaf[];
}

const ACCOUNT = "save your API key; show your settings; remove the key";
const LOOK = "look at courses";
const START = "make course files";
const CHANGE = "change single courses";
const SHOW = "change what the catalog's website shows";
const PAST = "take back or list what past commands changed";
const EXPLAIN = "explain a field or a rule; print a JSON Schema";
const SCRIPTS = "send a request to the API; complete words with Tab";

const FIRST: readonly Leaf[] = [
  {
    name: "sandbox",
    synonyms: ["mock", "serve"],
    summary: "run the API on your machine; no account needed",
    load: async () => (await import("../commands/sandbox.ts")).sandbox,
  },
  {
    name: "login",
    synonyms: ["auth", "signin"],
    summary: "save your API key and base URL",
    goal: ACCOUNT,
    load: async () => (await import("../commands/login.ts")).login,
  },
  {
    name: "status",
    synonyms: ["whoami", "info"],
    summary: "show your settings and check that your API key works",
    goal: ACCOUNT,
    load: async () => (await import("../commands/status.ts")).status,
  },
  {
    name: "logout",
    synonyms: ["signout"],
    summary: "remove the saved key",
    goal: ACCOUNT,
    load: async () => (await import("../commands/logout.ts")).logout,
  },
];

const COURSES: Group = {
  name: "courses",
  alias: "course",
  summary: "check, push, list and change courses",
  commands: [
    {
      name: "check",
      synonyms: ["validate", "lint", "verify"],
      summary: "find problems in course files; sends nothing",
      load: async () => (await import("../commands/courses/check/check.ts")).check,
    },
    {
      name: "diff",
      synonyms: ["plan"],
      summary: "show what a push would change",
      load: async () => (await import("../commands/courses/diff.ts")).diff,
    },
    {
      name: "push",
      synonyms: ["sync", "apply", "deploy", "upload"],
      summary: "create and update courses from files",
      load: async () => (await import("../commands/courses/push.ts")).push,
    },
    {
      name: "ls",
      alias: "list",
      summary: "list courses",
      goal: LOOK,
      load: async () => (await import("../commands/courses/ls.ts")).ls,
    },
    {
      name: "get",
      alias: "view",
      synonyms: ["show"],
      summary: "show every field of a course",
      goal: LOOK,
      load: async () => (await import("../commands/courses/get.ts")).get,
    },
    {
      name: "preview",
      summary: "show courses as cards on a page",
      goal: LOOK,
      load: async () => (await import("../commands/courses/preview/preview.ts")).preview,
    },
    {
      name: "pull",
      synonyms: ["export", "download"],
      summary: "write the catalog's courses to files",
      goal: START,
      load: async () => (await import("../commands/courses/pull.ts")).pull,
    },
    {
      name: "init",
      synonyms: ["new", "start"],
      summary: "write a course file to start from",
      goal: START,
      load: async () => (await import("../commands/courses/init.ts")).init,
    },
    {
      name: "import",
      synonyms: ["convert"],
      summary: "turn another system's export into course files",
      goal: START,
      load: async () => (await import("../commands/courses/import/import.ts")).importCourses,
    },
    {
      name: "create",
      synonyms: ["add", "post"],
      summary: "create courses from files, standard input or flags",
      goal: CHANGE,
      load: async () => (await import("../commands/courses/create.ts")).create,
    },
    {
      name: "update",
      synonyms: ["set", "patch"],
      summary: "change some fields of a course",
      goal: CHANGE,
      load: async () => (await import("../commands/courses/update.ts")).update,
    },
    {
      name: "publish",
      summary: "publish courses on the catalog's website",
      goal: SHOW,
      load: async () => (await import("../commands/courses/publish.ts")).publish,
    },
    {
      name: "unpublish",
      summary: "take courses off the catalog's website",
      goal: SHOW,
      load: async () => (await import("../commands/courses/publish.ts")).unpublish,
    },
    {
      name: "rm",
      alias: "delete",
      synonyms: ["remove", "del"],
      summary: "delete courses",
      goal: CHANGE,
      load: async () => (await import("../commands/courses/rm.ts")).rm,
    },
  ],
};

const OTHERS: readonly (Leaf | Group)[] = [
  {
    name: "undo",
    summary: "take back what a past command changed",
    goal: PAST,
    load: async () => (await import("../commands/undo.ts")).undo,
  },
  {
    name: "history",
    summary: "list what past commands changed",
    goal: PAST,
    load: async () => (await import("../commands/history.ts")).history,
  },
  {
    name: "providers",
    alias: "provider",
    summary: "list your providers: the sites that host your courses",
    commands: [
      {
        name: "ls",
        alias: "list",
        summary: "list your providers: the sites that host your courses",
        load: async () => (await import("../commands/providers/ls.ts")).ls,
      },
    ],
  },
  {
    name: "explain",
    summary: "explain a field or a rule",
    goal: EXPLAIN,
    load: async () => (await import("../commands/explain.ts")).explain,
  },
  {
    name: "schema",
    summary: "print a JSON Schema for your editor",
    goal: EXPLAIN,
    load: async () => (await import("../commands/schema.ts")).schema,
  },
  {
    name: "api",
    synonyms: ["curl"],
    summary: "send a request to the API with your key",
    goal: SCRIPTS,
    load: async () => (await import("../commands/api.ts")).api,
  },
  {
    name: "completion",
    summary: "print a shell completion script",
    goal: SCRIPTS,
    load: async () => (await import("../commands/completion.ts")).completion,
  },
];

/** The sections of the program's page: first what newcomers need. */
export const SECTIONS: readonly { title: string; entries: readonly (Leaf | Group)[] }[] = [
  { title: "Start here", entries: FIRST },
  { title: "Courses (catalog courses <command>)", entries: COURSES.commands },
  { title: "More", entries: OTHERS },
];

/** Every command and group, in the order of help and documents. */
export const COMMANDS: readonly (Leaf | Group)[] = [...FIRST, COURSES, ...OTHERS];

/** The name of an entry, then its alias. */
export function namesOf({ name, alias }: Leaf | Group): string[] {
  return alias === undefined ? [name] : [name, alias];
}

export interface LoadedCommand {
  /** The words that lead to the command, without `catalog`: `courses ls`. */
  readonly path: string;
  /** The path with another name of the command or of its group: `courses list`, `course ls`. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly command: AnyCommand;
}

/** The words that lead to an entry, without `catalog`: `courses ls` for `ls` of the group `courses`. */
export function pathTo(
  { name }: { readonly name: string },
  group: { readonly name: string } | undefined,
): string {
  return group === undefined ? name : `${group.name} ${name}`;
}

export async function loadCommand(leaf: Leaf, group: Group | undefined): Promise<LoadedCommand> {
  const { alias, summary, load } = leaf;
  const aliases = [
    ...(alias === undefined ? [] : [pathTo({ name: alias }, group)]),
    ...(group?.alias === undefined ? [] : [pathTo(leaf, { name: group.alias })]),
  ];
  return { path: pathTo(leaf, group), aliases, summary, command: await load() };
}

/** Loads every command in the order of the tree, for the documents. */
export async function loadAllCommands(): Promise<readonly LoadedCommand[]> {
  return await Promise.all(
    COMMANDS.flatMap((entry) =>
      "load" in entry
        ? [loadCommand(entry, undefined)]
        : entry.commands.map((leaf) => loadCommand(leaf, entry)),
    ),
  );
}
