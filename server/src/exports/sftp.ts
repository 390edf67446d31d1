/**
 * Sessions with customers' SFTP servers. A session never reaches a private network, and nothing secret is sent before
 * the server has proven that it has the accepted host key. Files are written under a temporary name and renamed.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import type { Client, ConnectConfig, ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2';
import { failpoint } from '../kernel/failpoint.ts';
import { createOutbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Config } from '../kernel/settings/config.ts';

export type SftpConfig = Pick<Config, 'OUTBOUND_ALLOW_CIDRS' | 'OUTBOUND_PORTS' | 'SFTP_PORTS'>;

export interface SftpServer {
  host: string;
  port: number;
}
export interface PinnedKey {
  host_key_type: string;
  host_key_fingerprint: string;
}
export interface SftpAccess extends SftpServer, PinnedKey {
  username: string;
  auth: 'password' | 'private_key';
  /** The password or the private key. */
  secret: string;
}

const CONNECT_MS = 20_000;
/** A session without any progress for this long is closed. */
const IDLE_MS = 60_000;
/** Several parts are sent at once, so that latency does not slow the upload. Both values limit the memory. */
const PART_BYTES = 32 * 1024;
const PARTS_AT_ONCE = 16;

/** The order must never change: a server with several keys would suddenly show another one. */
const ALGORITHMS: Readonly<Record<string, ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};

/** Throws EXPORT_HOST_NOT_ALLOWED if the server is in a private network. A name that does not resolve is allowed. */
export async function requireAllowedServer(config: SftpConfig, server: SftpServer): Promise<void> {
  await createOutbound(config)
    .checkConnect({ ...server, ports: config.SFTP_PORTS })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError) || error.reason !== 'name') throw toProblem(error);
    });
}

/** Loaded with the first session, because few accounts use it. */
const loadSsh = async () => (await import('ssh2')).default;

/** Throws EXPORT_PRIVATE_KEY_INVALID. */
export async function requirePrivateKey(text: string): Promise<void> {
  const key = (await loadSsh()).utils.parseKey(text);
  if (key instanceof Error || !key.isPrivateKey()) throw new Problem('EXPORT_PRIVATE_KEY_INVALID');
}

/** Reads the host key and disconnects. No credentials are sent. */
export async function readHostKey(config: SftpConfig, server: SftpServer): Promise<PinnedKey> {
  let found: PinnedKey | null = null;
  const settings = {
    username: 'parley',
    hostVerifier: (key: Buffer) => {
      found = describeKey(key);
      return false;
    },
    algorithms: { serverHostKey: Object.values(ALGORITHMS).flat() },
  };
  await openClient(config, server, settings).catch((error: unknown) => {
    if (!found) throw toProblem(error);
  });
  if (!found) throw new Problem('EXPORT_HOST_UNREACHABLE');
  return found;
}

function describeKey(key: Buffer): PinnedKey {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0);
  return {
    host_key_type: key.subarray(4, 4 + length).toString('latin1'),
    host_key_fingerprint: `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`,
  };
}

interface Session {
  sftp: SFTPWrapper;
  /** Call it after each response of the server. */
  progress(): void;
}

/** Opens a session and closes it after the work. Throws a Problem that explains why the server cannot be used. */
export async function withSftp<T>(
  config: SftpConfig,
  access: SftpAccess,
  signal: AbortSignal,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const { auth, secret, username, host_key_type, host_key_fingerprint } = access;
  let isOther = false;
  const settings: ConnectConfig = {
    username,
    ...(auth === 'password' ? { password: secret } : { privateKey: secret }),
    hostVerifier: (key: Buffer) => {
      isOther = describeKey(key).host_key_fingerprint !== host_key_fingerprint;
      return !isOther;
    },
    algorithms: { serverHostKey: ALGORITHMS[host_key_type] ?? Object.values(ALGORITHMS).flat() },
  };
  const client = await openClient(config, access, settings).catch((error: unknown) => {
    // A server that no longer has a key of the accepted kind.
    const isGone = error instanceof Error && /no matching (server )?host key/i.test(error.message);
    throw isOther || isGone ? new Problem('EXPORT_HOST_KEY_CHANGED') : toProblem(error);
  });
  let idle: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_, reject) => {
    const fail = () => reject(new Problem('EXPORT_HOST_UNREACHABLE', { message: LOST }));
    client.once('close', fail);
    client.on('error', fail);
    signal.addEventListener('abort', fail, { once: true });
    if (signal.aborted) fail();
    idle = setTimeout(fail, IDLE_MS);
  });
  lost.catch(() => {});
  try {
    const work = ask<SFTPWrapper>((done) => client.sftp(done)).then((sftp) =>
      run({ sftp, progress: () => void idle?.refresh() }),
    );
    work.catch(() => {});
    return await Promise.race([work, lost]);
  } catch (error) {
    throw toProblem(error);
  } finally {
    clearTimeout(idle);
    client.destroy();
  }
}

const LOST = 'The server closed the connection or stopped responding.';

