/** Proxies that work, but not as documented. */
import { type Fault, succeeds } from "./fault.ts";

/** The faults, in the order of the page. */
export const BEHAVIOR_FAULTS: readonly Fault[] = [
  {
    group: "behavior",
    title: "A proxy sends a POST twice and returns the second response, a rejection",
    injector: "repeated",
    lasts: "once",
    only: ["courses create", "courses push, of a new course"],
    says: null,
    alone: succeeds(),
    read: succeeds(),
    create: succeeds(1, 1),
    change: succeeds(),
  },
];
