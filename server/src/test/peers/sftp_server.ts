/** SFTP servers for tests: one of our own in a temporary folder, and OpenSSH as an independent peer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';
import { freePort, until } from '../world.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

export interface SftpPeer {
  port: number;
  /** The folder in which sessions start. */
  folder: string;
  list(): Promise<string[]>;
  read(name: string): Promise<Buffer>;
  stop(): Promise<void>;
}

export interface OwnSftpPeer extends SftpPeer {
  /** Sign-ins that a client has tried. */
  readonly logins: number;
  /** The number of sessions that have been opened. */
  readonly sessions: number;
  /** Restarts the server on the same port with a new host key. */
  changeKey(): Promise<void>;
  /** The server refuses all files while this is true. */
  isFull: boolean;
}

export const newKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

export const USER = 'acme';
export const PASSWORD = 'Correct-horse-9';

export async function startSftpPeer(): Promise<OwnSftpPeer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sftp-'));
  let server = listen(newKey());
  const port = await opened(server, 0);
  const connections = new Set<Connection>();
  const peer: OwnSftpPeer & { logins: number; sessions: number } = {
    ...peerFiles(folder),
    port,
    logins: 0,
    sessions: 0,
    isFull: false,
    async changeKey() {
      await closed(server);
      server = listen(newKey());
      await opened(server, port);
    },
    async stop() {
      await closed(server);
      await rm(folder, { recursive: true });
    },
  };
  function listen(key: string): ssh2.Server {
    return new ssh2.Server({ hostKeys: [key] }, (client) => {
      connections.add(client);
      client.on('error', () => {});
      client.on('close', () => connections.delete(client));
      client.on('authentication', (login) => {
        if (login.method === 'none') return login.reject(['password', 'publickey']);
        peer.logins++;
        const isRight = login.method === 'password' && login.username === USER && login.password === PASSWORD;
        return isRight ? login.accept() : login.reject(['password', 'publickey']);
      });
      client.on('session', (accept) =>
        accept().on('sftp', (open) => {
          peer.sessions++;
          serveFiles(open(), folder, () => peer.isFull);
        }),
      );
    });
  }
  const closed = (old: ssh2.Server) =>
    new Promise<void>((resolve) => {
      old.close(() => resolve());
      for (const client of connections) client.end();
    });
  return peer;
}

const opened = (server: ssh2.Server, port: number): Promise<number> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

const peerFiles = (folder: string) => ({
  folder,
  list: () => readdir(folder),
  read: (name: string) => readFile(join(folder, name)),
});

/** A server as old as SFTP version 3: without extensions, and its `rename` does not replace files. */
function serveFiles(sftp: SFTPWrapper, folder: string, isFull: () => boolean): void {
  const handles = new Map<number, Awaited<ReturnType<typeof open>>>();
  let next = 0;
  const path = (name: string) => join(folder, name);
  const answer = (id: number, work: Promise<unknown>) =>
    void work.then(
      () => sftp.status(id, STATUS_CODE.OK),
      (error: NodeJS.ErrnoException) =>
        sftp.status(id, error.code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE),
    );
  sftp.on('OPEN', (id, name, flags) => {
    const work = isFull() ? Promise.reject(new Error('full')) : open(path(name), flags & OPEN_MODE.WRITE ? 'w' : 'r');
    work.then(
      (file) => {
        const handle = Buffer.alloc(4);
        handle.writeUInt32BE(next);
        handles.set(next++, file);
        sftp.handle(id, handle);
      },
      (error) => answer(id, Promise.reject(error as Error)),
    );
  });
  sftp.on('WRITE', (id, handle, offset, data) =>
    answer(id, handles.get(handle.readUInt32BE(0))!.write(data, 0, data.length, offset)),
  );
  const closeFile = (key: number) => {
    const file = handles.get(key)!;
    handles.delete(key);
    return file.close();
  };
  sftp.on('CLOSE', (id, handle) => answer(id, closeFile(handle.readUInt32BE(0))));
  // The client may have been killed.
  sftp.on('close', () => {
    for (const key of [...handles.keys()]) void closeFile(key).catch(() => {});
  });
  sftp.on('STAT', (id, name) => {
    stat(path(name)).then(
      ({ mode, uid, gid, size }) => sftp.attrs(id, { mode, uid, gid, size, atime: 0, mtime: 0 }),
      (error) => answer(id, Promise.reject(error as Error)),
    );
  });
  sftp.on('REMOVE', (id, name) => answer(id, unlink(path(name))));
  sftp.on('RENAME', (id, from, to) =>
    answer(id, existsSync(path(to)) ? Promise.reject(new Error('exists')) : rename(path(from), path(to))),
  );
}

/** The program of OpenSSH, or null if it is not installed. `SSHD` names it if it is not in its usual place. */
export const SSHD = [process.env.SSHD ?? '', '/usr/sbin/sshd'].find((path) => path !== '' && existsSync(path)) ?? null;

/** As root, OpenSSH would need a user and a folder of its own, so it runs as another user of every Linux system. */
const DAEMON = { uid: 1, gid: 1, name: 'daemon' } as const;

/** OpenSSH on the loopback interface, for the user that runs it, with a key. */
export async function startOpenSsh(program: string): Promise<SftpPeer & { private_key: string; username: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sshd-'));
  const home = join(folder, 'home');
  await mkdir(home);
  const keys = ssh2.utils.generateKeyPairSync('ed25519');
  const host = ssh2.utils.generateKeyPairSync('ed25519');
  await writeFile(join(folder, 'host_key'), host.private, { mode: 0o600 });
  await writeFile(join(folder, 'authorized_keys'), `${keys.public}\n`, { mode: 0o600 });
  const user = process.getuid?.() === 0 ? DAEMON : null;
  for (const name of ['', 'home', 'host_key', 'authorized_keys'])
    if (user) await chown(join(folder, name), user.uid, user.gid);
  await chmod(folder, 0o700);
  const port = await freePort();
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${folder}/host_key`, `PidFile ${folder}/pid`],
    ...[`AuthorizedKeysFile ${folder}/authorized_keys`, 'StrictModes no', 'UsePAM no', 'PasswordAuthentication no'],
    ...['PermitRootLogin prohibit-password', `Subsystem sftp internal-sftp -d ${home}`],
  ];
  await writeFile(join(folder, 'config'), `${settings.join('\n')}\n`);
  const child: ChildProcess = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  let log = '';
  child.stderr!.on('data', (text) => {
    log += String(text);
  });
  await until('sshd listens', async () => {
    if (child.exitCode !== null) throw new Error(`sshd: ${log}`);
    return log.includes('Server listening');
  });
  return {
    ...peerFiles(home),
    port,
    private_key: keys.private,
    username: user?.name ?? userInfo().username,
    async stop() {
      child.kill();
      await rm(folder, { recursive: true });
    },
  };
}
