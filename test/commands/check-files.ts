/** Course files with known problems, and the parsed report of `check`. */
import { type Rig, type RunResult, rig } from "../rig.ts";
import { numberedCourse } from "./helpers.ts";

export const json = (value: unknown): string => JSON.stringify(value);
/** Two errors in values and one unknown key. */
export const BAD_COURSE = `name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en, xx]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self-paced
color: red
`;

/** A problem as `check --json` prints it. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly rule: string;
  readonly message: string;
  readonly suggestion?: string;
}

export interface Report {
  readonly files: number;
  readonly courses: number;
  readonly errors: number;
  readonly warnings: number;
  readonly problems: readonly Finding[];
}
export const parseReport = (ran: RunResult): Report => JSON.parse(ran.stdout) as Report;

/** A rig with a valid file, an invalid one and one with a warning. */
export async function rigWithMixedFiles(): Promise<Rig> {
  const r = await rig();
  await r.write("courses/a-good.json", numberedCourse(1));
  await r.write("courses/b-bad.yaml", BAD_COURSE);
  await r.write("courses/c-warned.json", numberedCourse(2, { approval_status: "pending" }));
  return r;
}
