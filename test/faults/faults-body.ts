/** Faults of the answer's body, and of answers that are none of the service's. */
import { answered, done, type Fault, fails, shown, unsure } from "./fault.ts";

const GROUP = { group: "body", lasts: "on" } as const;
const WRITTEN = { create: done(), change: done() } as const;
/** An answer that `catalog api` shows as it came. */
const SHOWN = { rawRead: shown(), rawChange: done() } as const;
const TOO_LARGE = "larger than any of the service's can be";
const FINE = { says: null, alone: done(), read: done(), ...WRITTEN } as const;

/** What nobody can read, and repeating does not change. */
const UNREADABLE = { ...GROUP, ...WRITTEN, alone: fails(6), read: fails(6) } as const;

/** The faults, in the order of the page. */
export const BODY_FAULTS: readonly Fault[] = [
  {
    group: "body",
    title: "The answer is cut off in its middle, once",
    blow: "truncated",
    lasts: "once",
    says: "the connection was cut",
    ...WRITTEN,
    alone: fails(6),
    read: done(2),
    rawChange: answered(),
  },
  {
    ...GROUP,
    title: "Every answer is cut off in its middle",
    blow: "truncated",
    says: "the connection was cut",
    ...WRITTEN,
    alone: fails(6),
    read: fails(6, 5),
    rawChange: answered(),
  },
  {
    ...GROUP,
    title: "Every answer in chunks is cut off after the first one",
    blow: "truncated chunks",
    says: "the connection was cut",
    ...WRITTEN,
    alone: fails(6),
    read: fails(6, 5),
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The answer announces fewer bytes than it has",
    blow: "length too small",
    says: "broken or unknown JSON",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The answer is broken JSON",
    blow: "broken JSON",
    says: "broken or unknown JSON",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The answer is JSON, but no list where a list belongs",
    blow: "other JSON",
    says: "no list of records",
  },
  {
    ...UNREADABLE,
    ...SHOWN,
    title: "The answer says 200, and is empty",
    blow: "nothing in it",
    says: "nothing where JSON belongs",
  },
  {
    ...GROUP,
    title: "A proxy answers 200 in the service's place, with an HTML page",
    blow: "page",
    says: "an HTML page",
    alone: fails(6),
    read: fails(6),
    create: unsure(false, 1, 1),
    change: fails(6),
    rawRead: shown(),
  },
  { ...GROUP, ...FINE, title: "A proxy compresses the answer, though nobody asked", blow: "gzip" },
  {
    ...GROUP,
    ...WRITTEN,
    title: "The answer is compressed, and damaged",
    blow: "broken gzip",
    says: "the answer is compressed, and damaged",
    alone: fails(6),
    read: fails(6, 5),
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    title: "The answer is small, and unpacks to more than 64 MiB",
    blow: "gzip bomb",
    says: TOO_LARGE,
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    title: "The answer announces more than 64 MiB",
    blow: "enormous",
    says: TOO_LARGE,
    rawChange: answered(),
  },
  {
    ...UNREADABLE,
    title: "The answer is in an encoding that nobody asked for",
    blow: "other encoding",
    says: "encoded as zstd",
    rawChange: answered(),
  },
  {
    ...GROUP,
    title: "The head of the answer is larger than any should be",
    blow: "flood of headers",
    says: "the headers of the answer are larger",
    alone: fails(6),
    read: fails(6),
    create: unsure(true, 1, 1),
    change: unsure(true),
    rawChange: unsure(true),
  },
  {
    ...GROUP,
    title: "What answers does not speak HTTP",
    blow: "no HTTP",
    says: "what answered does not speak HTTP",
    alone: fails(6),
    read: fails(6, 5),
    create: unsure(true, 1, 5),
    change: unsure(true, 5),
    rawChange: unsure(true),
  },
  {
    ...GROUP,
    ...FINE,
    title: "The answer comes behind an interim one (103 Early Hints)",
    blow: "early hints",
  },
];
