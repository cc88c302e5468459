// The version, from package.json in a checkout and from the bundle elsewhere.
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;
