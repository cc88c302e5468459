// What a person does with the installed program. As root the deb is really installed, by dpkg with a database of its
// own (so that apt does not notice it), and purged again; without root, or where Outtray is installed already, its
// files are taken from a folder. The command is tried as this user and, as root, as an ordinary user too.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../../service/service.ts';
import { missingForKeyring, startBus } from '../keyring.ts';
import { canLaunch, launchApp } from '../app.ts';
import { finding, type Finding } from './finding.ts';
import { listArchive } from './list-archive.ts';

/** Debian's user without rights. */
const ordinary = 65_534;

/** `folder`: everything that this check makes goes there. `system`: the deb's files, from the root. */
export const tryInstalled = async (deb: string, folder: string, system: string): Promise<Finding[]> => {
  // An ordinary user has to reach what the stand-in for Electron unpacks here.
  await chmod(folder, 0o755);
  const findings: Finding[] = [];
  const isRoot = process.getuid?.() === 0;
  const isFree = !existsSync('/opt/Outtray') && !existsSync('/usr/bin/outtray');
  if (!isRoot || !isFree) {
    findings.push([
      'the deb is installed by dpkg on this machine',
      [],
      isRoot ? 'Outtray is installed already' : 'only root can',
    ]);
    findings.push(...person(path.join(system, 'opt/Outtray/program/outtray')));
    findings.push(await windowFinding(path.join(system, 'opt/Outtray'), path.join(folder, 'installed')));
    return findings;
  }
  const database = path.join(folder, 'dpkg');
  for (const name of ['info', 'updates', 'triggers'])
    await mkdir(path.join(database, name), { recursive: true });
  for (const name of ['status', 'available']) await writeFile(path.join(database, name), '');
  const dpkg = (...args: string[]): void => {
    execFileSync('dpkg', [`--admindir=${database}`, '--log=/dev/null', '--force-depends', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  };
  try {
    findings.push(
      await finding('the deb is installed by dpkg on this machine', () => {
        dpkg('--install', deb);
        return existsSync('/usr/bin/outtray') ? [] : ['/usr/bin/outtray is not there'];
      }),
    );
    findings.push(...person('/usr/bin/outtray'));
    findings.push(...personAsOrdinaryUser('/usr/bin/outtray'));
    findings.push(await windowFinding('/opt/Outtray', path.join(folder, 'installed')));
  } finally {
    findings.push(
      await finding('purging it leaves none of its files', () => {
        dpkg('--purge', 'outtray');
        const places = ['opt/Outtray', 'usr/bin/outtray', 'etc/apparmor.d/outtray', ...listArchive(deb)];
        return places.filter((place) => existsSync(`/${place}`)).map((place) => `/${place} is left`);
      }),
    );
  }
  return findings;
};

const script = path.join(import.meta.dirname, 'person.ts');
const node = [process.execPath, '--disable-warning=ExperimentalWarning'];

const person = (program: string): Finding[] =>
  personBy(process.getuid?.() === 0 ? 'as root' : 'as this user', [...node, script, program]);

const personAsOrdinaryUser = (program: string): Finding[] => {
  const who = 'as an ordinary user';
  const rights = [`--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups'];
  const look = [...rights, ...node, '--eval', `fs.accessSync(${JSON.stringify(script)})`];
  // The stand-in for Electron is in this checkout.
  if (spawnSync('setpriv', look, { stdio: 'ignore', cwd: '/' }).status !== 0)
    return [[`${who}: the same`, [], 'another user cannot read this checkout']];
  return personBy(who, ['setpriv', ...rights, ...node, script, program]);
};

const personBy = (who: string, call: string[]): Finding[] => {
  const [program = '', ...args] = call;
  const { stdout, stderr, status } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: '/',
    timeout: 240_000,
    env: { PATH: process.env['PATH'] },
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('['));
  const findings = lines.map((line) => JSON.parse(line) as Finding);
  if (status !== 0 || findings.length === 0)
    findings.push(['every check came to its end', [`exit code ${String(status)}: ${stderr}`]]);
  return findings.map(([what, ...rest]) => [`${who}: ${what}`, ...rest]);
};

const windowFinding = async (installed: string, home: string): Promise<Finding> => {
  const what = 'the installed window opens (stand-in for Electron) and keeps a key in the keyring';
  if (!canLaunch) return [what, [], 'not here (apt-get install -y chromium)'];
  const missing = missingForKeyring();
  if (missing !== null) return [what, [], missing];
  return finding(what, async () => {
    await using bus = await startBus({ keyring: 'unlocked' });
    const service = await startService({ dir: path.join(home, 'service') });
    const env = {
      DBUS_SESSION_BUS_ADDRESS: bus.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
      XDG_RUNTIME_DIR: bus.env['XDG_RUNTIME_DIR'] ?? '',
    };
    const open = () =>
      launchApp({ home, program: path.join(installed, 'outtray'), serviceUrl: service.baseUrl, env });
    const app = await open();
    try {
      await app.window.getByLabel('API key').fill(service.key, { timeout: 60_000 });
      await app.window.getByRole('button', { name: /Check key/ }).click();
      const connect = app.window.getByRole('region', { name: 'Connect' });
      await connect.getByText(/^Pro · /).waitFor({ timeout: 60_000 });
      const complaints = app.complaints.filter((line) => !line.includes('Content Security Policy: The'));
      await app.quit();
      // The command of the same installation finds it.
      const asked = promisify(execFile)(path.join(installed, 'program/outtray'), ['list'], {
        timeout: 60_000,
        env: {
          ...env,
          PATH: process.env['PATH'],
          HOME: home,
          OUTTRAY_HOME: path.join(home, 'outtray'),
          OUTTRAY_BASE_URL: service.baseUrl,
        },
      });
      const problem = await asked.then(
        () => [],
        (error: unknown) => [`outtray list: ${String(error)}`],
      );
      return [...complaints, ...problem];
    } catch (error) {
      throw new Error(`${String(error)} ${app.complaints.join(' ')}`, { cause: error });
    } finally {
      await app.kill();
      await service.close();
    }
  });
};
