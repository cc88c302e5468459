// What a trial reports about a service that differs from the plain one: each finding in plain words.
import { expect, test } from 'vitest';
import type { Check } from '../../../src-main/contract/answers.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { RemotePage, ServiceStats } from '../../../src-main/contract/model.ts';
import {
  deleteCheck,
  limitCheck,
  linkHostCheck,
  listCheck,
  nameCheck,
  newIdCheck,
  orderCheck,
  rateCheck,
  sameBytesCheck,
  sizeCheck,
  tailCheck,
  totalCheck,
  zoneCheck,
  type Sent,
} from '../../service/trial/findings.ts';

const sent = [7, 8, 9].map((file_id): Sent => ({
  sentName: 'a.txt',
  sizeBytes: 10,
  receipt: {
    file_id,
    filename: 'a.txt',
    public_link: `https://x.example/${file_id}`,
    size: 10,
  },
}));
/** The uploads with other answers. */
const answered = (answer: (one: Sent) => Sent['receipt'], sizeBytes = 10): Sent[] =>
  sent.map((one) => ({ ...one, sizeBytes, receipt: answer(one) }));
const page = (ids: number[], pagination: Partial<RemotePage['pagination']> = {}): RemotePage => ({
  files: ids.map((file_id) => ({ file_id })),
  pagination: { page: 1, limit: 50, total: ids.length, pages: 1, ...pagination },
});
const stats = (total_files: number) => ({ stats: { total_files } }) as ServiceStats;
const gone = new AppError('not-found', 'Not there.', '');
const noonMs = Date.parse('2026-03-01T12:00:00Z');
const zone = (upload_date?: string): Check =>
  zoneCheck({ file_id: 1, ...(upload_date === undefined ? {} : { upload_date }) }, noonMs);

