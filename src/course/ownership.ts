/** Checks what only the user's providers can tell: whose course it is, and where its page lies. */
import { closest } from "../base/suggest.ts";
import { joinList, truncate } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import type { PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "./fields.ts";
import type { Problem } from "./problem.ts";
import { domainOf, findProvider, hostOf, ownsHost, type Provider } from "./provider.ts";

/**
 * The problems of a course that follow from the user's providers (cli.md section 7): its provider
 * is one of them, and the host of its url is that of one of them or below it. Fields that the course
 * does not give, or gives in a wrong form, are passed over: `checkCourse` speaks of those.
 */
export function checkOwnership(course: PlainObject, providers: readonly Provider[]): Problem[] {
  return [...providerProblems(course, providers), ...hostProblems(course, providers)];
}

/** The provider that a course names by `provider_id` or `provider`, if it is one of these. */
function providerOf(course: PlainObject, providers: readonly Provider[]): Provider | undefined {
  const word = course.provider_id ?? course[PROVIDER_KEY];
  return typeof word === "string" ? findProvider(word, providers).found : undefined;
}

/** The course with `provider_id` in the place of `provider`, where that names one provider. */
export function resolveProvider(course: PlainObject, providers: readonly Provider[]): PlainObject {
  const word = course[PROVIDER_KEY];
  const found = typeof word === "string" ? findProvider(word, providers).found : undefined;
  if (found === undefined) return course;
  const entries = Object.entries(course).filter(
    ([name]) => name !== PROVIDER_KEY && name !== "provider_id",
  );
  return Object.fromEntries([...entries, ["provider_id", found.id]]);
}

function providerProblems(course: PlainObject, providers: readonly Provider[]): Problem[] {
  const { provider_id: id } = course;
  const word = course[PROVIDER_KEY];
  if (typeof id === "string") {
    if (!isUuid(id) || findProvider(id, providers).found !== undefined) return [];
    const message = `provider_id is none of your providers (${list(providers)})`;
    return [{ ...problem("provider-owned", "provider_id", message), ...notesOn(providers) }];
  }
  if (typeof word !== "string") return [];
  const match = findProvider(word, providers);
  if (match.found !== undefined) return [];
  if (match.candidates.length > 0) {
    const ids = match.candidates.map(({ id, name }) => `${truncate(id)} (${truncate(name)})`);
    const message = `provider names more than one of your providers: ${some(ids)}`;
    return [
      { ...problem("provider-unknown", PROVIDER_KEY, message), ...notesOn(match.candidates) },
    ];
  }
  const words = providers.flatMap((provider) => [
    provider.slug,
    provider.name,
    domainOf(provider) ?? "",
  ]);
  const suggestion = suggested(word, words, providers);
  const message = `provider is none of your providers (${list(providers)})`;
  const unknown = {
    ...problem("provider-unknown", PROVIDER_KEY, message),
    ...notesOn(providers),
  };
  return [suggestion === undefined ? unknown : { ...unknown, suggestion }];
}

/** The nearest of the words that names one provider; of those that name several, few are tried. */
function suggested(
  word: string,
  words: readonly string[],
  providers: readonly Provider[],
): string | undefined {
  let left = words;
  for (let tries = 0; tries < MOST_NAMED; tries++) {
    const nearest = closest(word, left);
    if (nearest === undefined || findProvider(nearest, providers).found !== undefined) {
      return nearest;
    }
    left = left.filter((candidate) => candidate !== nearest);
  }
  return undefined;
}

function hostProblems(course: PlainObject, providers: readonly Provider[]): Problem[] {
  const { url } = course;
  const host = typeof url === "string" && /^https?:/i.test(url) ? hostOf(url) : undefined;
  if (host === undefined) return [];
  const owner = providerOf(course, providers);
  if (owner !== undefined && ownsHost(owner, host)) return [];
  const other = providers.find((provider) => ownsHost(provider, host));
  if (other === undefined) {
    const domains = providers.flatMap((provider) => domainOf(provider) ?? []);
    const sites = domains.length === 0 ? "you have no provider" : `they are on ${some(domains)}`;
    const message = `url is on ${host}, which is no site of your providers: ${sites}`;
    return [problem("url-host", "url", message)];
  }
  if (owner === undefined) return [];
  const message = `url is on the site of ${other.name}, but the course's provider is ${owner.name}`;
  return [{ ...problem("url-other-provider", "url", message), severity: "warning" }];
}

function problem(rule: Problem["rule"], field: string, message: string): Problem {
  return { rule, severity: "error", at: "value", path: [field], message };
}

/** Each provider with all that it can be named by, for choosing one. */
function notesOn(providers: readonly Provider[]): Pick<Problem, "notes"> {
  if (providers.length === 0) return {};
  const notes = providers.slice(0, MOST_NAMED).map((provider) => {
    const { id, name, slug } = provider;
    const words = [slug, domainOf(provider) ?? "", id].filter((word) => word !== "");
    return `One of them: ${truncate(name)}, ${words.map(truncate).join(", ")}`;
  });
  return { notes };
}

function list(providers: readonly Provider[]): string {
  if (providers.length === 0) return "you have none";
  return `you have ${some(providers.map((provider) => provider.slug))}`;
}

const MOST_NAMED = 5;

function some(words: readonly string[]): string {
  if (words.length <= MOST_NAMED) return joinList(words.map(truncate), "and");
  const named = words.slice(0, MOST_NAMED).map(truncate);
  return `${named.join(", ")} and ${words.length - MOST_NAMED} more`;
}
