// Words to choose from, where more than one place offers them.

/** As what a release card is written. */
export const cardForms = ['markdown', 'html', 'json', 'sha256sums', 'winget', 'scoop', 'homebrew'] as const;

/** In which order `list` and `search` show files. */
export const sorts = ['uploaded', 'name', 'size', 'downloads'] as const;
export const places = ['here', 'elsewhere', 'gone'] as const;

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/**
 * What a file is named for. `link`: one of this machine. `service`: any of the account. `path`: what lies there, shared or not.
 * The others: of the queue.
 */
export const namedFor = ['link', 'service', 'path', 'confirm', 'cancel', 'retry', 'resolve'] as const;
export type NamedFor = (typeof namedFor)[number];
