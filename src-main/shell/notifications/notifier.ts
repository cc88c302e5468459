// One notification per burst, not per file. Clicking it copies the link(s), or shows the queue.
import { Notification } from 'electron';
import type { Entry } from '../../contract/entries.ts';
import type { Drops } from '../drop/drops.ts';
import { createBurst, type After } from './burst.ts';
import {
  isUnseen,
  notableOf,
  notificationsFor,
  type Notable,
  type NotificationClick,
  type NotificationText,
} from './notifications.ts';
import type { Say } from '../../contract/text/speech.ts';

/** A notification that is not kept is collected with its listeners, and a click on it does nothing. */
const kept = 20;

/**
 * At the service's pace a minute is 48 files: these become one notification. 5,000 files take 104 minutes, and users do
 * not want a notification each minute.
 */
const limits = { firstMs: 60_000, laterMs: 15 * 60_000 };

export type Notifier = {
  hear(entries: readonly Entry[]): void;
  /** Answers something the user has just done. False: the user gets no notifications. */
  confirm(text: NotificationText): boolean;
  stop(): void;
};

export const createNotifier = (options: {
  after: After;
  goesOn: () => boolean;
  /** Whether notifications are on in the folder of an upload; null: for what belongs to no upload. */
  wanted: (uploadId: number | null) => boolean;
  /** The window has the focus: what happens to files is seen there. */
  isSeen: () => boolean;
  /** What was copied already, and whether files given together, and reported together, are still being uploaded. */
  drops: Pick<Drops, 'wereCopied' | 'isGoing'>;
  say: () => Say;
  clicked: (click: NotificationClick) => void;
}): Notifier => {
  const shown: Notification[] = [];

  const show = ({ title, body, click }: NotificationText): void => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    notification.on('click', () => options.clicked(click));
    shown.push(notification);
    if (shown.length > kept) shown.shift();
    notification.show();
  };

  const burst = createBurst<Notable>({
    after: options.after,
    goesOn: options.goesOn,
    limits,
    isOne: options.drops.isGoing,
    tell(all) {
      const notable = options.isSeen() ? all.filter(isUnseen) : all;
      const ids = notable.flatMap((one) => (one.kind === 'uploaded' ? [one.uploadId] : []));
      for (const text of notificationsFor(notable, options.drops.wereCopied(ids), options.say())) show(text);
    },
  });
  return {
    hear: (entries) => burst.add(notableOf(entries.filter(({ uploadId }) => options.wanted(uploadId)))),
    confirm(text) {
      const isShown = options.wanted(null) && Notification.isSupported();
      if (isShown) show(text);
      return isShown;
    },
    stop: burst.stop,
  };
};
