// The accounts of the service that a ledger has files in.
import type { FileId } from '../../contract/text/file-id.ts';

/** What one file of an account looked like when it was last seen. */
export type Witness = {
  accountId: number;
  fileId: FileId;
  publicLink: string | null;
  filename: string | null;
  /** As the service gave it. */
  size: number | null;
  uploadDate: string | null;
};

/** Ids of accounts are this ledger's own. Marks: see Keys. */
export type AccountTable = {
  /** The account whose files the other tables show. */
  present(): number;
  /** Random hex digits of this ledger, for the marks of its keys. */
  salt(): string;
  /** The account that a key with this mark was shown to be of; null: not known. */
  ofMark(mark: string): number | null;
  /** It is no mark of another account any more. */
  addMark(id: number, mark: string): void;
  count(): number;
  /** A new account, not present yet; returns its id. */
  add(): number;
  /** Makes it present. Uploads that were never sent go to it. */
  become(id: number): void;
  /** Something of this ledger is, or may be, in an account. */
  hasSent(): boolean;
  /** Something is in an account, and no key was shown to be of it: the ledger comes from an earlier version. */
  isUnproved(): boolean;
  /** Files that can show whose key it is, at most this many for each account: the present one first, our own first. */
  witnesses(most: number): Witness[];
};
