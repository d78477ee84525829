/** Puts ids into the text of a course file and leaves all else as it is (cli.md section 8, `--write-ids`). */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../base/values.ts";
import { coursesOf, parseAs, placeOfCourse } from "./courses.ts";
import { idPiece, type Piece } from "./edit-piece.ts";
import type { PlacedNode, Span } from "./position.ts";
import type { FileFormat } from "./write.ts";

/** An id that was chosen for a course of a file. */
export interface ChosenId {
  /** Which course it is: its position among those of the file, as reading the file gives them. */
  readonly course: number;
  /** The `url` that the course had when it was read, by which it is known again. */
  readonly url: string;
  readonly id: string;
}

/** Why ids cannot be put into a text. */
export interface Refusal {
  /** A clause without a full stop. */
  readonly reason: string;
  /** Where the course stands that is the cause, if it is one alone. */
  readonly span?: Span;
}

const NO_PLACE = "the way it is written leaves no place for an id";
/** The text is not what it was. */
export const CHANGED: Refusal = { reason: "it has changed since it was read" };

/** What is to be done to a text, and what it then holds. */
interface Plan {
  /** The positions of the courses that get an id. */
  readonly chosen: ReadonlySet<number>;
  readonly pieces: readonly Piece[];
  readonly places: readonly (PlacedNode | undefined)[];
  readonly wanted: readonly unknown[];
}

/**
 * The text with the ids in its courses and everything else as it was; all of them, or a refusal.
 * What is given back was parsed, and holds the same courses as before, with their ids.
 */
export function withIds(
  text: string,
  format: FileFormat,
  ids: readonly ChosenId[],
): { readonly text: string } | Refusal {
  const plan = planned(text, format, ids);
  if ("reason" in plan) return plan;
  const edited = replaced(text, plan.pieces);
  return harmDone(edited, format, plan) ?? { text: edited };
}

function planned(text: string, format: FileFormat, ids: readonly ChosenId[]): Plan | Refusal {
  const parsed = parseAs(format, text);
  if (parsed.problems.length > 0) return CHANGED;
  const all = parsed.places();
  const courses = coursesOf(parsed);
  const places = courses.map((course) => placeOfCourse(course, all));
  const wanted = courses.map(({ value }) => value);
  const pieces: Piece[] = [];
  for (const { course: index, url, id } of ids) {
    const course = wanted[index];
    if (!isObject(course) || course.url !== url) return CHANGED;
    const held = course.id ?? "";
    if (String(held).toLowerCase() === id.toLowerCase()) continue;
    if (held !== "") return CHANGED;
    const place = places[index];
    const piece = place && idPiece(text, place, id);
    if (piece === undefined) return refusedAt(place, "a course there is an alias of another value");
    wanted[index] = { ...course, id };
    pieces.push(piece);
  }
  return { chosen: new Set(ids.map(({ course }) => course)), pieces, places, wanted };
}

/** What is wrong with the edited text; anchors and rare layouts can lead to that. */
function harmDone(
  edited: string,
  format: FileFormat,
  { chosen, places, wanted }: Plan,
): Refusal | undefined {
  const parsed = parseAs(format, edited);
  const courses = coursesOf(parsed);
  if (parsed.problems.length > 0 || courses.length !== wanted.length) return { reason: NO_PLACE };
  const harmed = courses.findIndex(({ value }, index) => !isDeepStrictEqual(value, wanted[index]));
  if (harmed === -1) return undefined;
  const reason = chosen.has(harmed) ? NO_PLACE : "another course there would change with it";
  return refusedAt(places[harmed], reason);
}

function refusedAt(place: PlacedNode | undefined, reason: string): Refusal {
  return place === undefined ? { reason } : { reason, span: place.span };
}

function replaced(text: string, pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const piece of pieces.toSorted((one, other) => one.span.start - other.span.start)) {
    parts.push(text.slice(done, piece.span.start), piece.text);
    done = piece.span.end;
  }
  return parts.join("") + text.slice(done);
}
