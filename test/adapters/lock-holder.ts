// A second process for the lock's tests: takes the lock, reports it, and holds it until its input ends.
import { takeEngineLock } from '../../src-main/adapters/system/lock.ts';

const lock = takeEngineLock({ folder: process.argv[2] ?? '', who: 'the holder' });
process.stdout.write('taken\n');
process.stdin.resume().on('end', () => {
  lock.release();
});
