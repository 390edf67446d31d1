/** Runs the PHP examples of the documentation. The tests are skipped if `php` with ext-curl is not installed. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeExample } from '@parley/contract/docs/examples.ts';
import { type Document, type Operation, resolveReferences, toModules } from '@parley/contract/docs/openapi.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { createWorld, type World } from '../world.ts';

const hasPhp = /^curl$/m.test(spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? '');
const run = promisify(execFile);

describe.runIf(hasPhp)('the PHP examples, with php', () => {
  let world: World;
  let folder: string;
  let key: string;
  let operations: readonly Operation[];
  beforeAll(async () => {
    world = await createWorld({ role: 'api' });
    const { account_id } = await makeCompany(world.kernel);
    key = await makeKey(world.kernel, account_id);
    await makeCarrier(world.kernel);
    await makeSender(world.kernel, account_id, { code: 'Harbour' });
    folder = await mkdtemp(join(tmpdir(), 'parley-php-'));
    await writeFile(join(folder, 'contacts.csv'), 'number\n447410000123\n');
    const document = (await world.as().get('/v1/openapi.json')).body as Document;
    operations = toModules(resolveReferences(document)).flatMap((module) => module.operations);
  });
  afterAll(async () => {
    await world?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  /** Returns what the example prints. `change` edits its code. */
  async function runExample(id: string, change = (code: string) => code): Promise<string> {
    const operation = operations.find((one) => one.operationId === id)!;
    const code = change(writeExample(operation, 'php', world.url).replace('YOUR_API_KEY', key));
    await writeFile(join(folder, 'example.php'), code);
    return (await run('php', ['-d', 'display_errors=stderr', 'example.php'], { cwd: folder })).stdout;
  }
  const readId = (printed: string): string => /\[id\] => ([0-9a-f-]{36})/.exec(printed)![1]!;
  const withId = (id: string) => (code: string) => code.replace(/0197a5f0-0000-7000-8000-000000000001/g, id);

  test('all of them are valid PHP', async () => {
    const codes = operations.map((operation) => writeExample(operation, 'php', world.url));
    expect(codes.length).toBeGreaterThan(100);
    await writeFile(join(folder, 'codes.json'), JSON.stringify(codes));
    const check = `
      foreach (json_decode(file_get_contents('codes.json')) as $code) {
        try { token_get_all($code, TOKEN_PARSE); } catch (ParseError $error) { echo $error->getMessage(), $code; }
      }`;
    expect((await run('php', ['-r', check], { cwd: folder })).stdout).toBe('');
  });

  test('calls that read, create, change, delete, and upload are accepted', async () => {
    expect(await runExample('messages.create')).toContain('[status] => enroute');
    expect(await runExample('senders.list')).toContain('[code] => Harbour');
    const audience = readId(await runExample('audiences.create'));
    const changed = await runExample('audiences.update', (code) =>
      withId(audience)(code).replace('Autumn offer', 'Regulars'),
    );
    expect(changed).toContain(`[id] => ${audience}`);
    expect(await runExample('audience_imports.create')).toContain('[filename] => contacts.csv');
    expect(await runExample('audiences.remove', withId(audience))).toBe('');
  });

  test('a refused call throws with the response', async () => {
    const refused = runExample('messages.create', (code) => code.replace("'447400123456'", "''"));
    await expect(refused).rejects.toThrow(/RuntimeException.*code\\?":1705/s);
  });
});
