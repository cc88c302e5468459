// In which order, and which files, `list` and `search` show.

export const sorts = ['uploaded', 'name', 'size', 'downloads'] as const;
export const places = ['here', 'elsewhere', 'gone'] as const;

export type KnownFlags = {
  sort?: (typeof sorts)[number];
  reverse?: boolean;
  place?: (typeof places)[number];
  folder?: string;
  limit?: string;
  page?: string;
  all?: boolean;
};
