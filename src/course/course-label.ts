/** Names a course in messages. */
import { escapeName, truncate } from "../base/text.ts";

/** `"Weaving" (6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21)`; only the id of a course without a name. */
export function courseLabel({
  name,
  id,
}: {
  readonly name?: unknown;
  readonly id: string;
}): string {
  return typeof name !== "string" || name === ""
    ? id
    : `${escapeName(JSON.stringify(truncate(name)))} (${id})`;
}
