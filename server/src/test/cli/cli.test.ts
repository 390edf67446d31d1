/** Runs the real program against a running server. */
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { type Caller, createWorld, until, type World } from '../world.ts';
import { makeProgram, type Program, removeHome } from './program.ts';

let world: World;
let company: Company;
let owner: Caller;
let key: string;
let program: Program;
let from: string;
beforeAll(async () => {
  world = await createWorld();
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
  key = await makeKey(world.kernel, company.account_id);
  program = await makeProgram({ PARLEY_URL: world.url, PARLEY_API_KEY: key });
});
afterAll(async () => {
  await world?.stop();
  if (program) await removeHome(program);
});

const run = (...args: string[]) => program.run(args);
const sms = (...more: string[]) => ['send', '--from', from, '--to', '447410000123', ...more];
const messageCount = async () => (await owner.get('/v1/messages')).body.data.length as number;

test('login stores the key for its user only, never shows it, and the environment takes precedence', async () => {
  const fresh = await makeProgram();
  const missing = await fresh.run(['send', '--from', 'x', '--to', '1', 'Hello']);
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('You are not signed in')]);
  const signedIn = await fresh.run(['login', '--url', `${world.url}/v1/`], { input: `${key}\n` });
  expect(signedIn.code).toBe(0);
  expect(signedIn.stdout).toContain(`Signed in to ${world.url} as`);
  expect(signedIn.stdout + signedIn.stderr).not.toContain(key);
  const path = join(fresh.home, '.config/parley/login.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(fresh.home, '.config/parley'))).mode & 0o777).toBe(0o700);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ url: world.url, key });
  const send = ['send', '--rehearse', '--from', from, '--to', '447410000123', 'Hello'];
  expect((await fresh.run(send)).code).toBe(0);
  const other = await fresh.run(send, { env: { PARLEY_API_KEY: 'a'.repeat(32) } });
  expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('code 1101')]);
  const elsewhere = await fresh.run(send, { env: { PARLEY_URL: 'http://127.0.0.1:9' } });
  expect([elsewhere.code, elsewhere.stderr]).toEqual([3, expect.stringContaining('The stored key belongs to')]);
  const refused = await fresh.run(['login', '--url', world.url], { input: `${'b'.repeat(32)}\n` });
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('Request ID: ')]);
  expect(JSON.parse(await readFile(path, 'utf8')).key).toBe(key);
  expect((await fresh.run(['logout'])).code).toBe(0);
  expect(await readdir(join(fresh.home, '.config/parley'))).toEqual([]);
  await removeHome(fresh);
});

test('a message is sent once, rehearsed for free, and refused with its code, field, and request ID', async () => {
  const before = await messageCount();
  const rehearsal = await run(...sms('--rehearse', 'é'.repeat(200)));
  expect(rehearsal.stdout).toMatch(/2 segments .*\nNothing was sent\.\n$/s);
  expect(await messageCount()).toBe(before);
  const text = 'Zoë 👋🏽 your order is ready';
  const sent = await run(...sms('--json', '--payload', 'order 7', '--idempotency-key', 'order-7', text));
  expect(JSON.parse(sent.stdout)).toMatchObject({ to: '447410000123', text, status: 'enroute' });
  const again = await run(...sms('--json', '--payload', 'order 7', '--idempotency-key', 'order-7', text));
  expect(JSON.parse(again.stdout).id).toBe(JSON.parse(sent.stdout).id);
  const piped = await program.run(sms('-'), { input: 'From a pipe\n' });
  expect(piped.stdout).toMatch(/^[0-9a-f-]{36} {2}447410000123 {2}enroute\n$/);
  expect(await messageCount()).toBe(before + 2);
  const refused = await run('send', '--json', '--from', from, '--to', 'nobody', 'Hello');
  expect(refused.code).toBe(1);
  const { error } = JSON.parse(refused.stderr);
  expect(error).toMatchObject({ code: 1523, status: 400, request_id: expect.any(String) });
  expect((await run('send', '--from', from, '--to', 'nobody', 'Hello')).stderr).toMatch(
    /^Error: .+ \(code 1523, field to.*\)\nRequest ID: [0-9a-f-]{36}\n$/,
  );
});

test('incorrect usage, hostile input, and a server that does not respond have separate exit codes', async () => {
  const code = async (...args: string[]) => (await run(...args)).code;
  expect(await code('--help')).toBe(0);
  expect(await code('--version')).toBe(0);
  expect(await code('launch')).toBe(2);
  expect(await code('send', '--unknown')).toBe(2);
  expect(await code('send', 'Hello')).toBe(2);
  expect(await code('listen', '--forward-to', 'http://:x')).toBe(2);
  expect(await code('tail', '--since', '👋')).toBe(2);
  expect((await program.run(sms('-'), { input: 'a\0b' })).stderr).toContain('code 1705');
  expect((await program.run(sms('-'), { input: Buffer.alloc(5_000_000, 'a') })).code).toBe(2);
  expect((await program.run(sms('Hello'), { env: { PARLEY_URL: 'ftp://x' } })).code).toBe(2);
  expect((await program.run(sms('Hello'), { env: { PARLEY_API_KEY: 'a\nb: c' } })).code).toBe(2);
  const offline = await program.run(sms('Hello'), { env: { PARLEY_URL: 'http://127.0.0.1:9' } });
  expect([offline.code, offline.stderr]).toEqual([4, expect.stringContaining('Parley did not respond')]);
});

