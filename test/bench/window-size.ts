// Goal 13 of performance: what the window reads before its first picture. The code of the other views is counted too,
// but comes when they are opened.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import buildWhenStale from '../support/build.ts';
import { judge, type Bench } from './frame.ts';
import { showTable } from './show.ts';

const built = path.resolve(import.meta.dirname, '../../out/window');
const mostBytes = 110_000;

const zipped = (file: string): number => gzipSync(readFileSync(path.join(built, file))).length;

export const bench: Bench = {
  name: 'window-size',
  goal: `script at start ≤ ${mostBytes / 1_000} kB gzip`,
  async run() {
    await buildWhenStale();
    const html = readFileSync(path.join(built, 'index.html'), 'utf8');
    const atStart = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(
      ([, file]) => file ?? '',
    );
    const all = readdirSync(path.join(built, 'assets')).map((file) => `assets/${file}`);
    const sum = (files: readonly string[], ending: string): number =>
      files.filter((file) => file.endsWith(ending)).reduce((bytes, file) => bytes + zipped(file), 0);
    const later = all.filter((file) => !atStart.includes(file));
    const figures = {
      scriptAtStartBytes: sum(atStart, '.js'),
      styleAtStartBytes: sum(atStart, '.css'),
      scriptLaterBytes: sum(later, '.js'),
      styleLaterBytes: sum(later, '.css'),
    };
    showTable(['gzip', 'bytes'], Object.entries(figures));
    const judged = judge([
      { what: 'script at start, bytes', value: figures.scriptAtStartBytes || null, atMost: mostBytes },
    ]);
    return { ...judged, ...figures };
  },
};
