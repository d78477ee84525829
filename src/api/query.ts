/** What to ask a listing for (api.md, "GET /developer/v1/courses"). */

/** The filters of a listing and the place in it. */
export interface CourseQuery {
  readonly id?: string;
  readonly providerId?: string;
  /** A part of the name; case matters. */
  readonly name?: string;
  readonly published?: boolean;
  /** 1 to 100. */
  readonly limit?: number;
  /** 0 or more. */
  readonly offset?: number;
}
