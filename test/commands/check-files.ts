/** Course files with known mistakes, and the report that check makes of them. */
import { type Ran, type Rig, rig } from "../rig.ts";
import { numbered } from "./helpers.ts";

export const json = (value: unknown): string => JSON.stringify(value);
/** Two errors in values and one unknown key. */
export const BAD = `name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en, xx]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self-paced
color: red
`;

export interface Report {
  readonly files: number;
  readonly courses: number;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly Record<string, unknown>[];
}
export const report = (ran: Ran): Report => JSON.parse(ran.stdout) as Report;

/** A rig with a good file, a bad one and one with a warning. */
export async function mixed(): Promise<Rig> {
  const r = await rig();
  await r.write("courses/a-good.json", json(numbered(1)));
  await r.write("courses/b-bad.yaml", BAD);
  await r.write("courses/c-warned.json", json(numbered(2, { approval_status: "pending" })));
  return r;
}
