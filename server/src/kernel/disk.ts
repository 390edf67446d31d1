/**
 * Detects a full disk. Requests then get 503 instead of 500, and the process is not ready until a test write succeeds
 * on the disk of the database and on the disk of the files. No restart is necessary.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { raw } from './db/db.ts';
import type { Kernel } from './kernel.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: disk_full */
const CODES = ['53100', 'ENOSPC', 'EDQUOT'];
const PROBE_BYTES = 1024 * 1024;
const PROBE_INTERVAL_MS = 5_000;

interface State {
  next_probe: number;
  probe: Promise<boolean>;
}

/** The kernels whose disk was full at the last write. */
const full = new WeakMap<Kernel, State>();

/** Returns true if a full disk caused the error, and records it. */
export function noteFullDisk(kernel: Kernel, error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  const isFull = CODES.includes(code ?? '') || (cause instanceof Error && noteFullDisk(kernel, cause));
  if (isFull && !full.has(kernel)) full.set(kernel, { next_probe: 0, probe: Promise.resolve(true) });
  return isFull;
}

/** Writes only if the disk was full before. */
export async function hasFullDisk(kernel: Kernel): Promise<boolean> {
  const state = full.get(kernel);
  if (!state) return false;
  if (Date.now() >= state.next_probe) {
    state.next_probe = Date.now() + PROBE_INTERVAL_MS;
    state.probe = Promise.all([writeRows(kernel), writeFile(kernel)]).then(
      () => false,
      (error: Error) => {
        kernel.log.warn({ err: error }, 'the disk is still full');
        return true;
      },
    );
  }
  const isFull = await state.probe;
  if (!isFull && full.delete(kernel)) kernel.log.info('the disk has space again');
  return isFull;
}

/** A temporary table is on the same disk as the other tables and is dropped automatically. */
const writeRows = (kernel: Kernel): Promise<void> =>
  kernel.db.tx(async (tx) => {
    await tx.run(raw('create temporary table space_probe (octets text) on commit drop'));
    await tx.run(
      raw(`insert into space_probe select repeat(md5(n::text), 32) from generate_series(1, ${PROBE_BYTES / 1024}) n`),
    );
  });

async function writeFile({ config }: Kernel): Promise<void> {
  await mkdir(config.DATA_DIR, { recursive: true });
  const path = join(config.DATA_DIR, `.${randomBytes(12).toString('hex')}.part`);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(PROBE_BYTES));
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
