/** Hostile callbacks. Each provider signs in its own way, and the attacks are the same for all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fields, type Post, SECRET } from '../../channels/sms_http/test/table.ts';
import { TABLES } from '../../channels/sms_http/test/tables.ts';
import { sql } from '../../kernel/db/db.ts';
import { openCarrier } from '../../test/carrier.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { addRate, connectProvider, listProviders, SENDER } from '../../test/peers/sandbox_providers.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

const NAMES = Object.keys(TABLES);
const HUGE = 4 * 1024 * 1024;

let world: World;
let api: Caller;
/** Each provider has two connections with the same secrets. Messages leave through the first. */
const connections = new Map<string, { first: string; second: string }>();

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  // The test writes all receipts itself.
  await openCarrier(world).set({ receipt_delay_ms: 3_600_000 });
  await addRate(world);
  const providers = await listProviders(world.sandbox!);
  expect(providers.map(({ name }) => name)).toEqual(NAMES);
  const origin = world.sandbox!.url;
  for (const provider of providers) {
    const { name } = provider;
    const { settings } = TABLES[name]!;
    const prefix = numberFor(name).slice(0, 6);
    const first = await connectProvider(world, provider, { origin, settings, prefix });
    const second = await connectProvider(world, provider, { origin, settings, name: `${name} 2`, hasRoute: false });
    connections.set(name, { first, second });
  }
  const company = await makeCompany(world.kernel);
  await makeSender(world.kernel, company.account_id, { code: SENDER });
  api = world.as(company.token);
});
afterAll(() => world?.stop());

const numberFor = (name: string) => `4474${10 + NAMES.indexOf(name)}111111`;
const urlFor = (name: string, which: 'first' | 'second') => `/callbacks/${connections.get(name)![which]}`;

/** Signs a callback for the first connection of the provider. */
const sign = (name: string, fields: Fields, { secret = SECRET, age_s = 0 } = {}): Post =>
  TABLES[name]!.post(fields, {
    ...{ url: `${world.kernel.config.PUBLIC_URL}${urlFor(name, 'first')}`, secret },
    time_s: Math.floor(Date.now() / 1_000) - age_s,
  });

async function call(name: string, { query, headers, body }: Post, which: 'first' | 'second' = 'first') {
  const url = `${world.url}${urlFor(name, which)}${query ? `?${new URLSearchParams(query)}` : ''}`;
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

const read = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const inboundFrom = async (number: string) =>
  (await api.get(`/v1/messages?filter[direction]=MO&filter[from]=${number}`)).body.data as { text: string }[];

const isDelivered = ({ status }: { status: string }): boolean => status === 'delivered';

describe.each(NAMES)('%s', (name) => {
  const { receipt, text, foreign, max_age_s } = TABLES[name]!;
  const to = numberFor(name);
  let id: string;
  let external_id: string;
  const receiptFor = (state: 'sent' | 'delivered' | 'failed', of = external_id) =>
    receipt({ id: of, from: SENDER, to, state });

  beforeAll(async () => {
    const { body } = await api.post('/v1/messages', { from: SENDER, to, channel: 'SMS', text: 'Hello' });
    id = body.data[0].id;
    await until('the message is sent', async () => (await read(id)).status === 'sent');
    ({ external_id } = await world.kernel.db.one<{ external_id: string }>(sql`
      select external_id from submissions where message_id = ${id}`));
  });

  test('a forged, old, foreign, misdirected, or huge callback changes nothing', async () => {
    const before = await read(id);
    const delivered = receiptFor('delivered');
    const reply = text({ id: `forged-${name}`, from: to, to: SENDER, text: 'Forged' });
    for (const fields of [delivered, reply]) {
      expect(await call(name, sign(name, fields, { secret: 'another-secret-0001' }))).toBe(403);
      expect(await call(name, { ...sign(name, fields), headers: {}, query: {} })).toBe(403);
      if (max_age_s) expect(await call(name, sign(name, fields, { age_s: max_age_s + 5 }))).toBe(403);
      if (foreign) expect([200, 403]).toContain(await call(name, sign(name, { ...fields, ...foreign })));
      const huge = sign(name, fields);
      expect(await call(name, { ...huge, body: huge.body + ' '.repeat(HUGE) })).toBe(413);
    }
    // A recording for another connection of the same provider. If the signature covers the URL, it is refused.
    expect([200, 403]).toContain(await call(name, sign(name, delivered), 'second'));
    expect(await read(id)).toEqual(before);
    expect(await inboundFrom(to)).toEqual([]);
  });

  test('a callback with an unknown ID or unknown fields is acknowledged and changes nothing', async () => {
    const before = await read(id);
    for (const fields of [receiptFor('delivered', `unknown-${name}`), {}, { id: {}, results: [null, 7], data: [] }])
      expect(await call(name, sign(name, fields))).toBe(200);
    expect(await read(id)).toEqual(before);
  });

  test('a repeated or late receipt changes only the timeline', async () => {
    const delivered = sign(name, receiptFor('delivered'));
    const together = await Promise.all([1, 2, 3].map(() => call(name, delivered)));
    expect(together).toEqual([200, 200, 200]);
    const { timeline, ...before } = await read(id);
    expect(before).toMatchObject({ status: 'delivered', charge: 'settled' });
    for (const fields of [receiptFor('delivered'), receiptFor('sent'), receiptFor('failed')])
      expect(await call(name, sign(name, fields))).toBe(200);
    const { timeline: longer, ...after } = await read(id);
    expect(after).toEqual(before);
    // The timeline keeps every report, and marks those that came too late.
    const [first, ...repeated] = longer.slice(timeline.findIndex(isDelivered));
    expect(first.late).toBeUndefined();
    expect(repeated.map(({ late }: { late?: boolean }) => late)).toEqual(Array(repeated.length).fill(true));
    expect(longer.length).toBeGreaterThan(timeline.length);
  });

  test('a repeated inbound message is stored once', async () => {
    const reply = sign(name, text({ id: `reply-${name}`, from: to, to: SENDER, text: 'On my way' }));
    expect(await Promise.all([1, 2].map(() => call(name, reply)))).toEqual([200, 200]);
    expect(await call(name, reply)).toBe(200);
    await until('the reply is stored', async () => (await inboundFrom(to)).length > 0);
    // A later message is stored after every earlier callback.
    const later = text({ id: `later-${name}`, from: to, to: SENDER, text: 'Here' });
    expect(await call(name, sign(name, later))).toBe(200);
    await until('the later message is stored', async () => (await inboundFrom(to)).length > 1);
    expect((await inboundFrom(to)).map((message) => message.text)).toEqual(['Here', 'On my way']);
  });
});

test('the ledger and the messages are consistent after these tests', async () => {
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});
