// Root reads every file by its capabilities: a test about permissions starts its program without them.

/** Put before a program and its arguments: nothing for an ordinary user; for root, `setpriv` of util-linux. */
export const withoutCapabilities: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
