/** Services and proxies that work, but not as documented. */
import type { CommandName } from "./commands.ts";
import { type Fault, fails, failsLookedUp, succeeds } from "./fault.ts";

const LISTINGS: readonly CommandName[] = [
  "courses ls --all",
  "courses diff",
  "courses pull",
  "courses push, of a new course",
  "courses push, of a changed course",
  "courses push --prune",
];
const CREATIONS: readonly CommandName[] = ["courses create", "courses push, of a new course"];
const CHANGES: readonly CommandName[] = [
  "courses update",
  "courses publish",
  "courses unpublish",
  "courses push, of a changed course",
];
const DELETIONS: readonly CommandName[] = ["courses rm", "courses push --prune"];

const DONE = {
  group: "behavior",
  says: null,
  alone: succeeds(),
  read: succeeds(),
  create: succeeds(),
  change: succeeds(),
} as const;

/** The faults, in the order of the page. */
export const BEHAVIOR_FAULTS: readonly Fault[] = [
  {
    ...DONE,
    title: "The first page of every listing is shorter than it should be",
    injector: "short first page",
    lasts: "all",
    only: LISTINGS,
  },
  {
    ...DONE,
    title: "The service limits its pages to fewer courses than requested",
    injector: "capped pages",
    lasts: "all",
    only: LISTINGS,
  },
  {
    ...DONE,
    title: "A proxy sends a POST twice and returns the second response, a rejection",
    injector: "repeated",
    lasts: "once",
    only: CREATIONS,
    create: succeeds(1, 1),
  },
  {
    ...DONE,
    title: "A proxy sends a DELETE twice and returns the second response, a rejection",
    injector: "repeated",
    lasts: "once",
    only: DELETIONS,
    delete: succeeds(1, 1),
  },
  {
    ...DONE,
    title: "The service chooses its own ids, and the response is lost",
    injector: "own id, lost",
    lasts: "once",
    only: CREATIONS,
    create: succeeds(1, 1),
  },
  {
    ...DONE,
    title: "The service chooses its own ids, and returns the course",
    injector: "own id",
    lasts: "once",
    only: CREATIONS,
  },
  {
    ...DONE,
    title: "A POST or PATCH gets 200 and a hint, and nothing is created or changed",
    injector: "200 hint",
    lasts: "once",
    only: [...CREATIONS, ...CHANGES],
    says: "HTTP 200, but the course does not",
    hint: "refused",
    create: failsLookedUp(1),
    change: failsLookedUp(1),
  },
  {
    ...DONE,
    title: "A POST or PATCH gets 200 and a hint, although it was processed",
    injector: "200 hint, processed",
    lasts: "once",
    only: [...CREATIONS, ...CHANGES],
    create: succeeds(1, 1),
    change: succeeds(1, 1),
  },
  {
    ...DONE,
    title: "A POST, PATCH or DELETE gets 202, and nothing is changed",
    injector: "202",
    lasts: "once",
    only: [...CREATIONS, ...CHANGES, ...DELETIONS],
    says: "HTTP 202, but the course",
    create: { ...failsLookedUp(6), isUncertain: true },
    change: failsLookedUp(6),
  },
  {
    ...DONE,
    title: "A DELETE gets 200 and a hint, and nothing is deleted",
    injector: "200 hint",
    lasts: "once",
    only: DELETIONS,
    says: "HTTP 200, but the course still exists",
    hint: "refused",
    change: fails(1),
    delete: failsLookedUp(1),
  },
];
