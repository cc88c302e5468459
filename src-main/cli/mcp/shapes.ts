// The inputs and outputs of the tools. Each schema parses values and becomes the JSON schema for the client.
import * as v from 'valibot';
import { fileIdFrom, fileIdSchema } from '../../contract/text/file-id.ts';
import { cardForms } from '../../contract/catalogue/choices.ts';

/** As many as a model can read at once. */
export const mostPaths = 100;
export const mostListed = 100;
const mostNamed = 20;
/** As UTF-8: 1 MiB. */
export const mostTextBytes = 1024 * 1024;
/** Clients give up on a call that is silent for a minute or more. */
const mostWaitSeconds = 300;

const path = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(4096),
  v.description('Absolute path on this computer'),
);
/** An id above 2^53 is text: clients read a JSON number with 53 bits. */
const anyFileId = v.union([v.number(), v.string()]);
const fileId = v.pipe(
  anyFileId,
  v.transform((id) => fileIdFrom(String(id)) ?? id),
  fileIdSchema,
  v.description('Id at the service, from another call'),
);
const expire = v.pipe(
  v.string(),
  v.maxLength(40),
  v.description('When the link ends: 1h, 7d, 2026-12-31 or never'),
);
const waitSeconds = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(mostWaitSeconds),
  v.description('How long to wait; longer uploads go on, and the same call asks again'),
);
const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostListed));

const linkOfFile = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(2048),
  v.description('Public link, also as Markdown or HTML'),
);

const oneFile = v.strictObject({
  path: v.optional(path),
  link: v.optional(linkOfFile),
  file_id: v.optional(fileId),
});
export type ToolFile = v.InferOutput<typeof oneFile>;

/** Each file is named by one of the three. */
const named = v.pipe(
  v.array(oneFile),
  v.minLength(1),
  v.maxLength(mostNamed),
  v.description('Files, each named by one of path, link and file_id'),
);
/** Uploads may also be named by what an earlier call returned. */
const sent = v.pipe(v.array(oneFile), v.minLength(1), v.maxLength(mostPaths));

export const inputs = {
  upload_files: v.strictObject({
    files: sent,
    expire: v.optional(expire),
    wait_seconds: v.optional(waitSeconds, 45),
  }),
  bundle_files: v.strictObject({
    files: sent,
    name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
    expire: v.optional(expire),
    wait_seconds: v.optional(waitSeconds, 45),
  }),
  share_text: v.strictObject({
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.description('Such as notes.md')),
    content: v.pipe(v.string(), v.minLength(1), v.maxLength(mostTextBytes)),
    expire: v.optional(expire),
    wait_seconds: v.optional(waitSeconds, 45),
  }),
  find_links: v.strictObject({
    query: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
    limit: v.optional(limit, 20),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  }),
  get_links: v.strictObject({ files: named }),
  get_status: v.strictObject({}),
  make_card: v.strictObject({ files: named, format: v.optional(v.picklist(cardForms), 'markdown') }),
  recall_links: v.strictObject({ files: named }),
};

export type ToolName = keyof typeof inputs;
export type ToolInput<Name extends ToolName> = v.InferOutput<(typeof inputs)[Name]>;

const textOrNull = v.nullable(v.string());
const numberOrNull = v.nullable(v.number());
/** When to call again: after this time, at that moment (ISO 8601). */
const retry = { retryAfterSeconds: v.optional(v.number()), until: v.optional(v.string()) };

const error = v.object({ code: v.string(), message: v.string(), remedy: v.string(), ...retry });
export type ToolError = v.InferOutput<typeof error>;

/** What every tool reports about a file: null where it is not known, or does not apply. Times in ISO 8601. */
const file = {
  file_id: v.nullable(anyFileId),
  queueId: textOrNull,
  filename: textOrNull,
  path: textOrNull,
  public_link: textOrNull,
  sizeBytes: numberOrNull,
  sha256: textOrNull,
  uploadedAt: textOrNull,
  expiresAt: textOrNull,
  downloads: numberOrNull,
};

const upload = v.object({
  ...file,
  /** `waiting`: it is uploaded by itself. `held`: a person decides. `not-started`: nothing was queued. */
  state: v.picklist(['uploaded', 'waiting', 'held', 'skipped', 'failed', 'not-started']),
  /** Why it has no link yet, as a code; `already-shared`: its content had a link. */
  reason: textOrNull,
  message: textOrNull,
  remedy: textOrNull,
  ...retry,
});
export type UploadResult = v.InferOutput<typeof upload>;

const link = v.object({ ...file, filename: v.string(), public_link: v.string() });
export type LinkResult = v.InferOutput<typeof link>;

/** `publicSeconds`: how long it was public. `linkState`: what the last check of the link found. */
const recalled = v.object({
  ...file,
  publicSeconds: numberOrNull,
  linkState: v.optional(v.picklist(['dead', 'answers', 'not-proven'])),
  error: v.optional(error),
});

const cardFile = v.object({
  file_id: v.nullable(anyFileId),
  filename: v.string(),
  sizeBytes: v.number(),
  sha256: v.string(),
  public_link: v.string(),
  uploadedAt: textOrNull,
  expiresAt: textOrNull,
});

/** What waits for a person. */
const waiting = v.object({
  queueId: textOrNull,
  filename: textOrNull,
  path: textOrNull,
  reason: textOrNull,
  message: textOrNull,
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

/** What could not be done for one of several files, counted from 0; the others are not affected. */
const failed = v.object({ index: v.number(), error });
export type FailedFile = v.InferOutput<typeof failed>;

/** Either the answer or `error`: a client checks both by one schema. */
export const outputs = {
  upload_files: v.object({ files: v.optional(v.array(upload)), error: v.optional(error) }),
  bundle_files: v.object({
    zip: v.optional(upload),
    files: v.optional(v.number()),
    leftOut: v.optional(v.number()),
    error: v.optional(error),
  }),
  share_text: v.object({ files: v.optional(v.array(upload)), error: v.optional(error) }),
  find_links: v.object({
    files: v.optional(v.array(link)),
    nextCursor: v.optional(textOrNull),
    error: v.optional(error),
  }),
  get_links: v.object({
    files: v.optional(v.array(link)),
    failed: v.optional(v.array(failed)),
    error: v.optional(error),
  }),
  get_status: v.object({
    roots: v.optional(v.array(v.string())),
    counts: v.optional(counts),
    paused: v.optional(v.boolean()),
    running: v.optional(v.boolean()),
    /** Nothing is uploaded now. */
    waits: v.optional(
      v.object({
        reason: v.string(),
        until: textOrNull,
        message: v.string(),
        remedy: v.string(),
      }),
    ),
    budget: v.optional(window),
    agentShare: v.optional(window),
    held: v.optional(v.array(waiting)),
    heldTotal: v.optional(v.number()),
    error: v.optional(error),
  }),
  make_card: v.object({
    format: v.optional(v.picklist(cardForms)),
    card: v.optional(v.string()),
    files: v.optional(v.array(cardFile)),
    failed: v.optional(v.array(failed)),
    error: v.optional(error),
  }),
  recall_links: v.object({
    links: v.optional(v.array(recalled)),
    failed: v.optional(v.array(failed)),
    error: v.optional(error),
  }),
};
export type ToolOutput<Name extends ToolName> = v.InferOutput<(typeof outputs)[Name]>;
