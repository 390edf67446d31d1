/**
 * Writes brotli and gzip copies of the web app's files at build time, so that no request has to wait for compression.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Fonts and images are already compressed.
const TEXTS = /\.(html|js|css|svg)$/;
const MIN_BYTES = 1_000;
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

export async function compress(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => TEXTS.test(name));
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path);
      if (text.length < MIN_BYTES) return;
      await writeFile(`${path}.br`, await promisify(brotliCompress)(text, QUALITY));
      await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
