// What is docked under the open view, and the way of F6: from the navigation to the list of the view, and to the dock.
import type { Files } from './files.svelte.ts';
import type { Session } from './session.svelte.ts';

export type Dock = 'publishing' | 'recall' | 'selection' | 'packing' | 'given';

/** One at a time: what is displaced comes back. */
export const dockOf = (
  { publishing, recalling, packings, given, view, reviewing }: Session,
  files: Files,
): Dock | null => {
  if (publishing.uploads.length > 0) return 'publishing';
  const isSelecting = view === 'files' && !reviewing && files.isSelecting;
  // One that is over waits behind what the user does next.
  if (recalling.rows.length > 0 && !(recalling.isSettled && isSelecting)) return 'recall';
  if (isSelecting) return 'selection';
  if (packings.length > 0) return 'packing';
  return given.shown === null ? null : 'given';
};

const zones = ['nav', 'main > .view:not([hidden])', '[data-dock]'];

/** Where the keyboard works in a zone: the list of a view, else its first button. */
const entry = (zone: HTMLElement): HTMLElement | null =>
  zone.matches('.view')
    ? (zone.querySelector<HTMLElement>('[role=grid]') ??
      zone.querySelector<HTMLElement>('[role=region][tabindex], h1'))
    : (zone.querySelector<HTMLElement>('[aria-current]') ??
      zone.querySelector<HTMLElement>('button:not(:disabled, [aria-disabled])'));

export const focusZone = (by: 1 | -1): void => {
  const there = zones.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? []);
  const at = there.findIndex((zone) => zone.contains(document.activeElement));
  const next = there.at(at === -1 && by === -1 ? -1 : (at + by) % there.length);
  if (next !== undefined) entry(next)?.focus();
};
