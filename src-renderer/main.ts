// Entry of the window: takes the bridge the preload put there, starts the state, mounts the app.
import { mount } from 'svelte';
import type { Bridge } from '../src-main/contract/client.ts';
import App from './App.svelte';
import { Session } from './state/session.svelte.ts';
import './tokens.css';
import './base.css';

const target = document.getElementById('app');
// Only the preload can put it there: the boundary of this program.
const { outtray: bridge } = window as { outtray?: Bridge };
if (target !== null && bridge !== undefined) {
  document.documentElement.dataset['platform'] = bridge.platform ?? 'linux';
  mount(App, { target, props: { session: new Session(bridge) } });
} else if (target !== null) {
  // Only without the preload (a plain browser): there is nothing to show and nothing to ask.
  target.textContent = 'Outtray';
}
