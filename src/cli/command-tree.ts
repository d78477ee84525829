/** Every command by name: the one source of parsing, help, documents and completion. */
import type { AnyCommand, Example } from "../command-support/command.ts";

/** A command of the tree. Its code is loaded when it is called, not before. */
export interface Leaf {
  readonly name: string;
  readonly alias?: string;
  /** Words of other programs for the same, which only an error message suggests. */
  readonly synonyms?: readonly string[];
  readonly summary: string;
  readonly load: () => Promise<AnyCommand>;
}

/** A word that groups commands. */
export interface Group {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  readonly examples: readonly Example[];
  readonly commands: readonly Leaf[];
}

export const COMMANDS: readonly (Leaf | Group)[] = [
  {
    name: "courses",
    alias: "course",
    summary: "list, check, create, change and delete courses",
    examples: [
      { description: "Check course files", line: "catalog courses check courses/" },
      { description: "Show what a push would change", line: "catalog courses diff courses/" },
      { description: "Make the catalog match the files", line: "catalog courses push courses/" },
    ],
    commands: [
      {
        name: "ls",
        alias: "list",
        summary: "list courses",
        load: async () => (await import("../commands/courses/ls.ts")).ls,
      },
      {
        name: "get",
        alias: "view",
        synonyms: ["show"],
        summary: "show complete courses",
        load: async () => (await import("../commands/courses/get.ts")).get,
      },
      {
        name: "open",
        synonyms: ["browse"],
        summary: "open a course's page in the browser",
        load: async () => (await import("../commands/courses/open.ts")).open,
      },
      {
        name: "preview",
        summary: "show courses as cards on a page",
        load: async () => (await import("../commands/courses/preview/preview.ts")).preview,
      },
      {
        name: "check",
        synonyms: ["validate", "lint", "verify"],
        summary: "check course files without sending anything",
        load: async () => (await import("../commands/courses/check/check.ts")).check,
      },
      {
        name: "init",
        synonyms: ["new", "start"],
        summary: "write a commented starter course file",
        load: async () => (await import("../commands/courses/init.ts")).init,
      },
      {
        name: "create",
        synonyms: ["add", "post"],
        summary: "create courses from files, standard input or flags",
        load: async () => (await import("../commands/courses/create.ts")).create,
      },
      {
        name: "update",
        synonyms: ["set", "patch"],
        summary: "change the given fields of a course",
        load: async () => (await import("../commands/courses/update.ts")).update,
      },
      {
        name: "edit",
        summary: "change a course in your editor",
        load: async () => (await import("../commands/courses/edit.ts")).edit,
      },
      {
        name: "import",
        synonyms: ["convert"],
        summary: "convert exports of other systems into course files",
        load: async () => (await import("../commands/courses/import/import.ts")).importCourses,
      },
      {
        name: "pull",
        synonyms: ["export", "download"],
        summary: "write the catalog's courses as files",
        load: async () => (await import("../commands/courses/pull.ts")).pull,
      },
      {
        name: "diff",
        synonyms: ["plan"],
        summary: "show what push would change",
        load: async () => (await import("../commands/courses/diff.ts")).diff,
      },
      {
        name: "push",
        synonyms: ["sync", "apply", "deploy", "upload"],
        summary: "make the catalog match the files",
        load: async () => (await import("../commands/courses/push/push.ts")).push,
      },
      {
        name: "wait",
        summary: "wait until courses are no longer pending",
        load: async () => (await import("../commands/courses/wait.ts")).wait,
      },
      {
        name: "publish",
        summary: "show courses on the site",
        load: async () => (await import("../commands/courses/publish.ts")).publish,
      },
      {
        name: "unpublish",
        summary: "hide courses from the site",
        load: async () => (await import("../commands/courses/publish.ts")).unpublish,
      },
      {
        name: "rm",
        alias: "delete",
        synonyms: ["remove", "del"],
        summary: "delete courses",
        load: async () => (await import("../commands/courses/rm.ts")).rm,
      },
    ],
  },
  {
    name: "providers",
    alias: "provider",
    summary: "list the sites that host your courses",
    examples: [
      { description: "List your providers", line: "catalog providers ls" },
      { description: "Print their ids for a script", line: "catalog providers ls -o id" },
    ],
    commands: [
      {
        name: "ls",
        alias: "list",
        summary: "list your providers",
        load: async () => (await import("../commands/providers/ls.ts")).ls,
      },
    ],
  },
  {
    name: "history",
    summary: "list past runs and show what they changed",
    load: async () => (await import("../commands/history.ts")).history,
  },
  {
    name: "undo",
    summary: "reverse the changes of a run",
    load: async () => (await import("../commands/undo.ts")).undo,
  },
  {
    name: "login",
    synonyms: ["auth", "signin"],
    summary: "save your API key and base URL",
    load: async () => (await import("../commands/login.ts")).login,
  },
  {
    name: "logout",
    synonyms: ["signout"],
    summary: "remove the saved key",
    load: async () => (await import("../commands/login.ts")).logout,
  },
  {
    name: "status",
    synonyms: ["whoami", "info"],
    summary: "show the settings and test the key",
    load: async () => (await import("../commands/status.ts")).status,
  },
  {
    name: "api",
    synonyms: ["curl"],
    summary: "send a raw request with your key",
    load: async () => (await import("../commands/api.ts")).api,
  },
  {
    name: "explain",
    summary: "describe a field or a rule of course files",
    load: async () => (await import("../commands/explain.ts")).explain,
  },
  {
    name: "schema",
    summary: "print the JSON Schema of a course file, for editors",
    load: async () => (await import("../commands/schema.ts")).schema,
  },
  {
    name: "sandbox",
    synonyms: ["mock", "serve"],
    summary: "run a local copy of the API for testing",
    load: async () => (await import("../commands/sandbox.ts")).sandbox,
  },
  {
    name: "completion",
    summary: "print a shell completion script",
    load: async () => (await import("../commands/completion.ts")).completion,
  },
];

export function namesOf({ name, alias }: Leaf | Group): string[] {
  return alias === undefined ? [name] : [name, alias];
}

export interface LoadedCommand {
  /** The words that lead to it, without the program's name: `courses ls`. */
  readonly path: string;
  /** The same with other names for it or for its group. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly command: AnyCommand;
}

/** The words that lead to a command of a group, without the program's name. */
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

/** Loads every command, in the order of the tree; for the documents and the manual. */
export async function loadAllCommands(): Promise<readonly LoadedCommand[]> {
  return await Promise.all(
    COMMANDS.flatMap((entry) =>
      "load" in entry
        ? [loadCommand(entry, undefined)]
        : entry.commands.map((leaf) => loadCommand(leaf, entry)),
    ),
  );
}
