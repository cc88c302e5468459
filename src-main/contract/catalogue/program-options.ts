// What several commands of the table take (program.ts): options and arguments with their help.
import { expiryPresets } from '../expiry.ts';
import { linkForms } from '../text/link-text.ts';
import { places, sorts } from './choices.ts';

export const commonOptions = [
  { usage: '--json', text: 'print one JSON object per line, and nothing else' },
  { usage: '--home <dir>', text: 'data folder (default: OUTTRAY_HOME, or the system’s)' },
  {
    usage: '--profile <name>',
    text: 'account with its own data (default: OUTTRAY_PROFILE)',
    conflicts: ['home'],
  },
  { usage: '--base-url <url>', text: 'base address of the service, such as https://…/api/v1' },
  { usage: '--quiet', text: 'print only results and errors' },
  { usage: '-v, --verbose', text: 'print the log on standard error' },
  { usage: '--no-progress', text: 'show no progress bars' },
] as const;

/** How a file can be named in every command. */
export const named = 'a link, a path, an id at the service, a queue id such as q5, or a unique name';

/** For commands that take links away. */
export const unasked = 'do not ask first; without a terminal it never asks';

/** What `watch` and `folders add` share. */
export const existing = {
  usage: '--existing <what>',
  text: 'what to do with the files already in a folder that was never watched',
  choices: ['skip', 'upload'],
  default: 'skip',
} as const;

/** What `list` and `search` share. */
export const order = [
  {
    usage: '--sort <by>',
    text: 'newest, largest or most downloaded first, or names from A to Z',
    choices: sorts,
  },
  { usage: '--reverse', text: 'reverse the order' },
  { usage: '--place <where>', text: 'uploaded here, elsewhere, or gone from the service', choices: places },
  { usage: '--folder <dir>', text: 'only files of this watched folder' },
  { usage: '--page <n>', text: 'page number' },
  { usage: '--limit <n>', text: 'page size' },
  { usage: '--all', text: 'all pages' },
] as const;

/** What `upload` and `paste` share. */
export const sending = [
  { usage: '--no-wait', text: 'end with exit code 6 instead of waiting for the request budget' },
  { usage: '--again', text: 'upload files even if they are already shared; secrets are still held' },
  { usage: '--open', text: 'open the links in the browser' },
  { usage: '--copy', text: 'copy the links to the clipboard' },
  {
    usage: '--format <form>',
    text: `print and copy the links as ${linkForms.filter((form) => form !== 'template').join(', ')}, or a text with {link}`,
    offers: linkForms,
  },
  {
    usage: '--detach',
    text: 'queue the files and return; the upload goes on in the background',
    conflicts: ['copy', 'format', 'open', 'wait'],
  },
  {
    usage: '--expire <when>',
    text: 'take the links back after 1h, 7d, on 2026-12-31, or never; Outtray must be running then',
    offers: [...expiryPresets, 'tomorrow', 'never'],
  },
] as const;
