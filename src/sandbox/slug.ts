/** Generates slugs: an ASCII-only prefix from the name and a random suffix. */
import type { Clock } from "../base/clock.ts";

const LONGEST_PREFIX = 60;
const SUFFIX_LENGTH = 8;
const SUFFIXES = 36 ** SUFFIX_LENGTH;

/** A name in lower-case ASCII letters, digits and hyphens; `other` if nothing is left of it. */
export function asciiSlug(name: string, other: string): string {
  const words = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, "-").replace(/^-/, "");
  return slug.slice(0, LONGEST_PREFIX).replace(/-$/, "") || other;
}

export function newSlug(
  name: string,
  clock: Pick<Clock, "random">,
  isUsed: (slug: string) => boolean,
): string {
  const prefix = asciiSlug(name, "course");
  // Counting up ends even if the random numbers repeat.
  let number = Math.floor(clock.random() * SUFFIXES);
  let slug = withSuffix(prefix, number);
  while (isUsed(slug)) {
    number = (number + 1) % SUFFIXES;
    slug = withSuffix(prefix, number);
  }
  return slug;
}

function withSuffix(prefix: string, number: number): string {
  return `${prefix}-${number.toString(36).padStart(SUFFIX_LENGTH, "0")}`;
}
