/** The template that `courses init` writes, made from the descriptions and examples of the schema. */
import { escapeLine, joinList } from "../base/text.ts";
import { isList, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { COURSE_SHAPE, type Field, WRITABLE_FIELDS } from "./fields.ts";
import { isPlaceholder, PLACEHOLDERS } from "./placeholders.ts";
import { domainsOf, findProvider, type Provider } from "./provider.ts";

/**
 * The template: each required field with its value, each optional field as a comment.
 *
 * @param providers the user's providers; if there is only one, the template names it
 */
export function starterYaml(providers: readonly Provider[]): string {
  const values = requiredValues(providers);
  const fields = WRITABLE_FIELDS.map(inFile);
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const isToChoose = isPlaceholder(PROVIDER_KEY, values[PROVIDER_KEY]);
  return [
    HEAD,
    ...required.map((field) => {
      const notes = field.name === PROVIDER_KEY && isToChoose ? providerNotes(providers) : [];
      return commentsOf(field, notes) + yamlText({ [field.name]: values[field.name] });
    }),
    "# ---- Optional: uncomment what you need ----\n",
    ...optional.map((field) => {
      const text = yamlText({ [field.name]: field.example });
      return commentsOf(field, defaultNotes(field)) + text.replace(/^(?=.)/gm, "#");
    }),
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

/** The field that the file has: `provider` instead of `provider_id`. */
function inFile(field: Field): Field {
  const isOwner = field.name === "provider_id";
  return (isOwner ? COURSE_SHAPE.byName.get(PROVIDER_KEY) : undefined) ?? field;
}

/** Placeholders and examples, and what follows from the only provider. */
function requiredValues(providers: readonly Provider[]): PlainObject {
  const examples = WRITABLE_FIELDS.map(({ name, example }) => [name, example]);
  const values = { ...Object.fromEntries(examples), ...PLACEHOLDERS };
  // With several providers, none of them must look as if the user had chosen it.
  const [provider, ...others] = providers;
  if (provider === undefined || others.length > 0) return values;
  const [host = "academy.example"] = domainsOf(provider);
  const url = `https://${host}${new URL(String(PLACEHOLDERS.url)).pathname}`;
  return { ...values, url, [PROVIDER_KEY]: nameOf(provider, providers) };
}

/** The slug of a provider, or its id if the slug also names another provider. */
function nameOf(provider: Provider, providers: readonly Provider[]): string {
  const { slug, id } = provider;
  return findProvider(slug, providers).found === provider ? slug : id;
}

/** The description, the allowed values unless the description lists them, and the notes, as comments. */
function commentsOf({ shape, description }: Field, notes: readonly string[]): string {
  const choice = shape.kind === "list" ? shape.of : shape;
  const words = choice.kind === "enum" ? choice.values : [];
  const isListed = words.every((word) => description.includes(word));
  const allowed = isListed ? [] : [`Allowed values: ${joinList(words, "and")}.`];
  return [description, ...allowed, ...notes].map((line) => `# ${line}\n`).join("");
}

function defaultNotes({ default: fallback }: Field): readonly string[] {
  const isNoted = fallback !== undefined && !isList(fallback);
  return isNoted ? [`Default: ${JSON.stringify(fallback)}.`] : [];
}

function providerNotes(providers: readonly Provider[]): readonly string[] {
  if (providers.length === 0) {
    return ['For example: provider: academy.example ("catalog providers ls" lists yours).'];
  }
  const names = providers.map((provider) => `  ${nameOf(provider, providers)} (${provider.name})`);
  return ["Your providers:", ...names.map(escapeLine)];
}
