/**
 * Bundles the programs that tests start as processes into one file each. A worker has over a thousand modules, and
 * loading them takes most of the time of a test that kills workers. `npm start` and its tests run the source files.
 */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** A folder in node_modules, so that the bundles can load external packages. */
const FOLDER = join(ROOT, 'node_modules/.cache/programs');
/** Packages with native code. */
const EXTERNAL = ['@node-rs/argon2', 'sharp', 'pg-native', 'ssh2'];

const LIMITED = {
  reader_process: 'server/src/audiences/reader/reader_process.ts',
  picture_process: 'server/src/media/pictures/picture_process.ts',
};

export interface Programs {
  server: string;
  sandbox: string;
  /** The bundles of the processes that parse untrusted files, by source file. */
  limited: Record<string, string>;
}

export async function bundlePrograms(): Promise<Programs> {
  await mkdir(FOLDER, { recursive: true });
  const [server, sandbox, ...limited] = await Promise.all([
    bundle('server', 'server/src/main.ts'),
    bundle('sandbox', 'sandbox/src/main.ts'),
    ...Object.entries(LIMITED).map(async ([name, source]) => [join(ROOT, source), await bundle(name, source)] as const),
  ]);
  return { server, sandbox, limited: Object.fromEntries(limited) };
}

async function bundle(name: string, source: string): Promise<string> {
  const build = await rolldown({
    input: join(ROOT, source),
    platform: 'node',
    external: EXTERNAL,
    logLevel: 'silent',
    plugins: [{ name: 'source-addresses', transform: { filter: { code: 'import.meta.url' }, handler: keepAddress } }],
  });
  const file = join(FOLDER, `${name}.mjs`);
  // Another test run may be starting the previous bundle.
  const unfinished = join(FOLDER, `${name}.${process.pid}.mjs`);
  await build.write({ file: unfinished, format: 'esm', codeSplitting: false });
  await build.close();
  await rename(unfinished, file);
  return file;
}

/** Keeps the address of each module, because modules open files next to their source. */
const keepAddress = (code: string, id: string): string =>
  code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
