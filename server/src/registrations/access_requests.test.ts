import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { refreshAllStates } from '../senders/carrier/refresh.ts';
import { mailsTo, textTo } from '../test/mailbox.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from '../test/make.ts';
import { ACCESS, attachAll, makeChatConnection } from '../test/senders.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';
import { eraseForms } from './erase.ts';

let world: World;
let company: Company;
let owner: Caller;
let desk: Caller;
let whatsapp: string;
let viber: string;
let next = 500;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  const operator = await makeCompany(world.kernel, { operator: true });
  await makeSender(world.kernel, operator.account_id, { code: '447700900999' });
  company = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update accounts set company_name = 'Harbour Coffee' where id = ${company.account_id}`);
  owner = world.as(company.token);
  desk = world.as(operator.token);
  whatsapp = await makeChatConnection(world.kernel, 'whatsapp', {
    base_url: `http://127.0.0.1:${world.sandbox!.http}/graph/v25.0`,
    access_token: 'sandbox-whatsapp-token',
    app_id: '1000000001',
    app_secret: 'sandbox-app-secret',
    waba_id: '2000000001',
  });
  viber = await makeChatConnection(world.kernel, 'viber');
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const codes = (reply: Reply): unknown[] =>
  (reply.body?.errors ?? []).map(({ code, field }: { code: number; field: string }) => [code, field]);
const detail = async (id: string, caller = owner) => (await caller.get(`/v1/senders/${id}`)).body.data;
const submit = (id: string, caller = owner) => caller.post(`/v1/senders/${id}/requests`, {});
const waiting = async (sender_id: string) =>
  (await desk.get('/v1/requests?page_size=100&filter[statuses]=waiting')).body.data.find(
    (request: { target_id: string }) => request.target_id === sender_id,
  );
