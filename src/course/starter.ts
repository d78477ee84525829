/** The starter file of `courses init`, made from the schema's descriptions and examples. */
import { escapeLine, joinList, safeJson } from "../base/text.ts";
import { isList, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { type Field, WRITABLE_FIELDS } from "./fields.ts";
import { domainOf, type Provider } from "./provider.ts";
import { PLACEHOLDERS } from "./rules.ts";

/** The schema that fits a file: the command that prints it for an editor, and a file for it. */
export interface EditorSchema {
  readonly command: string;
  readonly file: string;
}

/** The starter in YAML. @param given values of required fields, which replace the placeholders */
export function starterYaml(
  providers: readonly Provider[],
  given: PlainObject,
  schema: EditorSchema,
): string {
  const values = { ...requiredValues(providers), ...given };
  const required = WRITABLE_FIELDS.filter((field) => field.required);
  const optional = WRITABLE_FIELDS.filter((field) => !field.required);
  return [
    headOf(schema),
    ...required.map((field) => requiredBlock(field, values, providers)),
    "# ---- Optional: uncomment what you need ----\n",
    ...optional.map(optionalBlock),
  ].join("\n");
}

/** The starter in JSON, which has no comments: every optional field is null. */
export function starterJson(providers: readonly Provider[], given: PlainObject = {}): string {
  const values = { ...requiredValues(providers), ...given };
  const names = WRITABLE_FIELDS.map((field) => nameIn(field, values));
  const course = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  return `${safeJson(course, 2)}\n`;
}

function headOf({ command, file }: EditorSchema): string {
  return `# A course file for catalog. Replace the placeholders, and check it as often as you like:
#   catalog courses check <this file>
# and send it to the catalog when the check passes:
#   catalog courses push <this file>
#
# For completion in your editor, run "${command} > ${file}" in this folder and
# remove one # from the next line.
## yaml-language-server: $schema=${file}

# ---- Required ----
`;
}

function requiredValues(providers: readonly Provider[]): PlainObject {
  const values: Record<string, unknown> = {};
  for (const { name, required, example } of WRITABLE_FIELDS) {
    if (required) values[name] = PLACEHOLDERS[name] ?? example;
  }
  const [provider] = providers;
  if (provider === undefined) return values;
  return { ...values, provider_id: provider.id, url: buildPageUrl(provider, String(values.url)) };
}

function buildPageUrl(provider: Provider, example: string): string {
  const host = domainOf(provider);
  return host === undefined ? example : `https://${host}${new URL(example).pathname}`;
}

/** The key that a field has in the file: a provider may be named in words instead of by its id. */
function nameIn({ name }: Field, values: PlainObject): string {
  return name === "provider_id" && values[PROVIDER_KEY] !== undefined ? PROVIDER_KEY : name;
}

function requiredBlock(field: Field, values: PlainObject, providers: readonly Provider[]): string {
  const name = nameIn(field, values);
  const notes = field.name === "provider_id" ? providerNotes(providers) : [];
  return `${toComment([field.description, ...listAllowedValues(field), ...notes])}${yamlText({ [name]: values[name] })}`;
}

function optionalBlock(field: Field): string {
  const { default: fallback } = field;
  const absent =
    fallback === undefined || isList(fallback) ? [] : [`Default: ${JSON.stringify(fallback)}.`];
  const lines = yamlText({ [field.name]: field.example })
    .trimEnd()
    .split("\n");
  const text = lines.map((line) => `#${line}\n`).join("");
  return `${toComment([field.description, ...listAllowedValues(field), ...absent])}${text}`;
}

/** The allowed values, unless the description lists them itself. */
function listAllowedValues({ shape, description }: Field): string[] {
  const choice = shape.kind === "list" ? shape.of : shape;
  if (choice.kind !== "enum" || choice.values.every((word) => description.includes(word))) {
    return [];
  }
  return [`Allowed values: ${joinList(choice.values, "and")}.`];
}

function providerNotes(providers: readonly Provider[]): string[] {
  if (providers.length === 0) {
    return [
      'An example: "catalog providers ls" lists yours. You can also write provider: <domain>.',
    ];
  }
  if (providers.length === 1) return [];
  return ["Yours:", ...providers.map(({ id, name }) => `  ${escapeLine(`${id} ${name}`)}`)];
}

function toComment(lines: readonly string[]): string {
  return lines.map((line) => `# ${line}\n`).join("");
}
