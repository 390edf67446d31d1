/**
 * Kills a worker between the request and the response of every SMS provider at once. The outcome of a message depends
 * on the provider's features: an ID that it accepts only once, a lookup, or a receipt. The log of the message states
 * the evidence.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAdapter } from '../../channels/index.ts';
import { TABLES } from '../../channels/sms_http/test/tables.ts';
import { sql } from '../../kernel/db/db.ts';
import { openCarrier } from '../../test/carrier.ts';
import { LONG } from '../../test/grace.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { addRate, connectProvider, listProviders, SENDER } from '../../test/peers/sandbox_providers.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

const NAMES = Object.keys(TABLES);
/** The last digits of the numbers: the provider has the message, has it but sends no receipt, or never got it. */
const ENDINGS = { receipt: '111111', silent: '900905', lost: '222222' } as const;
type Fate = keyof typeof ENDINGS;
const FATES = Object.keys(ENDINGS) as Fate[];

const REPEATED =
  'The response was lost, so the message was sent again with the same ID, which cannot cause a duplicate';
const BY_RECEIPT = 'Confirmed by a delivery receipt';
const BY_LOOKUP = 'Confirmed by a status query to the carrier';
const UNCERTAIN = 'The carrier did not respond, so delivery is uncertain';

const numberFor = (name: string, fate: Fate) => `4474${10 + NAMES.indexOf(name)}${ENDINGS[fate]}`;

/** The evidence, apart from a receipt, that settles a message of the provider. */
function findMeans(name: string): 'key' | 'lookup' | 'policy' {
  const { isIdempotent, lookup } = getAdapter(name);
  return isIdempotent ? 'key' : lookup ? 'lookup' : 'policy';
}

let world: World;
let api: Caller;
let gate: Gate;
const ids = new Map<string, string>();

interface Gate {
  url: string;
  /** The messages whose response is held back. */
  held: number;
  open(): void;
  stop(): Promise<void>;
}

/**
 * Stands between Parley and the sandbox. Until it opens, it holds back every response, and forwards no request to a
 * number of the fate `lost`.
 */
async function startGate(target: string): Promise<Gate> {
  let isOpen = false;
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString('utf8');
    const isLost = NAMES.some((name) => body.includes(numberFor(name, 'lost')));
    if (!isOpen && isLost) return void gate.held++;
    const { authorization = '', 'content-type': content_type = '' } = request.headers;
    const answer = await fetch(target + request.url, {
      method: request.method!,
      headers: { authorization, ...(content_type ? { 'content-type': content_type } : {}) },
      ...(body ? { body } : {}),
    });
    const text = await answer.text();
    if (!isOpen) return void gate.held++;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  };
  const server: Server = createServer((request, response) => void forward(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: 0,
    open() {
      isOpen = true;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const read = async (name: string, fate: Fate) =>
  (await api.get(`/v1/messages/${ids.get(numberFor(name, fate))}`)).body.data;
const countOnPhone = async (name: string, fate: Fate): Promise<number> => {
  const response = await fetch(`${world.sandbox!.url}/api/phones/${numberFor(name, fate)}/messages`);
  return ((await response.json()) as { messages: unknown[] }).messages.length;
};
const countOpen = async (adapters: readonly string[]): Promise<number> =>
  (
    await world.kernel.db.one<{ n: number }>(sql`
      select count(*)::int as n from dispatch d join connections c on c.id = d.connection_id
      where c.adapter = any(${adapters as string[]}::text[])`)
  ).n;

beforeAll(async () => {
  world = await createWorld({ role: 'api', sandbox: true });
  await openCarrier(world).set({ receipt_delay_ms: 50, receipt_jitter_ms: 50 });
  gate = await startGate(world.sandbox!.url);
  await addRate(world);
  for (const provider of await listProviders(world.sandbox!))
    await connectProvider(world, provider, {
      ...{ origin: gate.url, prefix: numberFor(provider.name, 'lost').slice(0, 6) },
      grace_seconds: LONG,
    });
  const company = await makeCompany(world.kernel);
  const { code } = await makeSender(world.kernel, company.account_id, { code: SENDER });
  api = world.as(company.token);
  for (const name of NAMES)
    for (const fate of FATES) {
      const to = numberFor(name, fate);
      const { body } = await api.post('/v1/messages', { from: code, to, channel: 'SMS', text: 'Only once' });
      ids.set(to, body.data[0].id);
    }
  const victim = await startWorkerProcess(world);
  await until('every provider has its requests', () => gate.held === ids.size);
  victim.signal('SIGKILL');
  await victim.ended;
  gate.open();
});
afterAll(async () => {
  await gate?.stop();
  await world?.stop();
});

test('a killed worker leaves nothing that its successor cannot settle', async () => {
  const successor = await startWorkerProcess(world);
  const { db } = world.kernel;
  await until('the messages with a receipt are settled', async () => {
    for (const name of NAMES) if ((await read(name, 'receipt')).status !== 'delivered') return false;
    return true;
  });
  // Lookups begin some seconds after a receipt could have arrived.
  await db.run(sql`update dispatch set unknown_date = unknown_date - interval '1 minute' where stage = 'submitting'`);
  const certain = NAMES.filter((name) => findMeans(name) === 'key');
  await until('the messages with an ID of our choice are settled', async () => (await countOpen(certain)) === 0);
  const known = NAMES.filter((name) => findMeans(name) === 'lookup');
  await until(
    'only messages that the providers do not know are open',
    async () => (await countOpen(known)) === known.length,
  );
  await db.run(sql`update connections set unknown_grace_seconds = 1`);
  await until('nothing is open', async () => (await countOpen(NAMES)) === 0);
  await successor.stop();
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});

describe.each(NAMES)('%s', (name) => {
  const means = findMeans(name);
  const notes = (message: { timeline: { text?: string }[] }) => message.timeline.map(({ text }) => text);

  test('a message with a receipt is delivered once', async () => {
    const message = await read(name, 'receipt');
    expect(message).toMatchObject({ status: 'delivered', charge: 'settled' });
    expect(notes(message)).toContainEqual(expect.stringMatching(`${BY_RECEIPT}|${REPEATED}`));
    expect(await countOnPhone(name, 'receipt')).toBe(1);
  });

  test('a message without a receipt is settled as far as the provider allows', async () => {
    const message = await read(name, 'silent');
    expect(await countOnPhone(name, 'silent')).toBe(1);
    if (means === 'policy') {
      expect(message).toMatchObject({ status: 'failed', charge: 'released' });
      expect(notes(message)).toContain(UNCERTAIN);
      return;
    }
    expect(message).toMatchObject({ status: 'sent', charge: 'settled' });
    expect(notes(message)).toContain(means === 'key' ? REPEATED : BY_LOOKUP);
  });

  test('a message that the provider never got is sent again only if that is safe', async () => {
    const message = await read(name, 'lost');
    expect(message.possible_duplicate ?? false).toBe(false);
    if (means === 'key') {
      expect(message).toMatchObject({ status: 'delivered', charge: 'settled' });
      expect(notes(message)).toContain(REPEATED);
      expect(await countOnPhone(name, 'lost')).toBe(1);
      return;
    }
    expect(message).toMatchObject({ status: 'failed', charge: 'released' });
    expect(notes(message)).toContain(UNCERTAIN);
    expect(await countOnPhone(name, 'lost')).toBe(0);
  });
});
