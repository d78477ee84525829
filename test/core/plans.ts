/** Courses for the tests of plans, desired and remote, and the ids of new ones. */
import { createHash } from "node:crypto";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { type Located, withoutFile } from "../../src/course/problem.ts";
import type { Course } from "../../src/course/request-body.ts";
import { course, PROVIDER_ID } from "../rig.ts";

/** A course as a file describes it. */
export function desiredCourse(changes: Readonly<Record<string, unknown>> = {}): Located {
  return withoutFile(course(changes));
}

/** A course as the service returns it: with the read-only fields, and null for unset ones. */
export function remoteCourse(changes: Readonly<Record<string, unknown>> = {}): Course {
  return {
    ...Object.fromEntries(WRITABLE_FIELDS.map(({ name, default: unset = null }) => [name, unset])),
    slug: "knitting-for-beginners-7f3a",
    ...course(changes),
    id: typeof changes.id === "string" ? changes.id : ID,
    approval_status: "pending",
    last_fetched_at: "2026-01-31T12:00:00+00:00",
    schema_version: "1.0.0",
  };
}

/** The id of the default remote course. */
export const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

/** A UUIDv5 (RFC 9562, section 5.5): SHA-1 of the namespace's bytes and the name. */
export function uuid5(name: string, namespace = PROVIDER_ID): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name, "utf8")
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
