// Words to choose from, where more than one place offers them.

/** The formats of a release card. */
export const cardForms = ['markdown', 'html', 'json', 'sha256sums'] as const;

/** The orders in which `list` and `search` show files. */
export const sorts = ['uploaded', 'name', 'size', 'downloads'] as const;
export const places = ['here', 'elsewhere', 'gone'] as const;

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/**
 * What a command wants a file for. `link`: a file with a link of this machine. `service`: any file of the account.
 * `path`: what lies there, shared or not. The others: a file in the queue.
 */
export const namedFor = ['link', 'service', 'path', 'confirm', 'cancel', 'retry', 'resolve'] as const;
export type NamedFor = (typeof namedFor)[number];
