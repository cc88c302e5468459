// Whether the drive with the data folder answers. Its files are read and written synchronously, so this is checked
// before they are opened.
import { AppError } from '../../contract/errors.ts';
import type { Disks } from '../files/disk.ts';
import type { Link } from './drive.ts';

/** From the moment at which the drive's process is ready. */
const mostMs = 5000;
const askEveryMs = 100;

/** Throws `disk` where `folder` lies on a drive that does not answer. A drive that cannot hang is not asked. */
export const demandAnswer = async (
  folder: string,
  { disks, start }: { disks: Pick<Disks, 'hanging'>; start: (root: string) => Link },
): Promise<void> => {
  const mount = disks.hanging(folder);
  if (mount === null) return;
  const link = start(mount.path);
  const found = Promise.withResolvers<boolean>();
  let isLookedAt = false;
  link.listen({
    reply(reply) {
      if (reply.kind === 'ready') setTimeout(() => found.resolve(false), mostMs).unref();
      // The answer may come from a cache, so a sign of the drive itself has to follow.
      else isLookedAt = true;
    },
    sign() {
      if (isLookedAt) found.resolve(true);
    },
    // Without the drive's process nothing is known: then the folder is opened.
    end: () => found.resolve(true),
  });
  link.hold(true);
  let id = 0;
  // One order may come too early for the thread that gives the signs.
  const asking = setInterval(() => link.send({ id: (id += 1), call: 'real', args: [folder] }), askEveryMs);
  const answers = await found.promise;
  clearInterval(asking);
  link.end();
  if (answers) return;
  throw new AppError(
    'disk',
    `The drive at ${mount.path} with the data folder does not answer.`,
    'Check the network or the server, then start Outtray again; a data folder on a local disk (OUTTRAY_HOME) does not wait.',
    { storage: 'failed' },
  );
};
