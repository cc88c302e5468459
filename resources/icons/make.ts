// Draws every icon file from the sources in `source/`: `node resources/icons/make.ts`. The results are committed, so
// that a build needs no browser. Chromium rasterises; ICO and ICNS are plain containers of PNGs and are written here.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';

const here = import.meta.dirname;
const traySet = path.join(here, '../tray');
const source = (name: string): Promise<string> => readFile(path.join(here, 'source', name), 'utf8');

/** The states of the tray. The mark differs in shape, not only in colour. */
const trayStates = ['idle', 'working', 'paused', 'attention', 'offline'] as const;
type TrayState = (typeof trayStates)[number];

/** On a 16 grid: the tray is at the bottom, and the mark in it shows what it does. */
const marks: Record<TrayState, string> = {
  idle: '<path d="M8 9.5V2.5M5 5.2 8 2.2l3 3"/>',
  working: '<path d="M4.9 5 8 1.9 11.1 5M4.9 9.4 8 6.3l3.1 3.1"/>',
  paused: '<path d="M6.2 2.5v6M9.8 2.5v6"/>',
  attention: '<path d="M8 1.8v4.9M8 9.8h.01"/>',
  offline: '<path d="m5.6 3 4.8 4.8M10.4 3 5.6 7.8"/>',
};

const tray = (state: TrayState, color: string, accent: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
  <path stroke="${color}" d="M1.75 8.5v3.25a2 2 0 0 0 2 2h8.5a2 2 0 0 0 2-2V8.5"/>
  <g stroke="${accent}">${marks[state]}</g>
</svg>`;

/** Template: black with alpha, tinted by macOS. The others name the bar they stand on. */
const traySets = {
  Template: { color: '#000', accents: {} },
  light: { color: '#1f1d1a', accents: { working: '#0b655e', attention: '#a8231b' } },
  dark: { color: '#ece9e4', accents: { working: '#62c7b9', attention: '#f29a92' } },
} satisfies Record<string, { color: string; accents: Partial<Record<TrayState, string>> }>;

const draw = async (page: Page, svg: string, sizePx: number): Promise<Buffer> => {
  await page.setViewportSize({ width: sizePx, height: sizePx });
  const sized = svg.replace(
    '<svg ',
    `<svg width="${String(sizePx)}" height="${String(sizePx)}" style="display:block" `,
  );
  await page.setContent(`<!doctype html><body style="margin:0">${sized}</body>`);
  return await page.screenshot({ omitBackground: true });
};

/** ICO: a directory of PNGs; a width of 0 stands for 256. */
const ico = (pictures: readonly { sizePx: number; png: Buffer }[]): Buffer => {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ sizePx, png }, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(sizePx % 256, at);
    head.writeUInt8(sizePx % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...pictures.map((picture) => picture.png)]);
};

/** ICNS: four letters and a length before each PNG. */
const icns = (pictures: readonly { type: string; png: Buffer }[]): Buffer => {
  const entries = pictures.map(({ type, png }) => {
    const head = Buffer.alloc(8);
    head.write(type, 'ascii');
    head.writeUInt32BE(png.length + 8, 4);
    return Buffer.concat([head, png]);
  });
  const body = Buffer.concat(entries);
  const head = Buffer.alloc(8);
  head.write('icns', 'ascii');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
};

const icnsTypes = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  const app = await source('app.svg');
  const pictures = new Map<number, Buffer>();
  for (const sizePx of [16, 24, 32, 48, 64, 128, 256, 512, 1024])
    pictures.set(sizePx, await draw(page, app, sizePx));
  const picture = (sizePx: number): Buffer => pictures.get(sizePx) ?? Buffer.alloc(0);

  await writeFile(path.join(here, 'icon.png'), picture(512));
  await writeFile(
    path.join(here, 'icon.ico'),
    ico([16, 24, 32, 48, 64, 256].map((sizePx) => ({ sizePx, png: picture(sizePx) }))),
  );
  await writeFile(
    path.join(here, 'icon.icns'),
    icns(
      Object.entries(icnsTypes).flatMap(([sizePx, types]) =>
        types.map((type) => ({ type, png: picture(Number(sizePx)) })),
      ),
    ),
  );
  for (const sizePx of [16, 32, 48, 128, 256]) {
    await mkdir(path.join(here, 'linux'), { recursive: true });
    await writeFile(path.join(here, 'linux', `${String(sizePx)}x${String(sizePx)}.png`), picture(sizePx));
  }

  await mkdir(traySet, { recursive: true });
  for (const [set, { color, accents }] of Object.entries(traySets)) {
    for (const state of trayStates) {
      const svg = tray(state, color, (accents as Partial<Record<TrayState, string>>)[state] ?? color);
      const name = set === 'Template' ? `${state}Template` : `${state}-${set}`;
      const small = await draw(page, svg, 16);
      const large = await draw(page, svg, 32);
      await writeFile(path.join(traySet, `${name}.png`), small);
      await writeFile(path.join(traySet, `${name}@2x.png`), large);
      // Windows picks the size it needs out of one file.
      if (set !== 'Template') {
        const pictures = [
          { sizePx: 16, png: small },
          { sizePx: 24, png: await draw(page, svg, 24) },
          { sizePx: 32, png: large },
        ];
        await writeFile(path.join(traySet, `${name}.ico`), ico(pictures));
      }
    }
  }
} finally {
  await browser.close();
}
