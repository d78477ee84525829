/** The template that `courses init` writes, made from the descriptions and examples of the schema. */
import { escapeLine, joinList, safeJson } from "../base/text.ts";
import { isList, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { COURSE_SHAPE, type Field, WRITABLE_FIELDS } from "./fields.ts";
import { isPlaceholder, PLACEHOLDERS } from "./placeholders.ts";
import { domainsOf, findProvider, type Provider } from "./provider.ts";

/** The JSON Schema for an editor: the command that prints it, and the file that contains it. */
export interface EditorSchema {
  readonly command: string;
  readonly file: string;
}

/**
 * The template in YAML: each required field with its value, each optional field as a comment.
 *
 * @param providers the user's providers; if there is only one, the template names it
 */
export function starterYaml(providers: readonly Provider[], schema: EditorSchema): string {
  const values = requiredValues(providers);
  const required = WRITABLE_FIELDS.filter((field) => field.required);
  const optional = WRITABLE_FIELDS.filter((field) => !field.required);
  return [
    headOf(schema),
    ...required.map((field) => requiredBlock(inFile(field), values, providers)),
    "# ---- Optional: uncomment what you need ----\n",
    ...optional.map(optionalBlock),
  ].join("\n");
}

/** The template in JSON, which has no comments: every optional field is null. */
export function starterJson(providers: readonly Provider[]): string {
  const values = requiredValues(providers);
  const names = WRITABLE_FIELDS.map((field) => inFile(field).name);
  const course = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  return `${safeJson(course, 2)}\n`;
}

/** The fields that have a placeholder in the template, for the same arguments. */
export function placeholderFields(providers: readonly Provider[]): readonly string[] {
  const entries = Object.entries(requiredValues(providers));
  return entries.filter(([name, value]) => isPlaceholder(name, value)).map(([name]) => name);
}

function headOf({ command, file }: EditorSchema): string {
  return `# A course file. Replace the placeholders, then check it:
#   catalog courses check <this file>
# When there are no problems, push it:
#   catalog courses push <this file>
#
# For completion in your editor, run "${command} > ${file}" in this folder and
# remove one # from the next line.
## yaml-language-server: $schema=${file}

# ---- Required ----
`;
}

/** What follows from the only provider, then placeholders and examples. */
function requiredValues(providers: readonly Provider[]): PlainObject {
  const values: Record<string, unknown> = { ...PLACEHOLDERS };
  for (const { name, required, example } of WRITABLE_FIELDS) {
    if (required && name !== "provider_id") values[name] ??= example;
  }
  // With several providers, none of them must look as if the user had chosen it.
  const [provider, ...others] = providers;
  if (provider !== undefined && others.length === 0) {
    values[PROVIDER_KEY] = nameOf(provider, providers);
    values.url = buildPageUrl(provider, String(values.url));
  }
  return values;
}

/** The slug of a provider, or its id if the slug also names another provider. */
function nameOf(provider: Provider, providers: readonly Provider[]): string {
  const { slug, id } = provider;
  return findProvider(slug, providers).found === provider ? slug : id;
}

function buildPageUrl(provider: Provider, example: string): string {
  const [host] = domainsOf(provider);
  return host === undefined ? example : `https://${host}${new URL(example).pathname}`;
}

/** The field that the file has: `provider` instead of `provider_id`. */
function inFile(field: Field): Field {
  const isOwner = field.name === "provider_id";
  return (isOwner ? COURSE_SHAPE.byName.get(PROVIDER_KEY) : undefined) ?? field;
}

function requiredBlock(field: Field, values: PlainObject, providers: readonly Provider[]): string {
  const { name, description } = field;
  const isToChoose = name === PROVIDER_KEY && isPlaceholder(name, values[name]);
  const notes = isToChoose ? providerNotes(providers) : [];
  return `${toComment([description, ...listAllowedValues(field), ...notes])}${yamlText({ [name]: values[name] })}`;
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

/** The allowed values, unless the description lists them. */
function listAllowedValues({ shape, description }: Field): string[] {
  const choice = shape.kind === "list" ? shape.of : shape;
  const isListed =
    choice.kind !== "enum" || choice.values.every((word) => description.includes(word));
  return isListed ? [] : [`Allowed values: ${joinList(choice.values, "and")}.`];
}

function providerNotes(providers: readonly Provider[]): string[] {
  if (providers.length === 0) {
    return ['For example: provider: academy.example ("catalog providers ls" lists yours).'];
  }
  const names = providers.map((provider) => `  ${nameOf(provider, providers)} (${provider.name})`);
  return ["Your providers:", ...names.map(escapeLine)];
}

function toComment(lines: readonly string[]): string {
  return lines.map((line) => `# ${line}\n`).join("");
}