test.each<[string, () => Check, boolean | null, RegExp]>([
  ['a link without a host', () => linkHostCheck(['nowhere'], () => false), false, /lead to no host/],
  ['no link at all', () => linkHostCheck([], () => true), true, /lead to no host/],
  [
    'other bytes',
    () => sameBytesCheck([{ digest: null, sha256: 'a' }]),
    false,
    /other bytes|not serve|exactly/,
  ],
  ['an id of its own for each upload', () => newIdCheck(sent), true, /an id and a link of its own/],
  [
    'an id that two uploads share',
    () => newIdCheck(answered(({ receipt }) => ({ ...receipt, file_id: 7 }))),
    false,
    /^3 uploads got 1 ids and 3 links/,
  ],
  [
    'a link that two uploads share',
    () => newIdCheck(answered(({ receipt }) => ({ ...receipt, public_link: 'https://x.example/7' }))),
    false,
    /^3 uploads got 3 ids and 1 links/,
  ],
  [
    'a host that is not allowed',
    () => linkHostCheck(['https://x.example/7'], () => false),
    false,
    /x\.example, which is not/,
  ],
  ['the same bytes', () => sameBytesCheck([{ digest: 'a', sha256: 'a' }]), true, /exactly the bytes/],
  [
    'a link that cannot be fetched, also when another can',
    () =>
      sameBytesCheck([
        { digest: 'a', sha256: 'a' },
        { digest: new AppError('offline', 'No way.'), sha256: 'b' },
      ]),
    null,
    /could not be fetched: No way/,
  ],
  ['names that stay', () => nameCheck(sent), true, /keeps the name/],
  [
    'names that do not stay',
    () => nameCheck(answered(({ receipt }) => ({ ...receipt, filename: 'A.TXT' }))),
    null,
    /made “A\.TXT” of “a\.txt”/,
  ],
  ['a list that is whole', () => listCheck(sent, [page([9, 8, 7])]), true, /in the list at once/],
  [
    'a list that is behind',
    () => listCheck(sent, [page([7])]),
    null,
    /^2 of 3 new files were not in the list/,
  ],
  ['a list of more pages', () => listCheck(sent, [page([1], { total: 90 })]), null, /not on the pages/],
  ['the newest first', () => orderCheck(sent, [page([9, 8, 7])]), true, /newest file first/],
  ['the oldest first', () => orderCheck(sent, [page([7, 8, 9])]), true, /oldest file first/],
  ['no order', () => orderCheck(sent, [page([8, 7, 9])]), null, /neither by age nor backwards/],
  ['an order that cannot be seen', () => orderCheck(sent, [page([7])]), null, /could not be told/],
  [
    'more than asked for',
    () => limitCheck(page([]), page([1, 2]), null, 1000),
    false,
    /1 was asked for, 2 files/,
  ],
  ['a page that is too large', () => limitCheck(page([]), page([1]), null, 1000), true, /; 1000 is refused/],
  [
    'the largest page',
    () => limitCheck(page([]), page([1]), page([], { limit: 100 }), 1000),
    true,
    /holds 50 files unless asked otherwise; at most 100/,
  ],
  [
    'any size of a page',
    () => limitCheck(page([]), page([1]), page([], { limit: 1000 }), 1000),
    true,
    /1000 is taken as asked/,
  ],
  [
    'a wrong number of pages',
    () => totalCheck(0, 3, page([7, 8, 9], { pages: 4 }), stats(3)),
    false,
    /says 4 pages for 3 files/,
  ],
  [
    'a page without a limit',
    () => totalCheck(0, 3, page([7, 8, 9], { limit: 0 }), stats(3)),
    false,
    /of 0 a page/,
  ],
  ['a right total', () => totalCheck(0, 3, page([7, 8, 9]), stats(3)), true, /counts its files right \(3\)/],
  ['other statistics', () => totalCheck(0, 3, page([7, 8, 9]), stats(5)), null, /the statistics 5/],
  [
    'other programs',
    () => totalCheck(4, 3, page([7, 8, 9]), stats(3)),
    null,
    /3 files where 7 were expected/,
  ],
  ['no unit', () => sizeCheck([]), null, /could not be told from files this small/],
  [
    'sizes in thousands',
    () => sizeCheck(answered(({ receipt }) => ({ ...receipt, size: 48 }), 48_000)),
    true,
    /in thousands of bytes \(kB\)/,
  ],
  ['a date of its own', () => zone('1 March'), null, /documented form/],
  ['no date', () => zone(), null, /documented form/],
  ['a day that is none', () => zone('2026-13-77 12:00:00'), null, /no time zone there is/],
  ['a clock that is wrong', () => zone('2026-03-01 12:07:00'), null, /no time zone there is/],
  ['a date days away', () => zone('2026-03-03 12:00:00'), null, /no time zone there is/],
  ['a time zone in the west', () => zone('2026-03-01 08:30:00'), true, /UTC−3\.5 h/],
  ['a time zone in the east', () => zone('2026-03-01 17:30:00'), true, /UTC\+5\.5 h/],
  ['dates in UTC', () => zone('2026-03-01 12:00:40'), true, /in UTC\.$/],
  ['half a file in the list', () => tailCheck(true, 0, 3, page([7, 8, 9])), false, /only a part was sent\.$/],
  [
    'one file too many',
    () => tailCheck(false, 0, 2, page([7, 8, 9])),
    false,
    /one file more than was uploaded/,
  ],
  ['an upload that left nothing', () => tailCheck(false, 0, 3, page([7, 8, 9])), true, /creates nothing/],
  ['a file that went away', () => tailCheck(false, 0, 3, page([7])), null, /could not be told/],
  ['a file that stays', () => deleteCheck({ info: null, link: gone }), false, /still there\.$/],
  [
    'a file that cannot be asked',
    () => deleteCheck({ info: new AppError('offline', 'No way.', ''), link: gone }),
    false,
    /still there \(No way\.\)/,
  ],
  ['a link that stays', () => deleteCheck({ info: gone, link: 'a' }), false, /still serves/],
  ['a file that is gone', () => deleteCheck({ info: gone, link: gone }), true, /gone, and so is its link/],
  [
    'a link that is gone in other words',
    () => deleteCheck({ info: gone, link: new AppError('refused', 'Not here.', '', { status: 404 }) }),
    true,
    /gone, and so is its link/,
  ],
  ['a link of other bytes', () => deleteCheck({ info: gone, link: null }), false, /still serves/],
  [
    'a link that cannot be asked',
    () => deleteCheck({ info: gone, link: new AppError('offline', 'No way.', '') }),
    null,
    /its link answers: No way/,
  ],
  ['no header of a rate limit', () => rateCheck(null), null, /says nothing about its rate limit/],
  ['headers that name none', () => rateCheck([]), null, /says nothing about its rate limit/],
  ['headers of a rate limit', () => rateCheck(['x-rate']), null, /speaks of its rate limit in x-rate/],
])('a trial reports %s', (_, check, ok, message) => {
  const told = check();
  expect(told.message).toMatch(message);
  if (told.name !== 'rate') expect(told.ok).toBe(ok);
});
