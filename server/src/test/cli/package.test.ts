/** Builds the package of the command line, and runs it as it is installed. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);

test('the built package runs with no dependency but the SDK, and contains only the files that it lists', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-cli-package-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const manifest = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ dependencies: { '@parley/sdk': '0.1.0' }, bin: { parley: 'parley.mjs' } });
  const [sdk, cli] = ['sdk', 'cli'].map((name) => join(folder, 'node_modules/@parley', name));
  for (const [name, target] of [
    ['sdk', sdk!],
    ['cli', cli!],
  ] as const) {
    await mkdir(target, { recursive: true });
    await cp(join(ROOT, name, 'package.json'), join(target, 'package.json'));
    await cp(join(ROOT, name, 'src'), join(target, 'src'), { recursive: true });
    await cp(join(ROOT, name, 'tsconfig.json'), join(target, 'tsconfig.json'));
  }
  // The configurations extend the one of the repository.
  await cp(join(ROOT, 'tsconfig.base.json'), join(folder, 'node_modules/@parley/tsconfig.base.json'));
  await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  await cp(join(ROOT, 'cli/parley.mjs'), join(cli!, 'parley.mjs'));
  await writeFile(join(folder, 'package.json'), '{}');
  const program = (...args: string[]) => run(process.execPath, [join(cli!, 'parley.mjs'), ...args], { cwd: folder });
  await expect(program('--version')).rejects.toMatchObject({
    code: 1,
    stderr: 'Error: the command line is not built. Run `npm run build -w cli` first.\n',
  });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  for (const target of [sdk!, cli!]) {
    await run(process.execPath, [tsc, '-p', join(target, 'tsconfig.json')]);
    await rm(join(target, 'src'), { recursive: true });
  }
  expect((await program('--version')).stdout).toBe(`${manifest.version}\n`);
  expect((await program('listen', '--help')).stdout).toContain('--forward-to URL');
  await expect(program('send', '--json')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"error"'),
  });
  const { files } = JSON.parse(await readFile(join(cli!, 'package.json'), 'utf8'));
  expect(files).toEqual(['dist', 'parley.mjs', 'README.md']);
}, 120_000);