/** Resolves when the server has accepted the credentials. */
async function openClient(config: SftpConfig, server: SftpServer, settings: ConnectConfig): Promise<Client> {
  const ssh2 = await loadSsh();
  const { host, port } = server;
  const target = { host, port, ports: config.SFTP_PORTS, timeout_ms: CONNECT_MS };
  const sock = await createOutbound(config).connect(target);
  const client = new ssh2.Client();
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('ready', resolve);
      client.on('error', reject);
      client.on('close', () => reject(new Error('closed')));
      client.connect({ sock, readyTimeout: CONNECT_MS, keepaliveInterval: 15_000, ...settings });
    });
    return client;
  } catch (error) {
    client.destroy();
    sock.destroy();
    throw error;
  }
}

/** Turns every error of a session into a problem with a text for the customer. */
function toProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error;
  const internal = `${error.name}: ${error.message}`;
  if (error instanceof OutboundError) {
    const isRefused = error.reason === 'address' || error.reason === 'port' || error.reason === 'scheme';
    const name: ProblemName = isRefused ? 'EXPORT_HOST_NOT_ALLOWED' : 'EXPORT_HOST_UNREACHABLE';
    return new Problem(name, { internal, ...(error.reason === 'port' ? { message: error.message } : {}) });
  }
  const { level, code } = error as { level?: string; code?: unknown };
  if (level === 'client-authentication') return new Problem('EXPORT_LOGIN_REFUSED', { internal });
  // Status codes of SFTP: a missing folder, a missing permission, and failures such as a full disk.
  if (typeof code === 'number') return new Problem('EXPORT_FOLDER_REFUSED', { internal });
  return new Problem('EXPORT_HOST_UNREACHABLE', { internal });
}

/** Calls a function with a Node callback. */
const ask = <T = void>(call: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))));

const inFolder = (folder: string, name: string): string =>
  folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`;

const NO_SUCH_FILE = 2;
const removeFile = (sftp: SFTPWrapper, path: string): Promise<void> =>
  ask((done) => sftp.unlink(path, done)).catch((error: { code?: number }) => {
    if (error.code !== NO_SUCH_FILE) throw error;
  });

/** Writes and deletes a small file. Throws EXPORT_FOLDER_REFUSED. */
export async function testFolder({ sftp }: Session, folder: string, id: string): Promise<void> {
  const path = inFolder(folder, `.parley-test-${id}.part`);
  const handle = await ask<Buffer>((done) => sftp.open(path, 'w', done));
  await ask((done) => sftp.write(handle, Buffer.from('test\n'), 0, 5, 0, done));
  await ask((done) => sftp.close(handle, done));
  await removeFile(sftp, path);
}

export interface UploadedFile {
  folder: string;
  name: string;
  bytes: number;
  stream: Readable;
  /** Parts of the temporary names of this run and of an earlier run that was killed. */
  run_id: string;
  previous_run_id: string | null;
}

/** After this call, the folder contains the complete file, and no temporary files of this run or the earlier run. */
export async function uploadFile(session: Session, file: UploadedFile, signal: AbortSignal): Promise<void> {
  const { sftp } = session;
  const temporaryPath = (run_id: string) => inFolder(file.folder, `.parley-${run_id}.part`);
  if (file.previous_run_id) await removeFile(sftp, temporaryPath(file.previous_run_id));
  const temporary = temporaryPath(file.run_id);
  const handle = await ask<Buffer>((done) => sftp.open(temporary, 'w', done));
  try {
    await writeParts(session, handle, file.stream, signal);
    // Servers without this extension write when they close the file.
    await ask((done) => sftp.ext_openssh_fsync(handle, done)).catch(() => {});
    await ask((done) => sftp.close(handle, done));
    const { size } = await ask<{ size: number }>((done) => sftp.stat(temporary, done));
    if (size !== file.bytes) throw new Problem('EXPORT_FOLDER_REFUSED', { message: INCOMPLETE });
    failpoint('export.upload_complete');
    await replaceFile(sftp, temporary, inFolder(file.folder, file.name));
  } catch (error) {
    if (!signal.aborted) await removeFile(sftp, temporary).catch(() => {});
    throw error;
  }
}

const INCOMPLETE = 'The server did not store the whole file. Check its free disk space.';

/** Sends several parts at once and reads no more than these from the file. */
async function writeParts(
  { sftp, progress }: Session,
  handle: Buffer,
  stream: Readable,
  signal: AbortSignal,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  let position = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>)
    for (let at = 0; at < chunk.length; at += PART_BYTES) {
      const part = chunk.subarray(at, at + PART_BYTES);
      const offset = position;
      position += part.length;
      const write = ask((done) => sftp.write(handle, part, 0, part.length, offset, done)).then(() => {
        pending.delete(write);
        progress();
        failpoint('export.upload_part');
      });
      pending.add(write);
      write.catch(() => {});
      if (pending.size >= PARTS_AT_ONCE) await Promise.race(pending);
      if (signal.aborted) throw new Problem('EXPORT_HOST_UNREACHABLE', { message: LOST });
    }
  await Promise.all(pending);
}

/** Servers without `posix-rename` do not replace files, so an older file of the same name is removed first. */
async function replaceFile(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  try {
    await ask((done) => sftp.ext_openssh_rename(from, to, done));
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === 'number') throw error;
    await removeFile(sftp, to);
    await ask((done) => sftp.rename(from, to, done));
  }
}
