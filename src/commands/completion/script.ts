/** Writes shell scripts down as they are. */

/**
 * The text between the marks, backslashes and all. `@{` stands for `${`, in the place of which a
 * template would want a value.
 */
export function script({ raw }: TemplateStringsArray): string {
  return raw.join("").replaceAll("@{", "${");
}
