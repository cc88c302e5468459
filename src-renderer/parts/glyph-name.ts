// The pictures of Glyphs.svelte.
import type { FileKind } from '../words/name.ts';

export type GlyphName = FileKind | 'check' | 'tick' | 'copy' | 'more' | 'bell';