test('every command has help, and the completion for each shell names it', async () => {
  const { stdout } = await run('--help');
  const names = [...stdout.matchAll(/^ {2}(\w+) {2,}[A-Z]/gm)].map(([, name]) => name!).slice(0, 11);
  expect(names).toContain('listen');
  const scripts = await Promise.all(['bash', 'zsh', 'fish'].map((shell) => run('completion', shell)));
  for (const name of names) {
    expect((await run(name, '--help')).stdout).toContain(`Usage:\n  parley ${name}`);
    for (const script of scripts) expect(script.stdout).toContain(name);
  }
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
}, 180_000);

test('contacts are imported with counts, and a file that cannot be imported is refused', async () => {
  const path = join(program.home, 'contacts.csv');
  const rows = Array.from({ length: 500 }, (_, index) => `44741${1_000_000 + index * 7},Zoë 👋`);
  await writeFile(path, ['number,first name', ...rows, 'not a number,Ann', rows[0]].join('\n'));
  const imported = await run('import', path, '--name', 'Regulars', '--json');
  expect(JSON.parse(imported.stdout)).toMatchObject({ created_count: 500, duplicate_count: 1, invalid_count: 1 });
  const { audience_id } = JSON.parse(imported.stdout);
  const again = await run('import', path, '--audience', audience_id, '--existing', 'skip');
  expect(again.stdout).toBe('Read 502 rows: 500 unchanged, 1 duplicate, 1 invalid.\n');
  expect((await run('import', join(program.home, 'none.csv'), '--name', 'X')).code).toBe(2);
  expect((await run('import', path)).code).toBe(2);
  await writeFile(path, Buffer.from([0, 1, 2, 3, 0, 255, 254]));
  expect((await run('import', path, '--name', 'Binary')).code).toBe(1);
  await writeFile(path, '');
  expect((await run('import', path, '--name', 'Empty')).code).toBe(2);
  await truncate(path, 201 * 1024 * 1024);
  expect((await run('import', path, '--name', 'Huge')).stderr).toContain('larger than 200 MB');
});

test('a list is exported to a file that is not replaced by accident', async () => {
  const path = join(program.home, 'messages.csv');
  const saved = await run('export', 'messages', '--filter', `from=${from}`, '--output', path);
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  expect(await readFile(path, 'utf8')).toContain('447410000123');
  expect((await run('export', 'messages', '--output', path)).code).toBe(2);
  expect((await run('export', 'messages', '--output', path, '--force')).code).toBe(0);
  const piped = await run('export', 'messages', '--format', 'jsonl', '--output', '-');
  expect(
    piped.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).not.toHaveLength(0);
  expect((await run('export', 'secrets')).code).toBe(1);
  const recipients = await run('export', 'campaign_recipients', '--campaign', '01900000-0000-7000-8000-000000000001');
  expect([recipients.code, recipients.stderr]).toEqual([1, expect.stringContaining('Campaign not found')]);
  expect((await readdir(program.home)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a logged request is repeated only with consent, with the same kind of key, and if it is complete', async () => {
  const loggedId = async (path: string) => {
    let id = '';
    await until('the request is in the log', async () => {
      const { data } = (await owner.get(`/v1/api_requests?filter[search]=${path}`)).body;
      id = data[0]?.id ?? '';
      return id !== '';
    });
    return id;
  };
  await world.as({ key }).get('/v1/audiences?page_size=20');
  const read = await run('replay', await loggedId('audiences'), '--json');
  expect(JSON.parse(read.stdout)).toMatchObject({
    status: 200,
    body: { data: [expect.anything()] },
  });
  await world.as({ key }).post('/v1/short_urls', { url: 'https://example.com/replayed' });
  const id = await loggedId('short_urls');
  expect([(await run('replay', id)).code, (await run('replay', 'x')).code]).toEqual([2, 1]);
  const testKey = await makeKey(world.kernel, company.account_id, undefined, true);
  const asTester = await program.run(['replay', id, '--yes'], { env: { PARLEY_API_KEY: testKey } });
  expect(asTester.code).toBe(3);
  const repeated = await run('replay', id, '--yes', '--json');
  expect([repeated.code, JSON.parse(repeated.stdout).status]).toEqual([0, 201]);
});

test('failed deliveries of a webhook are resent since a time, and an example is sent to it', async () => {
  const hook = (
    await owner.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['message.failed', 'message.read'] })
  ).body.data;
  const triggered = await run('trigger', 'message.read', '--webhook', hook.id, '--json');
  const { id } = JSON.parse(triggered.stdout);
  await world.kernel.db.run(sql`
    update webhook_deliveries set status = 'failed' where account_id = ${company.account_id} and id = ${id}`);
  expect((await run('replay', '--webhook', hook.id, '--since', '1h')).stdout).toBe('Resending 1 delivery.\n');
  expect((await run('replay', '--webhook', hook.id, '--delivery', id)).code).toBe(0);
  expect((await run('replay', '--webhook', hook.id)).code).toBe(2);
  expect((await run('trigger', '--list')).stdout.split('\n')).toContain('message.received');
  expect((await run('trigger', 'message.eaten')).stderr).toContain('code 2130');
});
