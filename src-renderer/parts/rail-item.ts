// One entry of the rail.
import type { Component } from 'svelte';

export type RailItem = {
  name: string;
  label: string;
  icon: Component<{ size?: number; strokeWidth?: number; 'aria-hidden'?: 'true' }>;
  /** A number beside the name, and what it consists of, for a screen reader. */
  badge?: { text: string; label: string; tone: 'calm' | 'warn' | 'bad' };
};
