/** Sets `approval_status`, as the service's approval process does (docs/sandbox.md). */
import { isUuid } from "../base/uuid.ts";
import { parseBody } from "./body.ts";
import * as responses from "./responses.ts";
import type { Store, User } from "./store.ts";
import type { StoredCourse } from "./stored-course.ts";

/** The status of a course that waits for approval. */
const PENDING = "pending";

/** How the sandbox approves new courses by itself. */
export interface ApprovalPolicy {
  /** Milliseconds after a course was created. */
  readonly after: number;
  readonly as: string;
}

/** Approves new courses when their time has come, at the next request. */
export class ApprovalQueue {
  readonly #policy: ApprovalPolicy | undefined;
  /** In the order of their times, because all wait equally long. */
  readonly #waiting: { readonly user: User; readonly id: string; readonly due: number }[] = [];

  /** @param policy without one, courses stay pending */
  constructor(policy: ApprovalPolicy | undefined) {
    this.#policy = policy;
  }

  /** Adds a new course. */
  add(user: User, id: string, now: number): void {
    if (this.#policy !== undefined) {
      this.#waiting.push({ user, id, due: now + this.#policy.after });
    }
  }

  /** Adds the users' courses that were waiting when an earlier sandbox ended. */
  addWaiting(users: readonly User[], store: Store, now: number): void {
    if (this.#policy === undefined) return;
    for (const { key } of users) {
      const user = store.userOf(key);
      if (user === undefined) continue;
      const all = store.courses(user, { limit: Number.POSITIVE_INFINITY, offset: 0 });
      const courses = all.map((json): StoredCourse => JSON.parse(json));
      for (const { id, approval_status: status } of courses) {
        if (status === PENDING) this.add(user, id, now);
      }
    }
  }

  /** Changes the status of the courses whose time has come, unless it was changed otherwise. */
  approveDue(store: Store, now: number): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || next.due > now || this.#policy === undefined) return;
      const course = store.course(next.user, next.id);
      if (course?.approval_status === PENDING) {
        store.put({ ...course, approval_status: this.#policy.as });
      }
      this.#waiting.shift();
    }
  }
}

/** A request that sets the status of one course. */
interface Call {
  readonly user: User;
  readonly query: URLSearchParams;
  readonly body: Uint8Array | undefined;
}

/** Sets the status of one of the user's courses: `{"approval_status": "approved"}`. */
export function setApproval(call: Call, { store }: { readonly store: Store }) {
  const id = call.query.get("id") ?? "";
  if (!isUuid(id)) return responses.invalidSyntax("uuid", id);
  const { body, rejection } = parseBody(call.body);
  if (rejection !== undefined) return rejection;
  const status = body.approval_status;
  if (typeof status !== "string" || status.trim() === "") {
    return responses.rejected("approval_status is blank");
  }
  const course = store.course(call.user, id.toLowerCase());
  if (course === undefined) return responses.courseNotFound;
  store.put({ ...course, approval_status: status });
  return responses.done;
}
