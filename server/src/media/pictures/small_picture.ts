/** Reads a small uploaded picture into memory, after the checks that every upload passes. An SVG is rewritten. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Problem } from '@parley/contract/problem.ts';
import type { Upload } from '../../kernel/http/upload.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { inspect } from '../formats/inspect.ts';
import { newLease } from '../objects.ts';
import * as queries from '../queries.ts';
import { removePart, takeOver } from '../uploads/parts.ts';

/** The caller removes the upload. Throws FILE_CORRUPTED, FILE_CONTENT_MISMATCH, or DRAWING_UNSAFE. */
export async function readSmallPicture(
  kernel: Kernel,
  account_id: string,
  upload: Upload,
): Promise<{ content_type: string; bytes: Buffer }> {
  const lease = newLease();
  try {
    const path = await takeOver(kernel, null, lease, 0);
    const stored = await kernel.storage.open(upload.key);
    if (!stored) throw new Problem('FILE_NOT_FOUND');
    await pipeline(stored.stream, createWriteStream(path));
    const tenant = { account_id, verified: await queries.isVerified(kernel.db, account_id) };
    const file = await inspect(tenant, path, upload.filename);
    return { content_type: file.content_type, bytes: await readFile(file.path) };
  } finally {
    await removePart(kernel, lease);
  }
}