const decide = (request: { id: string }, body: object) => desk.put(`/v1/requests/${request.id}`, body);
const channels = async (caller = owner) => (await caller.get('/v1/accounts/self')).body.data.channels;
const events = async (account_id: string, type: string): Promise<number> =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from events where account_id = ${account_id} and type = ${type}`,
    )
  ).count;
// Returns numbers that are far apart, because neighboring numbers share a limit on codes.
const freshNumber = () => `4474${String(++next).padStart(4, '0')}0100`;

/** Creates a complete draft. A WhatsApp draft has a verified number. */
async function ready(kind: 'whatsapp' | 'viber', caller = owner, change: object = {}) {
  const creation = await caller.post('/v1/senders', { type: 'business', channel: kind });
  if (creation.status !== 201) throw new Error(creation.text);
  const { id } = creation.body.data as { id: string };
  const number = freshNumber();
  const form = { ...ACCESS[kind], ...(kind === 'whatsapp' ? { phone_number: number } : {}), ...change };
  const update = await caller.put(`/v1/senders/${id}/${kind}`, form);
  if (update.status !== 200) throw new Error(update.text);
  if (kind === 'whatsapp') {
    const path = `/v1/senders/${id}/phone_verifications`;
    const request = await caller.post(path, { phone_number: `+${number}` });
    const { text } = await textTo(world.kernel, number);
    await caller.put(`${path}/${request.body.data.id}`, { code: text.slice(0, 6) });
  }
  await attachAll(caller, id, kind);
  return { id, number };
}

test('a Viber request is submitted, rejected, corrected, returned with a question, and then approved', async () => {
  const { id } = await ready('viber');
  const submitted = await submit(id);
  expect(submitted.status).toBe(201);
  expect(submitted.body.data).toMatchObject({
    status: 'pending',
    code: 'Harbour Coffee',
    business_name: 'Harbour Coffee',
  });
  const pending = await detail(id);
  expect(pending).toMatchObject({ expected_days: [5, 7], editable: false, countries: ['DE', 'GB'] });
  const days = (Date.parse(`${pending.expected_date}Z`) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(9);
  expect(days).toBeLessThan(11);
  expect(code(await owner.put(`/v1/senders/${id}/viber`, { traffic: 'promotional' }))).toBe(1472);

  const first = await waiting(id);
  expect(first).toMatchObject({ kind: 'viber', company_name: 'Harbour Coffee', status: 'waiting' });
  const firstDetail = (await desk.get(`/v1/requests/${first.id}`)).body.data;
  expect(firstDetail.sender).toMatchObject({
    form: { viber: { business_name_en: 'Harbour Coffee', traffic: 'both' } },
    connections: [{ id: viber, enabled: true }],
    carrier_address: null,
  });
  expect(firstDetail.documents).toHaveLength(7);
  expect(firstDetail.findings).toMatchObject([
    { level: 'warning', text: expect.stringMatching(/^The website could not/) },
  ]);
  const reasons = [
    { field: 'viber.sample_messages', text: 'The example messages do not match the selected traffic type.' },
  ];
  expect((await decide(first, { decision: 'reject', reasons })).status).toBe(200);
  expect(await detail(id)).toMatchObject({ status: 'rejected', reasons, editable: true });

  await owner.put(`/v1/senders/${id}/viber`, { sample_messages: ['Harbour Coffee: your parcel arrives on Friday.'] });
  expect((await submit(id)).status).toBe(201);
  const request = await waiting(id);
  await decide(request, { decision: 'ask', note: 'Which shops do you mean?' });
  expect(await detail(id)).toMatchObject({ status: 'pending', asked: true, note: 'Which shops do you mean?' });
  // The name can still change while the form is editable, so the carrier is not called.
  const decision = { decision: 'approve', connection_id: viber, carrier_address: '30076' };
  expect(code(await decide(request, decision))).toBe(1156);
  await owner.put(`/v1/senders/${id}/viber`, { business_description: 'Coffee roasters with nine shops in Hamburg.' });
  expect((await submit(id)).status).toBe(201);

  const last = await waiting(id);
  expect(codes(await decide(last, { decision: 'approve' }))).toEqual([[1482, 'connection_id']]);
  expect(codes(await decide(last, { decision: 'approve', connection_id: whatsapp, carrier_address: '1' }))).toEqual([
    [1482, 'connection_id'],
  ]);
  expect(codes(await decide(last, { decision: 'approve', connection_id: viber }))).toEqual([[1484, 'carrier_address']]);
  expect(await channels()).toEqual(['SMS']);
  const accountUpdates = await events(company.account_id, 'account.changed');
  const approve = { decision: 'approve', connection_id: viber, carrier_address: '30077' };
  const replies = await Promise.all([decide(last, approve), decide(last, approve)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await detail(id)).toMatchObject({ status: 'available', two_way: true, request_status: 'COMPLETED' });
  expect(await channels()).toEqual(['SMS', 'VIBER']);
  expect(await events(company.account_id, 'account.changed')).toBe(accountUpdates + 1);
  const { db } = world.kernel;
  expect(
    await db.rows(
      sql`select channel, address, sender_id from inbound_addresses where account_id = ${company.account_id}`,
    ),
  ).toEqual([{ channel: 'VIBER', address: '30077', sender_id: id }]);
  expect(await db.one(sql`select connection_id, carrier_address, business_name from senders where id = ${id}`)).toEqual(
    { connection_id: viber, carrier_address: '30077', business_name: 'Harbour Coffee' },
  );
  expect((await detail(id)).timeline.map(({ kind }: { kind: string }) => kind)).toEqual([
    'created',
    'submitted',
    'rejected',
    'resubmitted',
    'asked',
    'resubmitted',
    'approved',
  ]);
  const mails = (await mailsTo(world.kernel, `${company.user_id}@test.localhost`)).map(({ subject }) => subject);
  expect(mails).toEqual([
    'Rejected: Viber sender Harbour Coffee',
    'A question about your Viber sender Harbour Coffee',
    'Approved: Viber sender Harbour Coffee',
  ]);
});

test('a WhatsApp approval enrolls the number and stores the carrier state', async () => {
  const { id, number } = await ready('whatsapp');
  expect((await submit(id)).status).toBe(201);
  const request = await waiting(id);
  expect((await decide(request, { decision: 'approve', connection_id: whatsapp })).status).toBe(200);
  const { carrier_address } = await world.kernel.db.one<{ carrier_address: string }>(
    sql`select carrier_address from senders where id = ${id}`,
  );
  expect(carrier_address).toMatch(/^\d+$/);
  const numbers = (await (await fetch(`http://127.0.0.1:${world.sandbox!.http}/api/whatsapp/numbers`)).json()) as {
    numbers: { id: string; display_phone_number: string; status: string }[];
  };
  const registered = numbers.numbers.find((item) => item.id === carrier_address);
  expect(registered?.display_phone_number.replace(/\D/g, '')).toBe(number);
  expect(await detail(id)).toMatchObject({ status: 'available', code: number, two_way: true });
  await until('the carrier state of WhatsApp', async () => (await detail(id)).carrier_state !== null);
  expect((await detail(id)).carrier_state).toMatchObject({ quality: 'GREEN', status: 'CONNECTED' });

  // Waits until the approval's other jobs finish, so that no job refreshes the state during the next checks.
  await until('WhatsApp has the profile', async () => (await detail(id)).profile?.state === 'taken');
  await until('the name is approved', async () => {
    await refreshAllStates(world.kernel, new AbortController().signal);
    return (await detail(id)).carrier_state.name_status === 'APPROVED';
  });

  // A refresh emits an event only if the state changed.
  const countUpdates = () => events(company.account_id, 'sender.updated');
  const before = await countUpdates();
  expect(await refreshAllStates(world.kernel, new AbortController().signal)).toBe(0);
  expect(await countUpdates()).toBe(before);
  await fetch(`http://127.0.0.1:${world.sandbox!.http}/api/whatsapp/numbers/${carrier_address}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"quality_rating":"RED"}',
  });
  await refreshAllStates(world.kernel, new AbortController().signal);
  expect((await detail(id)).carrier_state).toMatchObject({ quality: 'RED' });
  expect(await countUpdates()).toBe(before + 1);

  // Another account cannot request the same number.
  const stranger = world.as((await makeCompany(world.kernel)).token);
  const other = (await stranger.post('/v1/senders', { type: 'business', channel: 'WHATSAPP' })).body.data.id;
  expect(codes(await stranger.put(`/v1/senders/${other}/whatsapp`, { phone_number: `+${number}` }))).toEqual([
    [1440, 'phone_number'],
  ]);
});

describe('a carrier approval', () => {
  test('reports a refusal, keeps the request open, and does not call the carrier again after a crash', async () => {
    const { id, number } = await ready('whatsapp');
    await submit(id);
    const request = await waiting(id);
    const invalidConnection = await makeChatConnection(world.kernel, 'whatsapp', {
      base_url: `http://127.0.0.1:${world.sandbox!.http}/graph/v25.0`,
      access_token: 'nonsense',
      waba_id: '2000000001',
    });
    const refusal = await decide(request, { decision: 'approve', connection_id: invalidConnection });
    expect([1483, 1486]).toContain(code(refusal));
    expect(refusal.body.errors[0].message.length).toBeGreaterThan(20);
    const otherConnection = await makeChatConnection(world.kernel, 'whatsapp');
    expect(codes(await decide(request, { decision: 'approve', connection_id: otherConnection }))).toEqual([
      [1486, 'carrier_address'],
    ]);
    expect(await waiting(id)).toMatchObject({ status: 'waiting' });
    expect(await detail(id)).toMatchObject({ status: 'pending' });

    // Simulates an approval that was interrupted after the carrier's response.
    await world.kernel.db.run(sql`
      update senders set connection_id = ${otherConnection}, carrier_address = '555001'
      where id = ${id} and code = ${number}`);
    expect((await desk.get(`/v1/requests/${request.id}`)).body.data.sender).toMatchObject({
      connection_id: otherConnection,
      carrier_address: '555001',
    });
    expect((await decide(request, { decision: 'approve', connection_id: otherConnection })).status).toBe(200);
  });

  test('fails when the form changes during the call to the carrier', async () => {
    const { id, number } = await ready('whatsapp');
    await submit(id);
    const request = await waiting(id);
    let change: Promise<void> | undefined;
    const changeOnce = async () => {
      await decide(request, { decision: 'ask', note: 'Which harbour?' });
      await owner.put(`/v1/senders/${id}/whatsapp`, { display_name: 'Your Bank' });
      await submit(id);
    };
    const slow = createServer(async (_, response) => {
      // A repeated call to the carrier must not change the form again.
      change ??= changeOnce();
      await change;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ data: [{ id: '777001', display_phone_number: `+${number}`, status: 'CONNECTED' }] }),
      );
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    try {
      const connection_id = await makeChatConnection(world.kernel, 'whatsapp', {
        base_url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
        access_token: 'token',
        app_secret: 'secret',
      });
      // The decision has no revision, as from an API client.
      expect(code(await decide(request, { decision: 'approve', connection_id }))).toBe(1156);
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
    expect(await detail(id)).toMatchObject({ status: 'pending', asked: false, business_name: 'Your Bank' });
  });

  test('requires a unique carrier address and a Viber name that no other account uses', async () => {
    const otherCompany = await makeCompany(world.kernel);
    const api = world.as(otherCompany.token);
    const requestId = (await api.post('/v1/senders', { type: 'business', channel: 'VIBER' })).body.data.id;
    expect(codes(await api.put(`/v1/senders/${requestId}/viber`, { business_name_en: 'HARBOUR coffee' }))).toEqual([
      [1446, 'business_name_en'],
    ]);
    const { id } = await ready('viber', api, { business_name_en: 'Roastery Nine', two_way: false });
    await submit(id, api);
    const request = await waiting(id);
    expect(
      codes(await decide(request, { decision: 'approve', connection_id: viber, carrier_address: '30077' })),
    ).toEqual([[1485, 'carrier_address']]);
    expect(await channels(api)).toEqual(['SMS']);
    expect(
      (await decide(request, { decision: 'approve', connection_id: viber, carrier_address: '30078' })).status,
    ).toBe(200);
    expect(await detail(id, api)).toMatchObject({ status: 'available', two_way: false });
    // Removing the sender frees the name and the address.
    expect((await api.delete(`/v1/senders/${id}`)).status).toBe(204);
    expect((await api.put(`/v1/senders/${requestId}/viber`, { business_name_en: 'Roastery Nine' })).status).toBe(200);
    expect(await channels(api)).toEqual(['SMS', 'VIBER']);
  });
});

