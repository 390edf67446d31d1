/**
 * Runs the examples of the documentation in each language. A language is skipped if its program is not installed:
 * `curl`, `python3` with requests, `php` with ext-curl. Node.js runs TypeScript.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Language, writeExample } from '@parley/contract/docs/examples.ts';
import { type Document, type Operation, resolveReferences, toModules } from '@parley/contract/docs/openapi.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { createWorld, type World } from '../world.ts';

interface Runtime {
  file: string;
  command: readonly string[];
  isInstalled: boolean;
  /** A program that prints the error of each code in `codes.json` that is not valid. */
  check: readonly string[];
  /** The output of the program if the call is refused. Curl prints the response, and does not fail. */
  refusal: RegExp;
}

const succeeds = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

const BASH_CHECK = `
  const codes = JSON.parse(require('node:fs').readFileSync('codes.json'));
  for (const code of codes) {
    const { status, stderr } = require('node:child_process').spawnSync('bash', ['-n', '-c', code]);
    if (status !== 0) console.log(String(stderr), code);
  }`;
const TYPESCRIPT_CHECK = `
  const codes = JSON.parse(require('node:fs').readFileSync('codes.json'));
  for (const code of codes) {
    try { require('node:module').stripTypeScriptTypes(code); } catch (error) { console.log(error.message, code); }
  }`;
const PYTHON_CHECK = `
import ast, json
for code in json.load(open("codes.json", encoding="utf-8")):
    try: ast.parse(code)
    except SyntaxError as error: print(error, code)`;
const PHP_CHECK = `
  foreach (json_decode(file_get_contents('codes.json')) as $code) {
    try { token_get_all($code, TOKEN_PARSE); } catch (ParseError $error) { echo $error->getMessage(), $code; }
  }`;

const RUNTIMES: Record<Language, Runtime> = {
  curl: {
    ...{ file: 'example.sh', command: ['bash'], check: [process.execPath, '-e', BASH_CHECK] },
    isInstalled: succeeds('curl', ['--version']) && succeeds('bash', ['--version']),
    refusal: /"code":1705/,
  },
  typescript: {
    ...{ file: 'example.mts', command: [process.execPath] },
    check: [process.execPath, '--disable-warning=ExperimentalWarning', '-e', TYPESCRIPT_CHECK],
    isInstalled: true,
    refusal: /Error: .*"code":1705/s,
  },
  python: {
    ...{ file: 'example.py', command: ['python3'], check: ['python3', '-c', PYTHON_CHECK] },
    isInstalled: succeeds('python3', ['-c', 'import requests']),
    refusal: /HTTPError: 400/,
  },
  php: {
    ...{ file: 'example.php', command: ['php', '-d', 'display_errors=stderr'], check: ['php', '-r', PHP_CHECK] },
    isInstalled: /^curl$/m.test(spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? ''),
    refusal: /RuntimeException.*code\\?":1705/s,
  },
};

const run = promisify(execFile);
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
  folder = await mkdtemp(join(tmpdir(), 'parley-examples-'));
  await writeFile(join(folder, 'contacts.csv'), 'number\n447410000123\n');
  // Not every test machine has uuidgen.
  await writeFile(join(folder, 'bash_env'), 'uuidgen() { cat /proc/sys/kernel/random/uuid; }\n');
  const document = (await world.as().get('/v1/openapi.json')).body as Document;
  operations = toModules(resolveReferences(document)).flatMap((module) => module.operations);
});
afterAll(async () => {
  await world?.stop();
  if (folder) await rm(folder, { recursive: true });
});

const languages = Object.entries(RUNTIMES).map(([language, runtime]) => ({
  ...runtime,
  language: language as Language,
}));

describe.each(languages)('the $language examples', ({ language, file, command, isInstalled, check, refusal }) => {
  const start = ([program, ...args]: readonly string[]) =>
    run(program!, args, { cwd: folder, env: { ...process.env, BASH_ENV: join(folder, 'bash_env') } });
  /** Returns the output of the example. `change` edits its code. */
  async function runExample(id: string, change = (code: string) => code): Promise<string> {
    const operation = operations.find((one) => one.operationId === id)!;
    const code = change(writeExample(operation, language, world.url).replace('YOUR_API_KEY', key));
    await writeFile(join(folder, file), code);
    return (await start([...command, file])).stdout;
  }
  const readId = (printed: string): string => /\bid\W+([0-9a-f-]{36})/.exec(printed)![1]!;
  const withId = (id: string) => (code: string) => code.replace(/0197a5f0-0000-7000-8000-000000000001/g, id);

  test.runIf(isInstalled)('are all valid', async () => {
    const codes = operations.map((operation) => writeExample(operation, language, world.url));
    expect(codes.length).toBeGreaterThan(100);
    await writeFile(join(folder, 'codes.json'), JSON.stringify(codes));
    expect((await start(check)).stdout).toBe('');
  });

  test.runIf(isInstalled)('read, create, change, delete, and upload', async () => {
    expect(await runExample('messages.create')).toMatch(/\bstatus\W+enroute/);
    expect(await runExample('senders.list')).toMatch(/\bcode\W+Harbour/);
    const audience = readId(await runExample('audiences.create'));
    const changed = await runExample('audiences.update', (code) =>
      withId(audience)(code).replace('Autumn offer', `Regulars ${language}`),
    );
    expect(readId(changed)).toBe(audience);
    expect(await runExample('audience_imports.create')).toMatch(/\bfilename\W+contacts.csv/);
    expect(await runExample('audiences.remove', withId(audience))).toBe('');
  });

  test.runIf(isInstalled)('show the response if the call is refused', async () => {
    const refused = runExample('messages.create', (code) => code.replace(/(["'])447400123456\1/, '$1$1'));
    const printed = await refused.catch(({ stderr }: { stderr: string }) => stderr);
    expect(printed).toMatch(refusal);
  });
});
