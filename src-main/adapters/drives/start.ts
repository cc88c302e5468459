// Starts the process of a drive. Nothing waits for its end: while a call hangs, not even SIGKILL ends it.
import { startChild } from '../programs/run-program.ts';
import { Socket } from 'node:net';
import { parse } from 'node:path';
import type { Command } from '../system/own-program.ts';
import type { Link } from './drive.ts';
import type { DriveReply } from './messages.ts';

export const startDrive = ({ file, args }: Command, root: string, env = process.env): Link => {
  const child = startChild(file, args, {
    // In the order that drive-child.ts expects. No output: a reader of our output would wait for a process that hangs.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    serialization: 'advanced',
    // Ctrl-C in the terminal is only for the program that asks.
    detached: true,
    cwd: parse(file).root,
    env,
    windowsHide: true,
  });
  const signs = child.stdio?.[4];
  child.unref();
  child.channel?.unref();
  if (signs instanceof Socket) signs.unref();
  // A process that did not start has a channel all the same: `error` says what is wrong.
  if (child.connected) child.send?.({ root }, () => undefined);
  return {
    send: (order) => void child.send?.(order, () => undefined),
    listen({ reply, sign, end }) {
      let isOver = false;
      const over = (): void => {
        if (!isOver) end();
        isOver = true;
      };
      child.on('message', (message) => reply(message as DriveReply));
      signs?.on('data', sign);
      signs?.on('error', () => undefined);
      child.on('error', over);
      child.once('exit', over);
    },
    hold(isHeld) {
      if (isHeld) child.channel?.ref();
      else child.channel?.unref();
    },
    end() {
      child.kill('SIGKILL');
      if (child.connected) child.disconnect();
    },
  };
};
