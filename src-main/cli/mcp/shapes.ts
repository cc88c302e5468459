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

/** A field with its description for the client. */
const said = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));
const retryAfterSeconds = said(v.optional(v.number()), 'Call again after this time');
const until = said(v.optional(v.string()), 'That moment (ISO 8601)');
const reason = (text: string) => said(v.nullable(v.string()), text);

const error = v.object({
  code: said(v.string(), 'What kind of error it is'),
  message: said(v.string(), 'What went wrong'),
  remedy: said(v.string(), 'What to do about it'),
  retryAfterSeconds,
  until,
});
export type ToolError = v.InferOutput<typeof error>;

/** What every tool reports about a file. */
const file = {
  file_id: said(v.nullable(anyFileId), 'Id at the service; null: it has none, or none is known'),
  queueId: said(v.nullable(v.string()), 'Id in the queue of this computer, such as q5'),
  filename: said(v.nullable(v.string()), 'Name of the file'),
  path: said(v.nullable(v.string()), 'Where it is on this computer; null for a zip that Outtray made'),
  public_link: said(v.nullable(v.string()), 'Anyone with this link can read the file; null: it has no link'),
  sizeBytes: said(v.nullable(v.number()), 'Size in bytes'),
  sha256: said(v.nullable(v.string()), 'SHA-256 of the content, in hexadecimal'),
  uploadedAt: said(v.nullable(v.string()), 'When its upload ended (ISO 8601)'),
  expiresAt: said(v.nullable(v.string()), 'When its link ends (ISO 8601); null: it stays'),
  downloads: said(v.nullable(v.number()), 'Downloads as last counted; null: not counted'),
};

const upload = v.object({
  ...file,
  state: said(
    v.picklist(['uploaded', 'waiting', 'held', 'skipped', 'failed', 'not-started']),
    'uploaded: it has a link. waiting: it will be uploaded by itself. held: a person decides. not-started: nothing was queued',
  ),
  reason: reason('Why it has no link yet, as a code; already-shared: its content had a link'),
  message: reason('The reason in a sentence'),
  remedy: reason('What to do about it'),
  retryAfterSeconds,
  until,
});
export type UploadResult = v.InferOutput<typeof upload>;

const link = v.object({ ...file, filename: v.string(), public_link: v.string() });
export type LinkResult = v.InferOutput<typeof link>;

const recalled = v.object({
  ...file,
  publicSeconds: said(v.nullable(v.number()), 'How long it was public, in seconds'),
  dead: said(v.boolean(), 'True once the link was checked and no longer answers'),
  error: v.optional(error),
});
export type RecallAnswer = v.InferOutput<typeof recalled>;

const cardFile = v.object({
  file_id: v.nullable(anyFileId),
  filename: v.string(),
  sizeBytes: v.number(),
  sha256: v.string(),
  public_link: v.string(),
  uploadedAt: v.nullable(v.string()),
  expiresAt: v.nullable(v.string()),
});

/** What waits for a person. */
const waiting = v.object({
  queueId: v.nullable(v.string()),
  filename: v.nullable(v.string()),
  path: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  message: v.nullable(v.string()),
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

/** What could not be done for one of several files; the others are not affected. */
const failed = v.object({
  index: said(v.number(), 'Which of the files of the call, counted from 0'),
  error,
});
export type FailedFile = v.InferOutput<typeof failed>;

/** Either the answer or `error`: a client checks both by one schema. */
export const outputs = {
  upload_files: v.object({ files: v.optional(v.array(upload)), error: v.optional(error) }),
  bundle_files: v.object({
    zip: v.optional(upload),
    files: said(v.optional(v.number()), 'Files in the zip'),
    leftOut: said(v.optional(v.number()), 'Files that the rules left out of it'),
    error: v.optional(error),
  }),
  share_text: v.object({ files: v.optional(v.array(upload)), error: v.optional(error) }),
  find_links: v.object({
    files: v.optional(v.array(link)),
    nextCursor: said(
      v.optional(v.nullable(v.string())),
      'Pass it as cursor to get more; null: there are no more',
    ),
    error: v.optional(error),
  }),
  get_links: v.object({
    files: v.optional(v.array(link)),
    failed: v.optional(v.array(failed)),
    error: v.optional(error),
  }),
  get_status: v.object({
    roots: said(v.optional(v.array(v.string())), 'Folders whose files may be named'),
    counts: said(v.optional(counts), 'Files in the watched folders, by state'),
    paused: said(v.optional(v.boolean()), 'A person has paused the uploads'),
    running: said(v.optional(v.boolean()), 'Outtray runs beside this server'),
    /** Nothing is uploaded now. */
    waits: v.optional(
      v.object({
        reason: v.string(),
        until: v.nullable(v.string()),
        message: v.string(),
        remedy: v.string(),
      }),
    ),
    budget: said(v.optional(window), 'Requests to the service'),
    agentShare: said(v.optional(window), 'The share of requests that agents may use'),
    held: said(v.optional(v.array(waiting)), 'What a person has to decide'),
    heldTotal: said(v.optional(v.number()), 'How many of them there are'),
    error: v.optional(error),
  }),
  make_card: v.object({
    format: v.optional(v.picklist(cardForms)),
    card: said(v.optional(v.string()), 'The text in this format'),
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
