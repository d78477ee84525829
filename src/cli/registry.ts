/** Every command by name; what a command needs is loaded when it is called, not before. */
import type { AnyCommand, Example } from "../command-support/command.ts";

/** A command in the tree. */
export interface Leaf {
  readonly name: string;
  readonly alias?: string;
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

/** The whole tree (cli.md section 1). */
export const COMMANDS: readonly (Leaf | Group)[] = [
  {
    name: "courses",
    alias: "course",
    summary: "list, check, create, change and delete courses",
    examples: [
      { says: "Check course files", line: "catalog courses check courses/" },
      { says: "Show what a push would change", line: "catalog courses diff courses/" },
      { says: "Make the catalog match the files", line: "catalog courses push courses/" },
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
        summary: "show whole courses",
        load: async () => (await import("../commands/courses/get.ts")).get,
      },
      {
        name: "check",
        summary: "check course files, before anything is sent",
        load: async () => (await import("../commands/courses/check.ts")).check,
      },
      {
        name: "init",
        summary: "write a commented course file to start from",
        load: async () => (await import("../commands/courses/init.ts")).init,
      },
      {
        name: "create",
        summary: "create courses from files, standard input or flags",
        load: async () => (await import("../commands/courses/create.ts")).create,
      },
      {
        name: "update",
        summary: "change the given fields of a course",
        load: async () => (await import("../commands/courses/update.ts")).update,
      },
      {
        name: "pull",
        summary: "write the catalog's courses as files",
        load: async () => (await import("../commands/courses/pull.ts")).pull,
      },
      {
        name: "diff",
        summary: "show what push would change",
        load: async () => (await import("../commands/courses/diff.ts")).diff,
      },
      {
        name: "push",
        summary: "make the catalog match the files",
        load: async () => (await import("../commands/courses/push.ts")).push,
      },
      {
        name: "publish",
        summary: "show courses on the site",
        load: async () => (await import("../commands/courses/publish.ts")).publish,
      },
      {
        name: "unpublish",
        summary: "take courses off the site",
        load: async () => (await import("../commands/courses/publish.ts")).unpublish,
      },
      {
        name: "rm",
        alias: "delete",
        summary: "delete courses",
        load: async () => (await import("../commands/courses/rm.ts")).rm,
      },
    ],
  },
  {
    name: "providers",
    alias: "provider",
    summary: "list the sites that your courses live on",
    examples: [
      { says: "See your providers", line: "catalog providers ls" },
      { says: "Their ids, for a script", line: "catalog providers ls -o id" },
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
    name: "login",
    summary: "save your key and the service's address",
    load: async () => (await import("../commands/login.ts")).login,
  },
  {
    name: "logout",
    summary: "forget the saved key",
    load: async () => (await import("../commands/logout.ts")).logout,
  },
  {
    name: "status",
    summary: "show the settings, and test the key",
    load: async () => (await import("../commands/status.ts")).status,
  },
  {
    name: "api",
    summary: "send one raw request with the key",
    load: async () => (await import("../commands/api.ts")).api,
  },
  {
    name: "schema",
    summary: "print the JSON Schema of a course file, for editors",
    load: async () => (await import("../commands/schema.ts")).schema,
  },
  {
    name: "sandbox",
    summary: "serve the whole API locally, to try and to test",
    load: async () => (await import("../commands/sandbox.ts")).sandbox,
  },
  {
    name: "completion",
    summary: "print what lets your shell complete command lines",
    load: async () => (await import("../commands/completion.ts")).completion,
  },
];
