// One run with one seed: a day in which everything goes wrong, time to finish, then the check of the promises.
import { createFakeSettings } from '../fake-ports.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { createAccidents } from './accidents.ts';
import { createAccount, sha256Of } from './account.ts';
import { createAccounts } from './accounts.ts';
import { createAudit } from './audit.ts';
import { createDice, type Dice } from './dice.ts';
import { createFolderPerson } from './folder-person.ts';
import { createFolders, drawRules, firstFolder } from './folders.ts';
import { createChecks } from './ending.ts';
import { createLedgerDisk } from './ledger-disk.ts';
import { createGoingOn } from './going-on.ts';
import { createMachine } from './machine.ts';
import { createNoes } from './noes.ts';
import { createActor, otherKey } from './actors.ts';
import { createProxy } from './proxy.ts';
import { restoreOnce } from './restored.ts';
import { createService } from './service.ts';
import { createOtherDevice, createSite, setUpAnewOnce } from './site.ts';
import { createStory, type Story } from './story.ts';
import { createStrict } from './strict.ts';
import { createTray } from './tray.ts';
import { createTruth } from './truth.ts';
import { createNetwork } from './network.ts';
import { createOnItsWay } from './on-its-way.ts';
import { createWire } from './wire.ts';

export type Day = {
  seed: number;
  story: Story;
  hash: string;
  /** Virtual days that passed, the time to finish included. */
  days: number;
  folders: number;
  files: number;
  requests: number;
  traits: string;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Five times the largest number ever seen. An endless loop writes far more. */
const mostLines = 2000;
/** A folder without enough watches is scanned every half minute. */
const linesOfFolder = 150;
const mostCommits = 20_000;
/** Whatever is left takes less than this even with the smallest budget. */
const longestEndMs = 5 * dayMs;

export const runDay = async (
  seed: number,
  options: { trace?: boolean; hours?: number } = {},
): Promise<Day> => {
  const lengthMs = (options.hours ?? 24) * hourMs;
  const dice = createDice(seed);
  const world = createVirtualClock({ turns: 1 });
  const startMs = world.monoMs();
  const nowMs = (): number => world.monoMs() - startMs;
  const story = createStory(nowMs, options.trace === true);
  const folderDice = dice.stream('folders');
  const folders = createFolders({
    count: folderDice.pick([1, 1, 2, 3, 5, 8, 13, 20]),
    settings: { current: () => settings.current() },
    ledger: () => disk.ledger(),
  });
  const truth = createTruth(folders);
  const perMinute = dice.pick([50, 50, 12, 5]);
  const perDay = dice.pick([5000, 5000, 300]);
  const account = createAccount(dice.stream('account'), world.monoMs, perMinute, (fileId) =>
    story.fault('id-given-again', String(fileId)),
  );
  const secondDice = dice.stream('second account');
  const accounts = createAccounts({
    first: account,
    second: createAccount(secondDice, world.monoMs, perMinute, undefined, 'S'),
    key: () => machine.keys.stored,
    ledger: () => machine.ledger(),
  });
  const network = createNetwork(dice.stream('weather'), world.monoMs, lengthMs);
  const proxy = createProxy(dice.stream('proxy'), world.monoMs, lengthMs);
  const ofService = createAudit({
    boot: () => world.sinceBoot()?.id,
    nowMs: world.monoMs,
    perMinute,
    perDay,
    truth,
    isPersonAsking: () => machine.isAnswering(),
    attemptOf(text) {
      const rows = machine.ledger().uploads.inState('committing', 100);
      const row = rows.find((one) => (one.sent?.sha256 ?? one.sha256) === sha256Of(text));
      return row?.state.kind === 'committing' ? row.state.attemptId : null;
    },
    wallMs: world.wallMs,
    isTogether: (one, other) => accounts.ofLink(one.link) === accounts.ofLink(other.link),
    story,
  });
  /** Outtray gets changed rules at once here, so the rules at the moment when the service gets a file judge it. */
  const hearRules = (): void => {
    if (folders.refresh()) story.note(`rules ${folders.told()}`);
    tray.judgeAgain();
  };
  const audit: typeof ofService = {
    ...ofService,
    created(file) {
      hearRules();
      ofService.created(file);
      strict.created(file);
    },
  };
  const wire = createWire(world);
  const api = createService({
    dice: dice.stream('service'),
    clock: world,
    wallMs: world.wallMs,
    wire,
    network,
    proxy,
    accounts,
    audit,
    story,
    isFollowed: (fileId) =>
      machine
        .ledger()
        .watched.all('downloads')
        .some((one) => one.fileId === fileId),
    isKnown: (fileId) => machine.ledger().uploads.byFileId(fileId) !== null,
    isOtherKey: () => machine.keys.stored === otherKey,
  });
  const inMemory = dice.happens(0.75);
  const disk = createLedgerDisk({ inMemory, nowMs: world.wallMs });
  const settings = createFakeSettings({
    folder: firstFolder,
    folders: folders.paths.slice(1).filter(() => folderDice.happens(0.7)),
    ignore: ['*.log'],
    requestsPerMinute: perMinute,
    requestsPerDay: perDay,
  });
  let later: Parameters<typeof createTray>[0]['clock'] = world;
  const tray = createTray({
    dice: dice.stream('tray'),
    world,
    clock: { ...world, after: (ms, act) => later.after(ms, act) },
    truth,
    story,
    folders,
    hung: () => goingOn.hung(),
    knowsInode(inode) {
      const { uploads } = machine.ledger();
      return uploads.presentByInode(inode).length > 0 || uploads.departedByInode(inode).length > 0;
    },
    isForgotten(text) {
      const { uploads } = machine.ledger();
      const created = truth.content(text)?.created ?? [];
      const isUnknown = created.some(({ fileId, deleted }) => !deleted && uploads.byFileId(fileId) === null);
      return isUnknown && story.faults.has('data-folder-restored');
    },
    knowsPath(path) {
      const cut = path.lastIndexOf('/');
      return machine.ledger().uploads.atPath(path.slice(0, cut), path.slice(cut + 1), 1).length > 0;
    },
  });
  const fate = dice.stream('fate');
  let isOver = false;
  let isRestored = false;
  const machine = createMachine({
    dice,
    world,
    wire,
    files: tray.files,
    watch: tray.watch,
    api: {
      ...api,
      upload(request) {
        return api.upload(isOver ? request : onItsWay.begins(request));
      },
    },
    disk,
    settings,
    story,
    folder: () => settings.current().folder ?? firstFolder,
    started() {
      tray.restarted();
      audit.started();
      strict.disturbed();
    },
    toldAbsent: audit.toldAbsent,
  });
  later = machine.clock;
  const about = { world, machine, tray, story };
  const noes = createNoes({ ...about, dice: dice.stream('noes'), truth });
  const goingOn = createGoingOn({
    ...about,
    dice: dice.stream('going on'),
    folders,
    stateOf(folder, path) {
      const { folders: watched, uploads } = machine.ledger();
      const id = watched.byPath(folder)?.id ?? null;
      return uploads.presentAt(id, folder, path.slice(folder.length + 1))?.state.kind ?? null;
    },
  });
  const actor = createActor({
    dice: dice.stream('person'),
    machine,
    tray,
    truth,
    accounts,
    audit,
    story,
    mayMeetOtherKey: () => !isRestored,
    later: (ms, act) => void world.after(ms, act),
    saidNo: noes.said,
    nowMs: world.wallMs,
    steadyMs: world.monoMs,
  });
  const onItsWay = createOnItsWay({ ...about, fate, wishes: dice.stream('wishes on the way'), actor });
  const strict = createStrict({ truth, nowMs: world.monoMs, story });
  const folderPerson = createFolderPerson({
    dice: folderDice.stream('person'),
    machine,
    tray,
    truth,
    accounts,
    folders,
    call: actor.call,
    hearRules,
    story,
  });
  const checks = createChecks({ machine, tray, accounts, truth, folders, story });
  story.note(
    `perMinute ${perMinute}, perDay ${perDay}, ledger ${inMemory ? 'memory' : 'file'}, folders ${folders.paths.length}, ${account.traits}`,
  );

  // ---------------------------------------------------------------- what happens, and how often

  /** Repeats `act` at random intervals with this mean. */
  const often = (meanMs: number, act: () => void, chance: Dice = fate): void => {
    world.after(-Math.log(1 - chance.chance()) * meanMs, () => {
      if (isOver) return;
      act();
      often(meanMs, act, chance);
    });
  };
  const everyHour = (act: () => void): void => {
    world.after(hourMs, () => {
      act();
      if (!isOver) everyHour(act);
    });
  };
  const perDayMean = (low: number, high: number): number => dayMs / fate.spread(low, high);

  // Streams of their own, so that these parts do not change the other events of a seed.
  const [below, onSite] = [dice.stream('below'), dice.stream('site')];
  const over = (): boolean => isOver;
  const accidents = createAccidents({ fate, below, world, machine, audit, strict, story, isOver: over });
  const { isAsleep } = accidents;
  const changeOnSite = createSite({ dice: onSite, accounts, nowMs: world.monoMs, story });
  const otherDevice = createOtherDevice({ dice: fate, accounts, story });

  for (const path of folders.paths) {
    if (!folderDice.happens(0.5) || folders.paths.length === 1) continue;
    tray.disk.make(path, 'folder');
    const row = { path, identity: await tray.files.identify(path), chosenAtMs: world.wallMs() + 60_000 };
    const { id } = disk.ledger().folders.insert(row);
    disk.ledger().folders.update(id, { own: drawRules(folderDice) });
  }
  folders.refresh();
  tray.furnish();
  // File times are coarse: a file as old as the choice of the folder would count as new.
  await world.advance(60_000);
  machine.start();
  often(perDayMean(10, 150), () => tray.act());
  often(perDayMean(3, 60), () => {
    if (!isAsleep()) actor.act();
  });
  // A stream of its own, so that this part does not change the other events of a seed.
  const expiry = dice.stream('expiry');
  const mayExpire = expiry.happens(0.5);
  if (mayExpire)
    often(dayMs / expiry.spread(4, 60), () => (isAsleep() ? undefined : actor.expire(expiry)), expiry);
  if (folders.paths.length > 1) {
    const change = (): void => actor.run(folderPerson.change);
    often(dayMs / folderDice.spread(4, 60), () => (isAsleep() ? undefined : change()), folderDice);
  }
  if (folderDice.happens(0.4))
    often(
      dayMs / folderDice.spread(10, 60),
      () => (isAsleep() ? undefined : actor.run(folderPerson.follow)),
      folderDice,
    );
  if (fate.happens(0.8)) often(perDayMean(1, 20), accidents.crash);
  const closings = dice.stream('killed while closed');
  if (closings.happens(0.4)) often(600_000, () => accidents.killWhileClosed(closings), closings);
  if (fate.happens(0.3)) often(perDayMean(1, 4), accidents.sleep);
  // Such a day has no clock jumps: after a jump nothing distinguishes files that an older ledger lacks from later ones.
  isRestored = perDay === 5000 && fate.happens(0.4);
  const own = { dice: dice.stream('restored'), isAsleep };
  if (isRestored) restoreOnce({ ...own, world, lengthMs, machine, disk, checks, truth, tray, story });
  else if (fate.happens(0.4)) often(perDayMean(1, 6), accidents.jump);
  const moments = dice.stream('ends at a moment');
  if (moments.happens(0.4))
    often(
      dayMs / moments.spread(4, 60),
      () => (isAsleep() ? undefined : actor.giveWithEnd(moments)),
      moments,
    );
  const hasSecond = !isRestored && secondDice.happens(0.3);
  if (hasSecond)
    often(
      dayMs / secondDice.spread(2, 30),
      () => (isAsleep() ? undefined : actor.changeAccount(secondDice)),
      secondDice,
    );
  if (fate.happens(0.2)) often(perDayMean(1, 4), accidents.fillDisk);
  if (below.happens(0.2)) often(dayMs / below.spread(1, 3), accidents.loseDataFolder, below);
  if (fate.happens(0.6)) often(perDayMean(2, 100), otherDevice);
  if (fate.happens(0.15)) often(perDayMean(1, 3), accidents.secondEngine);
  if (onSite.happens(0.5)) often(dayMs / onSite.spread(2, 60), changeOnSite, onSite);
  if (!isRestored) setUpAnewOnce({ dice: dice.stream('set up anew'), world, lengthMs, account, story });
  often(hourMs, () => {
    hearRules();
    checks.outcomes();
  });
  let [lines, commits] = [0, 0];
  everyHour(() => {
    const most = mostLines + linesOfFolder * folders.paths.length;
    story.bounded('log lines an hour', machine.lines() - lines, most);
    story.bounded('commits an hour', machine.commits() - commits, mostCommits);
    [lines, commits] = [machine.lines(), machine.commits()];
    checks.bounds(perDay);
  });
  // Otherwise there would be nothing to send during most outages.
  const copies = dice.stream('copies');
  for (const inMs of proxy.outagesInMs()) {
    const atMs = inMs + (copies.happens(0.5) ? -1 : 1) * copies.spread(1000, 120_000);
    // With more files a small account would not finish in time.
    const most = account.dailyUploads === 60 ? 5 : 40;
    world.after(Math.max(1, atMs), () => tray.copyIn(copies.pick([3, most, most])));
  }
  often(1_800_000, noes.look, dice.stream('looks for noes'));
  if (!disk.isDurable()) often(600_000, disk.sync);

  const during = async (promise: Promise<unknown>): Promise<void> => {
    const settled = new Set<unknown>();
    promise.finally(() => settled.add(promise)).catch(() => undefined);
    for (let i = 0; i < 300 && settled.size === 0; i += 1) await world.advance(1000);
    if (settled.size === 0) story.violated('I9', 'somebody waits for ever');
  };

  try {
    await world.advance(lengthMs);
    isOver = true;
    story.note('faults stop');
    network.clear();
    proxy.clear();
    machine.spare();
    tray.settleDown();
    machine.life()?.fillDisk(false);
    audit.acted();
    // A machine that sleeps or a process that is down comes back within this time.
    await world.advance(8 * hourMs);
    audit.acted();
    if (machine.life()?.isOver() === true) machine.buryAndRestart(1, 'kill');
    await world.advance(60_000);
    const isSecond = hasSecond && secondDice.happens(0.4);
    const person = { isTidy: false };
    const tidyUp = (): Promise<void> => during(actor.tidyUp(isSecond).then((isIn) => (person.isTidy = isIn)));
    await tidyUp();
    const endMs = world.monoMs() + longestEndMs;
    await world.advance(3 * hourMs);
    const isOpen = (): boolean => checks.unfinished().length > 0 || checks.untold().length > 0;
    const isBusy = (): boolean => machine.engine()?.isStill() === false;
    // A look at a link may be under way at the end of an hour, and may wait for the requests of the next day.
    const rest = async (): Promise<void> => {
      for (let i = 0; i < 60 && isBusy(); i += 1) await world.advance(1000);
    };
    await rest();
    while ((isOpen() || isBusy()) && world.monoMs() < endMs) {
      await world.advance(hourMs);
      // The requests of the day were used up.
      if (!person.isTidy) await tidyUp();
      await rest();
    }
    hearRules();
    await checks.end();
    await during(machine.stop());
  } finally {
    disk.close();
  }
  return {
    seed,
    story,
    hash: story.hash(),
    days: nowMs() / dayMs,
    folders: folders.paths.length,
    files: truth.contents(),
    requests: audit.requests(),
    traits: account.traits,
  };
};
