/** A course as a store keeps it: what it is found by, and the whole of it. */
import type { StoredCourse } from "./record.ts";

/** What a course is found by, and the whole of it. */
export interface Held {
  readonly id: string;
  readonly slug: string;
  readonly provider_id: string;
  readonly name: string;
  readonly published: boolean;
  /**
   * Its JSON where it came from a file, as most of a hundred thousand are never asked for, and where
   * it was asked for once, as it will be again.
   */
  whole: StoredCourse | Buffer;
}

/** Holds a course. */
export function held(course: StoredCourse): Held {
  const { id, slug, provider_id, name, published } = course;
  return { id, slug, provider_id, name, published, whole: course };
}

/** The course that is held. */
export function courseOf({ whole }: Held): StoredCourse {
  return Buffer.isBuffer(whole) ? JSON.parse(whole.toString("utf8")) : whole;
}

/** The course that is held, as the bytes of its JSON, which are made once. */
export function bytesOf(course: Held): Buffer {
  const { whole } = course;
  if (Buffer.isBuffer(whole)) return whole;
  const bytes = Buffer.from(JSON.stringify(whole));
  course.whole = bytes;
  return bytes;
}

/** The course that is held, as JSON. */
export function jsonOf({ whole }: Held): string {
  return Buffer.isBuffer(whole) ? whole.toString("utf8") : JSON.stringify(whole);
}
