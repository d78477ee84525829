/** An example of each JSON shape, for docs/json.md; a test validates them. */
const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const PROVIDER = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";

const KNITTING = {
  id: ID,
  name: "Knitting for Beginners",
  url: "https://academy.example/knitting",
  file: "courses/knitting.yaml",
  line: 1,
};

const REFUSAL = {
  kind: "refused",
  message: "the service rejected the course",
  hint: "audio is invalid",
  status: 400,
  file: "courses/knitting.yaml",
  line: 6,
  column: 8,
  rule: "service",
};

/** The examples by the names of the shapes. */
export const SHAPE_EXAMPLES = {
  courses: [
    {
      id: ID,
      name: "Knitting for Beginners",
      url: "https://academy.example/knitting",
      slug: "knitting-for-beginners-7f3a",
      provider_id: PROVIDER,
      audio: ["en"],
      pace: "self_paced",
      published: true,
      level: [],
      prices: null,
      approval_status: "pending",
    },
  ],
  providers: [
    {
      id: PROVIDER,
      name: "Example Academy",
      description: "",
      slug: "example-academy",
      url: "https://academy.example",
      domain: "academy.example",
      published: true,
    },
  ],
  results: [
    { ...KNITTING, action: "create", status: "done" },
    { ...KNITTING, action: "update", status: "failed", error: REFUSAL },
  ],
  check: {
    files: 1,
    courses: 1,
    errors: 1,
    warnings: 0,
    diagnostics: [
      {
        file: "courses/knitting.yaml",
        line: 8,
        column: 7,
        endLine: 8,
        endColumn: 17,
        severity: "error",
        rule: "choice",
        message: "pace must be self_paced or instructor_paced",
        suggestion: "self_paced",
        path: ["pace"],
      },
    ],
  },
  diff: [
    {
      ...KNITTING,
      action: "update",
      status: "planned",
      fields: [{ path: ["prices", 0, "currency"], old: "USD", new: "EUR" }],
    },
  ],
  plan: {
    formatVersion: 1,
    toolVersion: "0.1.0",
    createdAt: "2026-01-31T12:00:00.000Z",
    baseUrl: "https://api.catalog.example",
    counts: { create: 0, update: 1, unchanged: 12, delete: 0 },
    steps: [
      {
        ...KNITTING,
        action: "update",
        body: { name: "Knitting for Beginners" },
        before: { name: "Knitting" },
      },
    ],
  },
  history: [
    {
      run: "20260131-120000000-1a2b3c",
      time: "2026-01-31T12:00:00.000Z",
      command: "courses push",
      baseUrl: "https://api.catalog.example",
      created: 2,
      updated: 1,
      deleted: 0,
      failed: 0,
      unknown: 0,
      undone: false,
      providers: [PROVIDER],
      user: "sam",
      host: "office",
    },
  ],
  status: {
    settings: [
      { name: "apiKey", value: "********", source: "environment", origin: "CATALOG_API_KEY" },
      { name: "profile", value: null, source: null, origin: null },
    ],
    service: { reachable: true, authenticated: true, providers: 2 },
  },
  errors: {
    notice: "Courses: 1 created and 1 failed.",
    counts: { created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 1, skipped: 0 },
  },
} as const;
