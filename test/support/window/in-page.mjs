// Runs inside the window's page: the measurements of a benchmark. A frame counts as painted when its task has ended: a
// message posted in the frame's callback arrives after style, layout and paint.

const painted = (then) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = then;
  port2.postMessage(null);
};
const frame = () => new Promise((next) => requestAnimationFrame(next));

/** Time to the first picture with the list, or with the text of an empty list. */
const firstPaint = async () => {
  while (document.querySelector('.row, main h2') === null) await frame();
  const paints = () => performance.getEntriesByName('first-contentful-paint');
  // The browser reports it some frames after the picture itself.
  while (paints().length === 0) await frame();
  const [paint] = paints();
  return { originMs: performance.timeOrigin, paintMs: paint.startTime };
};

/** Milliseconds of an empty round trip to the main process and back, through every check. */
const roundTrips = async (count) => {
  const took = [];
  for (let at = 0; at < count; at += 1) {
    const fromMs = performance.now();
    await window.outtray.call('ping', null); // no such command: refused at once, with a sentence
    took.push(performance.now() - fromMs);
    await new Promise((next) => setTimeout(next, 4));
  }
  return took;
};

/** Milliseconds in which the pages of the whole list come, one after the other, and nothing is shown of them. */
const allPages = async () => {
  const fromMs = performance.now();
  const order = { search: '', sort: 'uploaded', descending: true, limit: 500 };
  for (let after; after !== null;) {
    const { answer } = await window.outtray.call('files.page', { ...order, ...(after && { after }) });
    after = answer.next;
  }
  return performance.now() - fromMs;
};

let longTasksMs = [];

/** Long tasks of the page from now on (W3C Long Tasks API: those over 50 ms). */
const watchLongTasks = () => {
  longTasksMs = [];
  new PerformanceObserver((list) => {
    longTasksMs.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
};

let watched = null;

/** From now on the next key is watched until what `search` finds is on screen. */
const watchKey = async (search) => {
  // In the order in which the window shows what it finds.
  const order = { sort: 'match', descending: false };
  const { answer } = await window.outtray.call('files.page', { search, ...order, limit: 10 });
  const right = () => {
    const names = [...document.querySelectorAll('.row bdi')].map((name) => name.getAttribute('title'));
    return answer.rows.every(({ name }, at) => names[at] === name);
  };
  // Until all of the ledger was asked the list is a part, of -1 rows.
  const counted = () => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') !== '-1';
  const seen = { rowsMs: null, answeredMs: null, wasRight: right() };
  watched = new Promise((done) => {
    const begin = ({ timeStamp }) => {
      const look = () =>
        painted(() => {
          const nowMs = performance.now() - timeStamp;
          if (right()) {
            seen.rowsMs ??= nowMs;
            if (counted()) seen.answeredMs ??= nowMs;
          }
          if (seen.answeredMs !== null || nowMs > 10_000) done(seen);
          else requestAnimationFrame(look);
        });
      requestAnimationFrame(look);
    };
    addEventListener('keydown', begin, { once: true, capture: true });
  });
};

let seen = null;

/** From now on: milliseconds from the next `event` until `happened` has been so for a whole frame, painted. */
const watchFor = (event, happened) => {
  seen = new Promise((done, failed) => {
    const begin = ({ timeStamp }) => {
      const isDone = happened();
      const look = () => {
        const isSeen = isDone();
        painted(() => {
          const nowMs = performance.now() - timeStamp;
          if (isSeen) done(nowMs);
          else if (nowMs > 20_000) failed(new Error(`nothing was seen in 20 s after the ${event}`));
          else requestAnimationFrame(look);
        });
      };
      requestAnimationFrame(look);
    };
    addEventListener(event, begin, { once: true, capture: true });
  });
};

/** Until anything in the page differs from before the event. */
const watchReaction = (event) =>
  watchFor(event, () => {
    let changed = false;
    const observer = new MutationObserver(() => {
      changed = true;
      observer.disconnect();
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    return () => changed;
  });

const watchUntil = (event, selector) =>
  watchFor(event, () => () => document.querySelector(selector) !== null);

let frames = { ms: [], mounted: 0, stop: false };

/**
 * Measures each frame from now on: the time from its first callback (scroll listeners run before requested animation
 * frames) until it is painted, and the number of mounted rows.
 */
const watchFrames = () => {
  const watched = { ms: [], mounted: 0, stop: false };
  frames = watched;
  let scrolledMs = null;
  const scrolled = () => (scrolledMs ??= performance.now());
  addEventListener('scroll', scrolled, { capture: true });
  const one = () => {
    const fromMs = scrolledMs ?? performance.now();
    scrolledMs = null;
    painted(() => {
      watched.ms.push(performance.now() - fromMs);
      watched.mounted = Math.max(watched.mounted, document.querySelectorAll('.row, .slot').length);
    });
    if (watched.stop) removeEventListener('scroll', scrolled, { capture: true });
    else requestAnimationFrame(one);
  };
  requestAnimationFrame(one);
};

window.bench = {
  firstPaint,
  roundTrips,
  allPages,
  watchKey,
  keySeen: () => watched,
  watchLongTasks,
  longTasks: () => longTasksMs,
  watchReaction,
  watchUntil,
  seen: () => seen,
  watchFrames,
  framesSeen() {
    frames.stop = true;
    return { framesMs: frames.ms, mounted: frames.mounted };
  },
};