test('WhatsApp and Viber senders are listed by channel and name and erased with the account', async () => {
  const list = async (query: string) =>
    (await owner.get(`/v1/senders?page_size=100&${query}`)).body.data.map(
      ({ channel }: { channel: string }) => channel,
    );
  expect(new Set(await list('filter[channels]=WHATSAPP,VIBER'))).toEqual(new Set(['WHATSAPP', 'VIBER']));
  expect(await list('filter[channel]=viber')).toEqual(['VIBER']);
  expect(await list('filter[name]=Harbour&filter[channel]=viber')).toEqual(['VIBER']);

  const closedCompany = await makeCompany(world.kernel);
  const { id } = await ready('whatsapp', world.as(closedCompany.token));
  await world.kernel.db.run(
    sql`update accounts set close_date = now(), erase_date = now() where id = ${closedCompany.account_id}`,
  );
  await world.kernel.db.run(sql`delete from sessions where account_id = ${closedCompany.account_id}`);
  expect(await eraseForms(world.kernel)).toBe(1);
  const { db } = world.kernel;
  expect(await db.rows(sql`select 1 from own_numbers where account_id = ${closedCompany.account_id}`)).toEqual([]);
  expect(await db.rows(sql`select 1 from sender_registrations where sender_id = ${id}`)).toEqual([]);
});

test('all invariants hold after these tests', async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
