import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLimited } from './limited_process.ts';

const PROGRAM = `
process.on('message', (step) => {
  const held = [];
  try {
    if (step === 'write') require('node:fs').writeFileSync(__dirname + '/written', 'x');
    if (step === 'spawn') require('node:child_process').execFileSync('/bin/true');
    if (step === 'fill') for (;;) held.push(Buffer.alloc(50e6, 1));
    process.send({ done: true, env: Object.keys(process.env) });
  } catch (error) {
    process.send({ failed: error.code ?? error.name, megabytes: held.length * 50 });
  }
});`;
let folder: string;
let entry: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-limited-'));
  entry = join(folder, 'program.cjs');
  await writeFile(entry, PROGRAM);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(step: string) {
  const child = startLimited(entry, { heap_mb: 64, memory_mb: 900, cpu_seconds: 20 });
  try {
    child.send(step);
    const [result] = (await once(child, 'message')) as [{ env?: string[]; failed?: string; megabytes?: number }];
    return result;
  } finally {
    child.kill('SIGKILL');
  }
}

test('a limited process cannot write files or start programs, and has no settings', async () => {
  expect((await run('write')).failed).toBe('ERR_ACCESS_DENIED');
  expect((await run('spawn')).failed).toBe('ERR_ACCESS_DENIED');
  expect((await run('nothing')).env?.filter((name) => !/^(NODE_|PWD|OLDPWD|_$|SHLVL)/.test(name))).toEqual([]);
});

// Only Linux counts all private memory toward this limit.
test.runIf(process.platform === 'linux')(
  'a limited process gets no more memory from the system than its limit, even outside the heap of V8',
  async () => {
    const { failed, megabytes } = await run('fill');
    expect(failed).toBe('ERR_MEMORY_ALLOCATION_FAILED');
    expect(megabytes).toBeLessThan(900);
  },
);
