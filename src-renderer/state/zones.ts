// What is docked under every view, and where the keyboard is: F6 moves from the navigation to the list of the view
// and to the dock, and the focus gets a new place when its element is gone.
import type { Session } from './session.svelte.ts';

export type Dock = 'told' | 'publishing' | 'recall' | 'packing' | 'given';

/** What the dock shows, from the top: what was just done, then what has a deadline; nothing hides anything else. */
export const docksOf = ({ notice, publishing, recalling, packings, given }: Session): Dock[] => {
  const docks: [Dock, boolean][] = [
    ['told', notice !== null],
    ['publishing', publishing.count > 0],
    ['recall', recalling.rows.length > 0],
    ['packing', packings.length > 0],
    ['given', given.shown !== null],
  ];
  return docks.flatMap(([dock, isShown]) => (isShown ? [dock] : []));
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

const SETTLE_MS = 50;
const focusable = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), [tabindex]';
const isThere = (element: HTMLElement): boolean => element.isConnected && element.checkVisibility();

/**
 * A button may disappear once it has done its work, or its view may close. If nothing else has taken the focus by then,
 * this function moves it: to the element that is now in the same place, else to the first one near it, else to the list
 * or the heading of the view. Returns its undo.
 */
export const keepFocus = (): (() => void) => {
  let last: { element: HTMLElement; above: HTMLElement[]; at: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const hold = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const above: HTMLElement[] = [];
    for (let one = target.parentElement; one !== null && one !== document.body; one = one.parentElement)
      above.push(one);
    last = { element: target, above, at: [...(above[0]?.children ?? [])].indexOf(target) };
  };
  const look = (): void => {
    timer = undefined;
    if (last === null || document.activeElement !== document.body || isThere(last.element)) return;
    const { above, at } = last;
    const near = above.find(isThere);
    const inPlace = near === above[0] ? near?.children[at] : undefined;
    if (inPlace instanceof HTMLElement && inPlace.matches(focusable)) inPlace.focus();
    else if (near?.closest('main .view, nav, [data-dock], [role=dialog]') instanceof HTMLElement)
      near.querySelector<HTMLElement>(focusable)?.focus();
    if (document.activeElement !== document.body) return;
    const view = document.querySelector<HTMLElement>('main > .view:not([hidden])');
    if (view !== null) entry(view)?.focus();
  };
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body) timer ??= setTimeout(look, SETTLE_MS);
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['hidden'],
  });
  document.addEventListener('focusin', hold);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', hold);
  };
};
