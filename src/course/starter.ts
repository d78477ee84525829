/** The template that `courses init` writes, made from the descriptions and examples of the schema. */
import { joinList } from "../base/text.ts";
import { isList } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { COURSE_SHAPE } from "./fields.ts";
import type { Key } from "./shape.ts";
import { PLACEHOLDERS } from "./text-rules.ts";

/** The template: each required field with a placeholder or an example, each optional field as a comment. */
export function starterYaml(): string {
  const fields = COURSE_SHAPE.keys.filter((key) => !key.readOnly && key.name !== "provider_id");
  const optional = fields.filter((field) => !field.required);
  return [
    HEAD,
    ...fields
      .filter((field) => field.required)
      .map((field) => entryOf(field, PLACEHOLDERS[field.name] ?? field.example)),
    "# ---- Optional: uncomment what you need ----\n",
    ...optional.map((field) => entryOf(field, field.example).replace(/^(?=[^#\n])/gm, "#")),
  ].join("\n");
}

const HEAD = `# A course file. Replace the placeholders, then check it:
#   catalog courses check <this file>
# When there are no problems, push it:
#   catalog courses push <this file>
#
# For completion in your editor, run "catalog schema > course.schema.json" in this folder and
# remove one # from the next line.
## yaml-language-server: $schema=course.schema.json

# ---- Required ----
`;

/** A field with comments: its description, the allowed values unless the description lists them, and the default. */
function entryOf({ name, shape, description, default: fallback }: Key, value: unknown): string {
  const choice = shape.kind === "list" ? shape.of : shape;
  const words = choice.kind === "enum" ? choice.values : [];
  const notes = [description];
  if (!words.every((word) => description.includes(word))) {
    notes.push(`Allowed values: ${joinList(words, "and")}.`);
  }
  if (fallback !== undefined && !isList(fallback)) notes.push(`Default: ${fallback}.`);
  return notes.map((line) => `# ${line}\n`).join("") + yamlText({ [name]: value });
}
