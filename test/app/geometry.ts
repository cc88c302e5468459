// What a person sees of the window in one state: nothing is covered, cut, wrapped or in another language, and one button
// at most is filled. `OUTTRAY_PICTURES`: the folder for a picture of each, to look at.
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { locales } from '../../src-main/contract/locales/all.ts';
import { call } from './stage.ts';
import type { RunningApp } from '../support/app.ts';

/** The last one is 960 × 640 at 200 %. */
export const sizes = [
  { width: 960, height: 640 },
  { width: 640, height: 480 },
  { width: 480, height: 320 },
] as const;
const languages = ['de', 'es', 'zh', 'en'] as const;

type Language = (typeof languages)[number];

/** Words of the window in English that are other ones in this language. */
const englishIn = (language: Language): string[] => {
  const own = new Set(Object.values(locales[language]));
  return Object.values(locales.en).filter((text) => !own.has(text));
};

/** In the page. With an open dialog or menu only what is in it counts. */
const faultsOf = (english: readonly string[]): string[] => {
  type Box = { left: number; top: number; right: number; bottom: number };
  /** Accented words that are closer would be read as one. */
  const apartPx = 40;
  const open = document.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog], [role=menu]');
  const root = [...open].at(-1) ?? document.body;
  const wordsOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 50);
  const isSeen = (one: Element): boolean => {
    const { width, height } = one.getBoundingClientRect();
    return (
      one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 2 && height > 2
    );
  };
  const isIn = (one: Element, hit: Element | null): boolean =>
    hit !== null && (one.contains(hit) || (one.closest('label')?.contains(hit) ?? false));

  /** What remains of a box in the parts around it, and whether a part that does not scroll cuts it. */
  const clipped = (of: Element, box: Box): { box: Box; isCut: boolean; hasEllipsis: boolean } => {
    // Its sides are no fields of their own.
    const left: Box = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
    let isCut = false;
    let hasEllipsis = false;
    for (let one: Element | null = of; one !== null; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const edge = one.getBoundingClientRect();
        // What an inner part has scrolled away is not cut by an outer one.
        const isTall = left.top < left.bottom && (left.top < edge.top - 4 || left.bottom > edge.bottom + 4);
        const isWide = left.left < left.right && (left.left < edge.left - 2 || left.right > edge.right + 2);
        // At 200 % a banner shows two lines, and all of them when pointed at.
        const isClamped = style.webkitLineClamp !== 'none' && innerWidth < 600;
        if ((isWide && style.textOverflow === 'ellipsis') || isClamped) hasEllipsis = true;
        else if (isWide && ['hidden', 'clip'].includes(style.overflowX)) isCut = true;
        // A list of thousands places its own rows.
        const isPlace = style.contain !== 'none';
        if (isTall && ['hidden', 'clip'].includes(style.overflowY) && !isPlace) isCut = true;
        if (style.overflowX !== 'visible') {
          left.left = Math.max(left.left, edge.left);
          left.right = Math.min(left.right, edge.right);
        }
        if (style.overflowY !== 'visible') {
          left.top = Math.max(left.top, edge.top);
          left.bottom = Math.min(left.bottom, edge.bottom);
        }
      }
      if (style.position === 'fixed') break;
    }
    left.left = Math.max(left.left, 0);
    left.top = Math.max(left.top, 0);
    left.right = Math.min(left.right, innerWidth);
    left.bottom = Math.min(left.bottom, innerHeight);
    return { box: left, isCut, hasEllipsis };
  };
  const isWithin = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
    x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1;
  /** It covers only what can be scrolled away from it. */
  const isPinned = (one: Element | null): boolean =>
    one !== null && (getComputedStyle(one).position === 'sticky' || isPinned(one.parentElement));
  /** It has neither a ground nor words: what is below it is seen. */
  const isBare = (one: Element): boolean =>
    /, 0\)$/.test(getComputedStyle(one).backgroundColor) && one.textContent.trim() === '';
  const textsIn = (one: Element): { text: string; parent: Element; lines: DOMRect[] }[] => {
    const found: { text: string; parent: Element; lines: DOMRect[] }[] = [];
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) {
      const { currentNode: node } = walker;
      const parent = node.parentElement;
      const text = node.textContent ?? '';
      if (parent === null || text.trim() === '' || parent.closest('.unseen, option') !== null) continue;
      if (!isSeen(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      found.push({ text: wordsOf(text), parent, lines: [...range.getClientRects()] });
    }
    return found;
  };

  const faults: string[] = [];
  const buttons = [
    ...root.querySelectorAll<HTMLElement>(
      'button, select, input, textarea, a[href], [role=tab], [role=menuitem]',
    ),
  ].filter(isSeen);
  const nameOf = (one: Element): string =>
    `“${wordsOf(one.getAttribute('aria-label') ?? (one.textContent || one.outerHTML))}”`;

  for (const one of buttons) {
    const full = one.getBoundingClientRect();
    const { box, isCut } = clipped(one, full);
    const [x, y] = [(full.left + full.right) / 2, (full.top + full.bottom) / 2];
    if (!isWithin(box, x, y)) {
      if (isCut || x < 0 || x > innerWidth) faults.push(`${nameOf(one)} is cut off`);
      continue;
    }
    const hit = document.elementFromPoint(x, y);
    if (!isIn(one, hit) && !isPinned(hit)) faults.push(`${nameOf(one)} is covered by ${nameOf(hit ?? root)}`);
  }
  for (const { text, parent, lines } of textsIn(root)) {
    for (const line of lines.filter(({ width }) => width > 1)) {
      const { box, isCut, hasEllipsis } = clipped(parent, line);
      if (isCut && !hasEllipsis) faults.push(`the text “${text}” is cut`);
      const y = (line.top + line.bottom) / 2;
      for (const x of [box.left + 2, (box.left + box.right) / 2, box.right - 2]) {
        if (!isWithin(box, x, y)) continue;
        const hit = document.elementFromPoint(x, y);
        if (hit === null || hit.contains(parent) || parent.contains(hit) || isPinned(hit)) continue;
        if (parent.closest('button, label')?.contains(hit) === true || isBare(hit)) continue;
        if (getComputedStyle(parent).pointerEvents === 'none') continue;
        faults.push(`the text “${text}” is covered by ${nameOf(hit)}`);
        break;
      }
    }
  }
  // The foot of the rail is two lines that lead to the queue; a choice may have its price on a line of its own.
  for (const one of buttons.filter((button) => button.matches('button:not(.live)')))
    for (const { text, lines } of textsIn(one))
      if (new Set(lines.map(({ top }) => Math.round(top / 4))).size > 1)
        faults.push(`“${text}” has two lines`);

  const probe = document.createElement('i');
  probe.style.cssText = 'color: var(--accent); background: var(--accent)';
  document.body.append(probe);
  const accent = getComputedStyle(probe).color;
  probe.remove();
  const filled = buttons.filter(
    (one) => getComputedStyle(one).backgroundColor === accent && one.getAttribute('role') !== 'switch',
  );
  if (filled.length > 1) faults.push(`filled: ${filled.map(nameOf).join(', ')}`);

  const strong = textsIn(root).flatMap(({ text, parent, lines }) => {
    const { color, fontWeight } = getComputedStyle(parent);
    const of = parent.closest('button, p, h1, h2, h3, li') ?? parent;
    return color === accent && Number(fontWeight) >= 600
      ? lines.map((line) => ({ text, of, box: clipped(parent, line).box }))
      : [];
  });
  for (const [at, one] of strong.entries())
    for (const other of strong.slice(at + 1)) {
      if (one.of === other.of) continue;
      const dx = Math.max(other.box.left - one.box.right, one.box.left - other.box.right, 0);
      const dy = Math.max(other.box.top - one.box.bottom, one.box.top - other.box.bottom, 0);
      if (Math.hypot(dx, dy) < apartPx) faults.push(`bold and green: “${one.text}” beside “${other.text}”`);
    }
  // The names of files are in any language.
  for (const { text, parent } of textsIn(root))
    if (parent.closest('bdi') === null && english.some((one) => wordsOf(one) === text))
      faults.push(`English: “${text}”`);
  if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls sideways');
  return [...new Set(faults)];
};

