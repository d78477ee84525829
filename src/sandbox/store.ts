/** Holds the users, their providers and their courses. */
import type { Provider } from "../course/provider.ts";
import type { StoredCourse } from "./record.ts";

/** The owner of an API key (api.md, "Authentication" 2). */
export interface User {
  readonly key: string;
  readonly providers: readonly Provider[];
}

/** A user with the courses that there are at the start, in the order of their creation. */
interface SeedUser extends User {
  readonly courses: readonly StoredCourse[];
}

/** All that a store holds at its start; keys and ids are unique, UUIDs in lower case. */
export interface Seed {
  readonly users: readonly SeedUser[];
}

/** Which courses are asked for (api.md, "GET /developer/v1/courses"). UUIDs in lower case. */
export interface CourseQuery {
  readonly limit: number;
  readonly offset: number;
  readonly id?: string | undefined;
  readonly providerId?: string | undefined;
  /** Case-sensitive part of the name. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
}

/**
 * The state of the service. Reading is immediate. A change is visible as soon as its call returns,
 * so that looking and changing without waiting in between is one step; its promise resolves when
 * the change is kept for good, and a store that writes to disk wraps exactly these three and
 * `settled`.
 */
export interface Store {
  userOf(key: string): User | undefined;
  /** The user's courses in the order of their creation, each as its JSON. */
  courses(user: User, query: CourseQuery): readonly Buffer[];
  /** The user's course of that id. */
  course(user: User, id: string): StoredCourse | undefined;
  /** Whether there is a course of that id, whoever owns it. */
  hasCourse(id: string): boolean;
  hasSlug(slug: string): boolean;
  /** Takes a course whose id is free and whose provider exists. */
  add(course: StoredCourse): Promise<void>;
  /** Takes the course in the place of the one with its id. */
  replace(course: StoredCourse): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Resolves when all changes that are visible now are kept for good: an answer that tells of one
   * must not be the only trace of it. Rejects when one of them could not be kept.
   */
  settled(): Promise<void>;
}
