/** Creates a provider in a copy of the sources. The packages are linked, not copied. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROOT } from '../program.ts';
import { newProvider } from './new_provider.ts';

const run = promisify(execFile);
const COPIED = ['contract', 'smpp', 'sandbox/src', 'server/src/channels', 'server/src/kernel', 'server/package.json'];
const LISTS = {
  'contract/src/channels/adapters.ts': '\n  acme_sms,\n',
  'server/src/channels/index.ts': '\n  acme_sms,\n',
  'sandbox/src/providers/providers.ts': 'acme_sms,',
  'server/src/channels/sms_http/test/tables.ts': '\n  acme_sms,\n',
};
const FILES = [
  'contract/src/channels/sms/providers/acme_sms.ts',
  'server/src/channels/sms_http/acme_sms.ts',
  'sandbox/src/providers/acme_sms.ts',
  'server/src/channels/sms_http/test/acme_sms.ts',
];
const FAILURES = '"failed" or "rejected" or "expired" or "unsubscribed"';
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-provider-'));
  for (const path of [...COPIED, 'package.json', 'biome.json', 'tsconfig.base.json'])
    cpSync(join(ROOT, path), join(root, path), {
      recursive: true,
      filter: (name) => !name.endsWith('node_modules'),
    });
  mkdirSync(join(root, 'node_modules/@parley'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@parley') symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  for (const name of ['contract', 'smpp']) symlinkSync(join(root, name), join(root, 'node_modules/@parley', name));
  vi.spyOn(console, 'log').mockImplementation(() => {});
  newProvider(root, ['acme_sms', 'Acme SMS']);
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

test('a new provider is in every list, and its files pass the type check and the linter', async () => {
  for (const [path, entry] of Object.entries(LISTS)) expect(readFileSync(join(root, path), 'utf8')).toContain(entry);
  const project = { extends: './tsconfig.base.json', compilerOptions: { types: ['node'] } };
  const files = [...FILES, ...Object.keys(LISTS)];
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ ...project, files }));
  const bin = join(ROOT, 'node_modules/.bin');
  const [types] = await Promise.all([
    run(join(bin, 'tsc'), ['-p', root]).catch(({ stdout }) => ({ stdout })),
    run(join(bin, 'biome'), ['check', '--vcs-enabled=false', ...files], { cwd: root }),
  ]);
  expect(types.stdout).toBe('');
});

/** Runs in the copy, because the modules there import each other. */
const SCRIPT = `
  const { TABLES } = await import('./server/src/channels/sms_http/test/tables.ts');
  const { findGaps, MESSAGE } = await import('./server/src/channels/sms_http/test/table.ts');
  const { startPeer } = await import('./server/src/channels/sms_http/test/peer.ts');
  const { getAdapter } = await import('./server/src/channels/index.ts');
  const { acme_sms: sandbox } = await import('./sandbox/src/providers/acme_sms.ts');
  const { callbacks } = getAdapter('acme_sms');
  const peer = await startPeer();
  const send = async (status, body) => {
    peer.respond(status, body);
    return peer.send('acme_sms', sandbox.settings);
  };
  await send(200, {});
  const { headers, body } = peer.request();
  const request = sandbox.read(JSON.parse(body));
  const read = (post) => {
    const url = request.callback_url;
    const query = Object.fromEntries(new URL(url).searchParams);
    const connection = { id: 'c1', settings: { base_url: 'https://api.example', ...sandbox.settings } };
    return callbacks.read(connection, { method: 'POST', url, query, headers: {}, body: Buffer.from(post.body) });
  };
  const answer = sandbox.accept('id1', request, 1);
  console.log(JSON.stringify({
    gaps: findGaps('acme_sms', TABLES.acme_sms),
    allowed: sandbox.isAllowed(headers, {}),
    accepted: (await send(answer.status, answer.body)).accepted,
    refused: (await send(400, sandbox.refuse('number').body)).failure.kind,
    receipt: read(sandbox.receipt({ id: 'id1', state: 'delivered', ...MESSAGE }, '')).reports[0],
    inbound: read(sandbox.inbound({ id: 'id2', ...MESSAGE }, '')).incoming[0].text,
  }));
  peer.close();`;

test('a new provider understands its sandbox, and its table names everything that is missing', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd: root });
  const { gaps, ...result } = JSON.parse(stdout);
  expect(result).toMatchObject({
    ...{
      allowed: true,
      accepted: [{ part: 1, external_id: 'id1' }],
      refused: 'rejected',
      inbound: 'Your table is ready',
    },
    receipt: { external_id: 'id1', status: 'delivered', reference: 4711, number: '447700900123' },
  });
  expect(gaps).toEqual([
    'acme_sms: sources: add the URLs of the documentation pages that contain the examples',
    'acme_sms: request: add the path and the fields of the request for MESSAGE, from the documentation',
    ...['accepted', 'rejected', 'connection', 'throttled', 'unknown'].map(
      (meaning) => `acme_sms: responses: add a published response that means "${meaning}"`,
    ),
    'acme_sms: receipts: add a published callback with the status "delivered"',
    `acme_sms: receipts: add a published callback with the status ${FAILURES}`,
    'acme_sms: inbound: add a published callback of an inbound message',
  ]);
});

test('a name that is taken or cannot be used is refused, and nothing is changed', () => {
  const before = readFileSync(join(root, 'server/src/channels/index.ts'), 'utf8');
  expect(() => newProvider(root, ['acme_sms'])).toThrow(/already exists/);
  for (const args of [[], ['Acme'], ['../acme'], ['bind'], ['provider'], ['acme', 'A`b'], ['acme', 'A', 'b']])
    expect(() => newProvider(root, args), args.join(' ')).toThrow();
  expect(readFileSync(join(root, 'server/src/channels/index.ts'), 'utf8')).toBe(before);
});
