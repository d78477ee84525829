/** The steps of a push: desired courses that were read from files. */
import type { SourceCourse } from "../../files/read.ts";
import type { Desired, Step } from "../../sync/plan.ts";

/** The desired course of a step, and where it is described. */
export interface StepItem extends Desired {
  readonly source?: SourceCourse;
  /** Where it was described when a plan was made. */
  readonly place?: { readonly file: string; readonly line: number };
}

/** A course in a file. `course` is the desired state, with `provider` replaced by `provider_id`. */
export interface DesiredCourse extends StepItem {
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** A step whose desired course was read from a file. */
export type PushStep = Step<DesiredCourse>;

/** The file that describes a desired course, with the line if it describes several. */
export async function placeOf(
  { source, place }: StepItem,
  hasSeveral: (file: string) => boolean,
): Promise<string | undefined> {
  if (source !== undefined) {
    const { name, courses } = source.file;
    return courses.length > 1 ? `${name}:${await source.line()}` : name;
  }
  if (place === undefined) return undefined;
  return hasSeveral(place.file) ? `${place.file}:${place.line}` : place.file;
}

/** The name of the file that describes a desired course. */
export function fileOf({ source, place }: StepItem): string | undefined {
  return source?.file.name ?? place?.file;
}
