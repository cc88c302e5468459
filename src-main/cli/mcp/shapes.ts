// What the tools take and give, once: parsed by it, and told to the client as JSON schema.
import * as v from 'valibot';
import { fileIdSchema } from '../../contract/text/file-id.ts';
import { cardForms } from '../../contract/catalogue/choices.ts';

/** As many as a model can read at once. */
export const mostPaths = 100;
export const mostListed = 100;
const mostNamed = 20;
/** Clients give up on a call that says nothing for a minute or more. */
const mostWaitSeconds = 300;

const path = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(4096),
  v.description('Absolute path of a file on this computer'),
);
/** One above 2^53 is text: a client reads a number of JSON with 53 bits. */
const anyFileId = v.union([v.number(), v.string()]);
const fileId = v.pipe(anyFileId, fileIdSchema, v.description('Id of a file at the service, as it was told'));
const expire = v.pipe(
  v.string(),
  v.maxLength(40),
  v.description('When the link ends: 1h, 7d, a date as 2026-12-31, or never'),
);
const waitSeconds = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(mostWaitSeconds),
  v.description('How long to wait for links; uploads that need longer go on, and the same call asks again'),
);
const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostListed));

/** Each by one of the two. */
const named = v.pipe(
  v.array(v.strictObject({ path: v.optional(path), file_id: v.optional(fileId) })),
  v.minLength(1),
  v.maxLength(mostNamed),
);

export const inputs = {
  upload_files: v.strictObject({
    paths: v.pipe(v.array(path), v.minLength(1), v.maxLength(mostPaths)),
    expire: v.optional(expire),
    wait_seconds: v.optional(waitSeconds, 45),
  }),
  bundle: v.strictObject({
    paths: v.pipe(v.array(path), v.minLength(1), v.maxLength(mostPaths)),
    name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
    expire: v.optional(expire),
    wait_seconds: v.optional(waitSeconds, 45),
  }),
  find_links: v.strictObject({
    query: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
    limit: v.optional(limit, 20),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  }),
  link_of: v.strictObject({ path: v.optional(path), file_id: v.optional(fileId) }),
  status: v.strictObject({}),
  card: v.strictObject({ files: named, format: v.optional(v.picklist(cardForms), 'markdown') }),
  recall: v.strictObject({ files: named }),
};

export type ToolName = keyof typeof inputs;
export type Input<Name extends ToolName> = v.InferOutput<(typeof inputs)[Name]>;

const error = v.object({
  code: v.string(),
  message: v.string(),
  remedy: v.string(),
  retryAfterSeconds: v.optional(v.number()),
  until: v.optional(v.string()),
});
export type ToolError = v.InferOutput<typeof error>;

/** What every tool tells of a file. */
const file = {
  file_id: v.nullable(anyFileId),
  queueId: v.nullable(v.string()),
  filename: v.nullable(v.string()),
  path: v.nullable(v.string()),
  public_link: v.nullable(v.string()),
  sizeBytes: v.nullable(v.number()),
  sha256: v.nullable(v.string()),
  uploadedAt: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
  downloads: v.nullable(v.number()),
};

const upload = v.object({
  ...file,
  state: v.picklist(['uploaded', 'waiting', 'held', 'skipped', 'failed', 'not-started']),
  reason: v.nullable(v.string()),
  message: v.nullable(v.string()),
  remedy: v.nullable(v.string()),
  retryAfterSeconds: v.optional(v.number()),
  until: v.optional(v.string()),
});
export type UploadResult = v.InferOutput<typeof upload>;

const link = v.object({ ...file, filename: v.string(), public_link: v.string() });
export type LinkResult = v.InferOutput<typeof link>;

const recalled = v.object({
  ...file,
  publicSeconds: v.nullable(v.number()),
  dead: v.boolean(),
  error: v.optional(error),
});
export type RecallResult = v.InferOutput<typeof recalled>;

const cardFile = v.object({
  file_id: anyFileId,
  filename: v.string(),
  sizeBytes: v.number(),
  sha256: v.string(),
  public_link: v.string(),
  uploadedAt: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
});

const used = v.object({ used: v.number(), limit: v.number() });
const window = v.object({ minute: used, day: used });
const counts = v.object({
  uploaded: v.number(),
  waiting: v.number(),
  held: v.number(),
  skipped: v.number(),
  failed: v.number(),
});

/** Either the answer or `error`: a client checks both by one schema. */
export const outputs = {
  upload_files: v.object({ files: v.optional(v.array(upload)), error: v.optional(error) }),
  bundle: v.object({
    zip: v.optional(upload),
    files: v.optional(v.number()),
    leftOut: v.optional(v.number()),
    error: v.optional(error),
  }),
  find_links: v.object({
    files: v.optional(v.array(link)),
    nextCursor: v.optional(v.nullable(v.string())),
    error: v.optional(error),
  }),
  link_of: v.object({ files: v.optional(v.array(link)), error: v.optional(error) }),
  status: v.object({
    roots: v.optional(v.array(v.string())),
    counts: v.optional(counts),
    paused: v.optional(v.boolean()),
    running: v.optional(v.boolean()),
    /** Nothing goes up now. */
    waits: v.optional(
      v.object({
        reason: v.string(),
        until: v.nullable(v.string()),
        message: v.string(),
        remedy: v.string(),
      }),
    ),
    budget: v.optional(window),
    agentShare: v.optional(window),
    held: v.optional(v.array(upload)),
    heldTotal: v.optional(v.number()),
    error: v.optional(error),
  }),
  card: v.object({
    format: v.optional(v.picklist(cardForms)),
    card: v.optional(v.string()),
    files: v.optional(v.array(cardFile)),
    error: v.optional(error),
  }),
  recall: v.object({ links: v.optional(v.array(recalled)), error: v.optional(error) }),
};
export type ToolOutput<Name extends ToolName> = v.InferOutput<(typeof outputs)[Name]>;
