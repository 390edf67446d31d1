/**
 * The operating system account for the embedded PostgreSQL. PostgreSQL refuses to run as root, so root runs it under an
 * ordinary account. If that account cannot enter the folder (for example, a checkout below /root), root adds the one
 * capability that allows it. Ordinary users run PostgreSQL as themselves.
 */
import { execFileSync, type SpawnOptions } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface PostgresAccount {
  /** Null means the user who runs this process. */
  ids: { uid: number; gid: number } | null;
  /** Returns the command that starts a program under this account. */
  command(program: string, args: readonly string[]): { file: string; args: string[]; options: SpawnOptions };
}

/**
 * `owned` is the database folder, whose owner stays the same if it exists. `entered` lists paths that the account must
 * be able to read.
 */
export function postgresAccount(owned: string, entered: readonly string[]): PostgresAccount {
  if (process.getuid?.() !== 0) {
    return { ids: null, command: (file, args) => ({ file, args: [...args], options: {} }) };
  }
  const ids = pathOwner(owned) ?? existingAccount() ?? newAccount();
  if (entered.every((path) => canRead(path, ids)))
    return { ids, command: (file, args) => ({ file, args: [...args], options: ids }) };
  const prefix = privilegeCommand(ids);
  try {
    execFileSync(prefix[0]!, [...prefix.slice(1), 'true'], { stdio: 'ignore' });
  } catch {
    const closed = entered.find((path) => !canRead(path, ids));
    throw new Error(
      `PostgreSQL does not run as root, and the account for it (uid ${ids.uid}) cannot enter ${closed}: ` +
        'use a folder outside /root, an ordinary user, or DATABASE_URL',
    );
  }
  return {
    ids,
    command: (program, args) => ({ file: prefix[0]!, args: [...prefix.slice(1), program, ...args], options: {} }),
  };
}

// By default, containers have dac_override but not dac_read_search. With no_setuid_fixup, access(2) also takes the
// capability into account.
const privilegeCommand = ({ uid, gid }: { uid: number; gid: number }): string[] => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--bounding-set=-all,+dac_override',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
];

function pathOwner(path: string): { uid: number; gid: number } | null {
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  return uid === 0 ? null : { uid, gid };
}

function findAccount(...names: readonly string[]): { uid: number; gid: number } | null {
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const [, , uid, gid] = rows.find((row) => row.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid && uid !== '0') return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

const existingAccount = () => findAccount('parley', 'postgres', '_postgres');

function newAccount(): { uid: number; gid: number } {
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'parley'], {
      stdio: 'ignore',
    });
  } catch {
    // If useradd is missing or /etc is read-only, another unprivileged account also works.
  }
  const ids = findAccount('parley', 'nobody');
  if (!ids) throw new Error('PostgreSQL does not run as root: start Parley as an ordinary user, or set DATABASE_URL');
  return ids;
}

function canRead(path: string, { uid, gid }: { uid: number; gid: number }): boolean {
  for (let at = path, mask = 5; ; at = dirname(at)) {
    const info = statSync(at, { throwIfNoEntry: false });
    if (info) {
      const bits = info.uid === uid ? info.mode >> 6 : info.gid === gid ? info.mode >> 3 : info.mode;
      const needed = info.isDirectory() ? 1 : mask & 4;
      if ((bits & needed) !== needed) return false;
    }
    mask = 1;
    if (at === dirname(at)) return true;
  }
}