const pictures = process.env['OUTTRAY_PICTURES'];

/** By language and size. `reach` brings a state back that lasts a few seconds only. */
export const faultsIn = async (
  app: RunningApp,
  state: string,
  page: Page = app.window,
  reach?: () => Promise<void>,
): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const language of languages) {
    await call(app.window, 'settings.set', { name: 'language', value: language });
    await reach?.();
    await page.locator(`html[lang^=${language}]`).waitFor({ state: 'attached' });
    for (const size of page === app.window ? sizes : [null]) {
      if (size !== null) await page.setViewportSize(size);
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      const faults = await page.evaluate(faultsOf, englishIn(language));
      const name =
        `${language} ${size === null ? '' : `${String(size.width)}×${String(size.height)}`}`.trim();
      if (pictures !== undefined)
        await page.screenshot({ path: path.join(pictures, `${state}, ${name}.png`) });
      if (faults.length > 0) found[name] = faults;
    }
  }
  if (page === app.window) await page.setViewportSize(sizes[0]);
  return found;
};

/** Where the names that are shown begin. */
export const leftEdges = async (names: Locator): Promise<number[]> => [
  ...new Set(
    await names.evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility())
        .map((one) => Math.round(one.getBoundingClientRect().left * 10) / 10),
    ),
  ),
];

/** Where the last action of each ends: its frame if it has one, otherwise its word or its sign. */
export const rightEdges = async (actions: Locator): Promise<number[]> =>
  actions.evaluateAll((all) =>
    all.flatMap((group) => {
      const buttons = [...group.querySelectorAll('button')].filter((one) => one.checkVisibility());
      const last = group.matches('button') ? group : buttons.at(-1);
      if (last === undefined) return [];
      const { borderTopColor, borderTopWidth } = getComputedStyle(last);
      const hasFrame = parseFloat(borderTopWidth) > 0 && !/^rgba\(.*, 0\)$|transparent/.test(borderTopColor);
      if (hasFrame) return [last.getBoundingClientRect().right];
      const range = document.createRange();
      range.selectNodeContents(last);
      return [Math.max(...[...range.getClientRects()].map(({ right }) => right))];
    }),
  );
