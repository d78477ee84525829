/** Writes the manual: the pages of the program, of every command and of every topic. */
import { TOPICS } from "./command-tree.ts";
import { commandSections, joinSections, type PageStyle, rootHelp } from "./help.ts";
import type { LoadedCommand } from "./load-command.ts";
import { topicText } from "./topics.ts";

/** The manual, as `catalog help --man` prints it. It contains the same as the manual page. */
export function manualText(commands: readonly LoadedCommand[], style: PageStyle): string {
  const pages = [
    rootHelp(style),
    ...commands.map((loaded) => joinSections(commandSections(loaded, style))),
    ...TOPICS.map(({ name }) => topicText(name, style)),
  ];
  return pages.join("\n");
}
