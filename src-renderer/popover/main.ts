// Entry of the popover of the tray: a page of its own beside the window's, over the same bridge.
import { mount } from 'svelte';
import type { Bridge } from '../../src-main/contract/client.ts';
import '../tokens.css';
import '../base.css';
import { Newest } from './newest.svelte.ts';
import Popover from './Popover.svelte';

const target = document.getElementById('app');
// Put there by the preload.
const { outtray: bridge } = window as { outtray?: Bridge };
if (target !== null && bridge !== undefined)
  mount(Popover, { target, props: { newest: new Newest(bridge) } });
