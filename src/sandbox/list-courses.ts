/** GET courses: filters and pages (api.md, "GET /developer/v1/courses"). */
import { isUuid } from "../base/uuid.ts";
import {
  type Answer,
  foundJson,
  invalidSyntax,
  limitTooHigh,
  limitTooLow,
  offsetTooLow,
} from "./answers.ts";
import type { Endpoint } from "./endpoint.ts";

const DEFAULT_LIMIT = 10;
const MAXIMUM_LIMIT = 100;
const MINIMUM_LIMIT = 1;
const MINIMUM_OFFSET = 0;

/** Answers the user's courses that pass the filters. Of a parameter given twice, the first counts. */
export const listCourses: Endpoint = ({ user, query }, { store }) => {
  const fault = faultOf(query);
  if (fault !== undefined) return fault;
  const published = query.get("published");
  const courses = store.courses(user, {
    limit: Number(query.get("limit") ?? DEFAULT_LIMIT),
    offset: Number(query.get("offset") ?? MINIMUM_OFFSET),
    id: query.get("id")?.toLowerCase(),
    providerId: query.get("provider_id")?.toLowerCase(),
    name: query.get("name") ?? undefined,
    published: published === null ? undefined : published === "true",
  });
  return foundJson(courses);
};

/** The service looks at the page first; the filters only fail in its database. */
function faultOf(query: URLSearchParams): Answer | undefined {
  return pageFault(query) ?? filterFault(query);
}

function pageFault(query: URLSearchParams): Answer | undefined {
  const limit = query.get("limit");
  if (limit !== null) {
    if (!isInteger(limit)) return invalidSyntax("integer", limit);
    if (Number(limit) > MAXIMUM_LIMIT) return limitTooHigh;
    if (Number(limit) < MINIMUM_LIMIT) return limitTooLow;
  }
  const offset = query.get("offset");
  if (offset === null) return undefined;
  if (!isInteger(offset)) return invalidSyntax("integer", offset);
  return Number(offset) < MINIMUM_OFFSET ? offsetTooLow : undefined;
}

function filterFault(query: URLSearchParams): Answer | undefined {
  for (const name of ["id", "provider_id"]) {
    const value = query.get(name);
    if (value !== null && !isUuid(value)) return invalidSyntax("uuid", value);
  }
  const published = query.get("published");
  if (published === null || published === "true" || published === "false") return undefined;
  return invalidSyntax("boolean", published);
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}
