/** Paths that flags name, such as `prices[0].currency`, and what stands there in a course. */
import type { Path } from "../base/values.ts";
import { fieldNamed } from "../course/fields.ts";
import { type Shape, text } from "../course/shape.ts";

/** The steps of a path; undefined where the text is none. */
export function stepsOf(written: string): Path | undefined {
  const path: (string | number)[] = [];
  const step = /(?:^|\.)([A-Za-z_][\w-]*)|\[(\d{1,6})\]/gy;
  while (step.lastIndex < written.length) {
    const match = step.exec(written);
    if (match === null) return undefined;
    path.push(match[1] ?? Number(match[2]));
  }
  return typeof path[0] === "string" ? path : undefined;
}

/** The shape of the value at a path; undefined behind a key that its object does not have. */
export function shapeAt(path: Path): Shape | undefined {
  const [field, ...rest] = path;
  let shape = fieldNamed(String(field))?.shape;
  for (const step of rest) {
    if (shape?.kind === "list" && typeof step === "number") shape = shape.of;
    else if (shape?.kind === "paragraphs" && typeof step === "number") shape = text;
    else if (shape?.kind === "object") shape = shape.keys.find(({ name }) => name === step)?.shape;
    else return undefined;
  }
  return shape;
}
