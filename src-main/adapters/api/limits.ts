// How long and how much the service may take. Everything has a limit; tests shorten them.

export type TransferLimits = {
  /** Name look-up, TCP, proxy and TLS together. */
  connectMs: number;
  /** How long a connection may stand still while bytes should move. */
  stallMs: number;
  /** The minimum time that a service gets to refuse an upload by its head, before the tail leaves. A near one needs 7 ms. */
  refusalMs: number;
  /** From the last byte of an upload to the head of its answer: the service may scan or store the file meanwhile. */
  headMs: number;
  /** From the head of an answer to its end. */
  bodyMs: number;
  /** A request without a body, from its start to the end of the answer. */
  totalMs: number;
  /** All header lines of one answer. */
  headBytes: number;
  /** The answer to anything but a list; the largest honest one is below 1 KiB. */
  answerBytes: number;
  /** A page of the list: 1,000 files take about 300 KiB. */
  listBytes: number;
};

export const defaultLimits: TransferLimits = {
  connectMs: 10_000,
  stallMs: 60_000,
  refusalMs: 12,
  headMs: 60_000,
  bodyMs: 60_000,
  totalMs: 30_000,
  headBytes: 32 * 1024,
  answerBytes: 64 * 1024,
  listBytes: 2 * 1024 * 1024,
};
