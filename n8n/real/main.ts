/**
 * `npm run test:n8n` in `n8n/`: runs the built package inside the real n8n, against a real Parley. It installs n8n from
 * npm into a temporary folder, which takes about 3 GB and 5 minutes, and removes everything at the end. `N8N_DIR` is a
 * folder in which `n8n` is already installed. All connections stay on this machine.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeAudience, makeCarrier, makeCompany, makeKey, makeSender } from '@parley/server/src/test/make.ts';
import { api, type Rig, startRig, until } from '../../bench/rig.ts';
import { type N8n, startN8n } from './n8n_process.ts';

/** The version that this test was written for. */
const N8N = '2.38.7';
const INSTALL_MS = 1_200_000;
const EVENT_MS = 60_000;
const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'parley-n8n-'));
const step = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
process.exitCode = 1;
try {
  await run();
  process.exitCode = 0;
  step('passed');
} finally {
  for (const stop of stops.reverse()) await stop().catch((error: unknown) => console.error(error));
}

async function run(): Promise<void> {
  const programs = process.env.N8N_DIR ?? (await install());
  const user_folder = join(folder, 'user');
  await installPackage(join(user_folder, '.n8n/nodes/node_modules/n8n-nodes-parley'));
  step('starting Parley');
  // The webhooks of n8n are on this machine.
  const rig = await startRig({ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
  stops.push(rig.stop);
  await makeCarrier(rig.kernel, { countries: ['GB'] });
  step('starting n8n');
  const n8n = await startN8n({ programs, user_folder, database: await createDatabase(rig.postgres.superuser_url) });
  stops.push(n8n.stop);
  const types = (await n8n.get('/types/nodes.json')) as { name: string }[];
  const names = types.map(({ name }) => name).filter((name) => name.startsWith('n8n-nodes-parley.'));
  assert.deepEqual(
    names.sort(),
    ['parley', 'parleyTool', 'parleyTrigger'].map((name) => `n8n-nodes-parley.${name}`),
  );
  step('n8n loaded the nodes');
  const scene = await makeScene(rig, n8n);
  await sendFromWorkflow(scene);
  await showRefusal(scene);
  await startFromEvent(scene);
}

async function makeScene({ kernel, url }: Rig, n8n: N8n) {
  const company = await makeCompany(kernel);
  const apiKey = await makeKey(kernel, company.account_id);
  const credential = await n8n.createCredential('parleyApi', { url, apiKey });
  assert.equal((await n8n.testCredential(credential)).status, 'OK');
  const wrong = await n8n.createCredential('parleyApi', { url, apiKey: 'wrong' });
  assert.equal((await n8n.testCredential(wrong)).status, 'Error');
  step('the credential is tested with a call');
  return {
    n8n,
    owner: api(url, company.token),
    from: (await makeSender(kernel, company.account_id)).code,
    audience_id: await makeAudience(kernel, company.account_id, []),
    node: (name: string, parameters: object) => ({
      ...{ id: name, name, type: 'n8n-nodes-parley.parley', typeVersion: 1, position: [0, 0], parameters },
      credentials: { parleyApi: { id: credential.id, name: credential.name } },
    }),
  };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** The node that starts a workflow when its URL is called. */
function webhook(path: string) {
  return {
    ...{ id: 'start', name: 'start', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0] },
    webhookId: path,
    parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' },
  };
}

function chain(...nodes: string[]) {
  const links = nodes.slice(1).map((to, at) => [nodes[at], { main: [[{ node: to, type: 'main', index: 0 }]] }]);
  return Object.fromEntries(links);
}

async function sendFromWorkflow({ n8n, owner, node, from, audience_id }: Scene): Promise<void> {
  await n8n.activate({
    name: 'Send',
    nodes: [
      webhook('send'),
      node('send', {
        ...{ operation: 'sendMessage', channel: 'SMS', from, to: '447400100001, 447400100002' },
        ...{ text: '={{ $json.body.text }}', options: { payload: 'order 7', idempotency_key: 'order-7' } },
      }),
      node('get', { operation: 'getMessage', messageId: '={{ $json.id }}' }),
      node('contact', {
        ...{ operation: 'addContact', audienceId: audience_id, number: '={{ $json.to }}' },
        details: { first_name: 'Zoë' },
      }),
    ],
    connections: chain('start', 'send', 'get', 'contact'),
  });
  const sent = (await n8n.call('send', { text: 'Zoë 👋' })) as { number: string }[];
  assert.deepEqual(sent.map(({ number }) => number).sort(), ['447400100001', '447400100002']);
  const log = (await owner.get('/v1/messages')).body.data as { text: string }[];
  assert.deepEqual(
    log.map(({ text }) => text),
    ['Zoë 👋', 'Zoë 👋'],
  );
  const contacts = (await owner.get(`/v1/audiences/${audience_id}/contacts`)).body.data as unknown[];
  assert.equal(contacts.length, 2);
  step('a workflow sent, read, and added contacts');
}

async function showRefusal({ n8n, node }: Scene): Promise<void> {
  const message = { operation: 'sendMessage', channel: 'SMS', from: 'Nobody', to: '447400100001', text: 'Hi' };
  await n8n.activate({
    name: 'Refused',
    nodes: [webhook('refused'), { ...node('send', message), onError: 'continueRegularOutput' }],
    connections: chain('start', 'send'),
  });
  const [refused] = (await n8n.call('refused', {})) as { error: string; description: string }[];
  assert.match(refused!.description, /^Code 1505, field from, request ID [0-9a-f-]{36}$/);
  step('an error shows the code, the field, and the request ID');
}

async function startFromEvent({ n8n, owner, node, from }: Scene): Promise<void> {
  const trigger = node('trigger', { events: ['message.delivered', 'message.failed'] });
  const workflow = await n8n.activate({
    name: 'Events',
    nodes: [{ ...trigger, type: 'n8n-nodes-parley.parleyTrigger', webhookId: 'parley-events' }],
    connections: {},
  });
  const listWebhooks = async () => (await owner.get('/v1/webhooks')).body.data as { url: string; events: string[] }[];
  const [subscribed] = await listWebhooks();
  assert.deepEqual(subscribed!.events, ['message.delivered', 'message.failed']);
  const message = { from, to: ['447400100003'], channel: 'SMS', text: 'Delivered', payload: 'order 8' };
  const [{ id }] = (await owner.post('/v1/messages', message)).body.data as [{ id: string }];
  let started: Record<string, unknown> | undefined;
  const hasStarted = async () => {
    const found = await n8n.results(workflow, 'trigger');
    started = found.find(({ data }) => (data as { id?: string } | undefined)?.id === id);
    return started !== undefined;
  };
  await until('n8n runs the workflow of the event', hasStarted, EVENT_MS, 500);
  assert.match(String(started!.webhook_id), /./);
  const forged = await fetch(subscribed!.url, { method: 'POST', body: '{"type":"message.delivered"}' });
  assert.equal(forged.status, 401);
  step('an event started a workflow, and a forged one did not');
  await n8n.deactivate(workflow);
  assert.deepEqual(await listWebhooks(), []);
  step('deactivating the workflow deleted its webhook');
}

async function install(): Promise<string> {
  step(`installing n8n ${N8N}`);
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'package.json'), '{}\n');
  // Scripts of packages are not needed: n8n stores its data in PostgreSQL.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const running = { cwd: programs, stdio: 'inherit', timeout: INSTALL_MS } as const;
  execFileSync('npm', ['install', ...options, `n8n@${N8N}`], running);
  return programs;
}

/** Puts the files that npm would publish where n8n looks for community nodes. */
async function installPackage(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  execFileSync(process.execPath, [join(PACKAGE, 'build.mjs'), join(target, 'dist')], { stdio: 'inherit' });
  for (const name of ['package.json', 'README.md']) await cp(join(PACKAGE, name), join(target, name));
}

/** n8n gets a database of its own in the PostgreSQL of the test. */
async function createDatabase(url: string): Promise<URL> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create database n8n');
  await client.end();
  const database = new URL(url);
  database.pathname = '/n8n';
  return database;
}
