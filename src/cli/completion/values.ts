/** The values of a flag or an argument: those of its closed list, or what it is said to be. */
import type { Argument, Flag } from "../../command-support/arguments.ts";
import { REPORT_FORMATS } from "../../output/report.ts";
import { type Answer, begun, behind, FOLDERS, files, NOTHING, whole } from "./answer.ts";
import type { Known } from "./known.ts";
import type { Line } from "./line.ts";
import { listed, named } from "./lists.ts";

/** The extensions of course files. */
const COURSE_FILES = ["yaml", "yml", "json"];

/** What stands in front of a file whose content is meant. */
const FILE_MARK = "@";

/** What a value may become. @param typed its text so far */
export async function valuesOf(
  { choices, completes }: Pick<Flag | Argument, "choices" | "completes">,
  typed: string,
  line: Line,
  known: Known | undefined,
): Promise<Answer> {
  if (choices !== undefined) return whole(named(choices));
  switch (completes) {
    case "course-file":
      return files(COURSE_FILES);
    case "file":
      return files();
    case "@file":
      return typed.startsWith(FILE_MARK) ? behind(FILE_MARK, files()) : begun(named([FILE_MARK]));
    case "folder":
      return FOLDERS;
    case "report":
      return reportAnswer(typed);
    case "course": {
      const courses = (await known?.courses(line.given)) ?? [];
      const given = line.arguments.map((id) => id.toLowerCase());
      return whole(courses.filter(({ value }) => !given.includes(value)));
    }
    case "provider":
      return whole((await known?.providers(line.given)) ?? []);
    case "profile":
      return whole((await known?.profiles(line.given)) ?? []);
    case "columns":
      return listed(typed, () => named(columnsOf(line)));
    case "languages": {
      const { languageCandidates } = await import("./languages.ts");
      return listed(typed, languageCandidates);
    }
    case "field-path":
      return (await import("./field-paths.ts")).pathAnswer(typed);
    case "assignment":
      return await (await import("./field-paths.ts")).assignmentAnswer(typed, () =>
        known?.providers(line.given),
      );
    default:
      return NOTHING;
  }
}

function columnsOf({ place }: Line): readonly string[] {
  return place.kind === "command" ? (place.command.columns ?? []) : [];
}

/** A format, and behind it a file. */
function reportAnswer(typed: string): Answer {
  const split = typed.indexOf("=") + 1;
  if (split > 0) return behind(typed.slice(0, split), files());
  return begun(named(REPORT_FORMATS.map((format) => `${format}=`)));
}
