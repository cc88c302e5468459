// Requests and answers as plain data, so that tests can assert on the wire itself.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

// A day's allowance of the larger plan many times over; beyond that the oldest are forgotten.
const mostRecords = 100_000;

export type PartRecord = {
  /** The lines of the part's head as they came, read as latin1; names in lower case. */
  headers: [name: string, value: string][];
  name: string | null;
  filename: string | null;
  bytes: number;
};

export type RequestOutcome = 'pending' | 'answered' | 'cut' | 'client-gone';

export type RequestRecord = {
  number: number;
  atMs: number;
  /** Counted from 1 over the life of the service. The second number counts the requests of that connection. */
  connection: number;
  onConnection: number;
  method: string;
  url: string;
  path: string;
  httpVersion: string;
  rawHeaders: string[];
  account: string | null;
  /** Bytes of the body as received, and whether the body was complete. */
  bytes: number;
  bodyComplete: boolean;
  parts: PartRecord[];
  /** The raw beginning and end of a multipart body, as latin1. */
  bodyStart: string;
  bodyEnd: string;
  filename: string | null;
  sha256: string | null;
  fileId: number | null;
  status: number | null;
  outcome: RequestOutcome;
  endedAtMs: number | null;
  /** Requests held against the account after this one, where it was counted. */
  minuteCount: number | null;
  dayCount: number | null;
  /** Kinds of the faults that affected it. */
  faults: string[];
};

export type RequestLog = {
  begin(request: IncomingMessage, atMs: number, path: string): RequestRecord;
  all(): RequestRecord[];
  /** The most API requests that came within any span of this length. */
  busiest(spanMs: number): number;
  violations(): number;
  clear(): void;
};

export function createRequestLog(): RequestLog {
  let records: RequestRecord[] = [];
  let number = 0;
  let refused = 0;
  let connections = 0;
  const connectionOf = new WeakMap<Socket, { connection: number; requests: number }>();

  return {
    begin: (request, atMs, path) => {
      const seen = connectionOf.get(request.socket) ?? { connection: (connections += 1), requests: 0 };
      seen.requests += 1;
      connectionOf.set(request.socket, seen);
      const record: RequestRecord = {
        number: (number += 1),
        atMs,
        connection: seen.connection,
        onConnection: seen.requests,
        method: request.method ?? '',
        url: request.url ?? '',
        path,
        httpVersion: request.httpVersion,
        rawHeaders: request.rawHeaders,
        account: null,
        bytes: 0,
        bodyComplete: false,
        parts: [],
        bodyStart: '',
        bodyEnd: '',
        filename: null,
        sha256: null,
        fileId: null,
        status: null,
        outcome: 'pending',
        endedAtMs: null,
        minuteCount: null,
        dayCount: null,
        faults: [],
      };
      records.push(record);
      if (records.length > mostRecords * 1.1) {
        const dropped = records.slice(0, records.length - mostRecords);
        refused += dropped.filter((each) => each.status === 429).length;
        records = records.slice(-mostRecords);
      }
      return record;
    },
    all: () => records,
    busiest: (spanMs) =>
      busiest(
        records.filter((each) => each.account !== null).map((each) => each.atMs),
        spanMs,
      ),
    violations: () => refused + records.filter((each) => each.status === 429).length,
    clear: () => {
      records = [];
      refused = 0;
    },
  };
}

/** A request exactly one span after another is outside the other's span, as in the sliding window. */
function busiest(stamps: number[], spanMs: number): number {
  let most = 0;
  let first = 0;
  stamps.forEach((stamp, last) => {
    while ((stamps[first] ?? stamp) <= stamp - spanMs) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}
