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
const EXTERNAL = ['@node-rs/argon2', 'sharp', 'pg-native'];

export interface Programs {
  server: string;
  sandbox: string;
}

export async function bundlePrograms(): Promise<Programs> {
  await mkdir(FOLDER, { recursive: true });
  const [server, sandbox] = await Promise.all([bundle('server'), bundle('sandbox')]);
  return { server, sandbox };
}

async function bundle(name: keyof Programs): Promise<string> {
  const build = await rolldown({
    input: join(ROOT, name, 'src/main.ts'),
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
