/**
 * Tests a WhatsApp sender from approval to removal, with the sandbox acting as WhatsApp: codes, PIN, profile, quality,
 * and deregistration.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { subscribeAll } from '../connections/callbacks.ts';
import { sql } from '../kernel/db/db.ts';
import { deregisterAtCarrier, unsubscribeCallbacks } from '../senders/carrier/deregistration.ts';
import { refreshAllStates } from '../senders/carrier/refresh.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { picture } from '../test/media_files.ts';
import { buildGraphUrl, callGraph, callSandbox, findNumber, waitForCode } from '../test/peers/sandbox_whatsapp.ts';
import { ACCESS, attachAccess, attachAll, makeChatConnection } from '../test/senders.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';
import { pushProfile } from './profile.ts';

let world: World;
let company: Company;
let owner: Caller;
let desk: Caller;
let connection_id: string;
let next = 100;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  desk = world.as((await makeCompany(world.kernel, { operator: true })).token);
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  connection_id = await makeChatConnection(world.kernel, 'whatsapp', {
    base_url: graph(),
    access_token: 'sandbox-whatsapp-token',
    app_id: '1000000001',
    app_secret: 'sandbox-app-secret',
    verify_token: 'a-word',
    waba_id: '2000000001',
  });
});
afterAll(() => world?.stop());
beforeEach(() => settings({ verification_required: false, messaging_limit: 0 }));

const graph = () => buildGraphUrl(world);
const box = (path: string, change?: object) => callSandbox(world, path, change);
const settings = (change: object) => box('whatsapp', change);
const readNumber = (number: string) => findNumber(world, number);
const reach = (base_url: string) =>
  world.kernel.db.run(sql`
    update connections set settings = settings || ${JSON.stringify({ base_url })}::jsonb where id = ${connection_id}`);
const NOWHERE = 'http://127.0.0.1:9';

const error = ({ status, body }: Reply) => [status, body?.errors?.[0]?.code];
const detail = async (id: string, caller = owner) => (await caller.get(`/v1/senders/${id}`)).body.data;
const kinds = async (id: string) => (await detail(id)).timeline.map(({ kind }: { kind: string }) => kind);
const mails = async () =>
  (await mailsTo(world.kernel, `${company.user_id}@test.localhost`)).map(({ subject }) => subject);

/** Submits a request for one of the account's own numbers. */
async function submitRequest() {
  const number = `4474${String(++next).padStart(4, '0')}0300`;
  const { id } = (await owner.post('/v1/senders', { type: 'business', channel: 'WHATSAPP' })).body.data;
  await owner.put(`/v1/senders/${id}/whatsapp`, { ...ACCESS.whatsapp, phone_number: number });
  await world.kernel.db.run(sql`
    insert into own_numbers (account_id, number, verify_date) values (${company.account_id}, ${number}, now())`);
  await attachAll(owner, id, 'whatsapp');
  const reply = await owner.post(`/v1/senders/${id}/requests`, {});
  if (reply.status !== 201) throw new Error(reply.text);
  const { id: request_id } = await world.kernel.db.one<{ id: string }>(
    sql`select id from sender_requests where sender_id = ${id} and status = 'IN_PROCESS'`,
  );
  const approve = () => desk.put(`/v1/requests/${request_id}`, { decision: 'approve', connection_id });
  return { id, number, request_id, approve };
}
async function approved() {
  const sender = await submitRequest();
  const { status, text } = await sender.approve();
  if (status !== 200) throw new Error(text);
  return sender;
}
const codeAt = (number: string, count: number) => waitForCode(world, number, count);

describe('a number that WhatsApp must verify', () => {
  beforeEach(() => settings({ verification_required: true }));

  test('is verified with a code before approval, and its PIN is stored encrypted', async () => {
    const { id, number, approve, request_id } = await submitRequest();
    const path = `/v1/senders/${id}/carrier_codes`;
    expect(error(await owner.post(path, {}))).toEqual([409, 1494]);
    expect((await detail(id)).verification).toBeNull();
    expect(error(await approve())).toEqual([409, 1491]);
    expect(await detail(id)).toMatchObject({
      status: 'pending',
      verification: { verified: false, method: null, code_date: null, tries_left: 5 },
    });
    expect(error(await approve())).toEqual([409, 1491]);
    // The page sends the known phone number ID with the decision.
    const decision = { decision: 'approve', connection_id, carrier_address: (await readNumber(number)).id };
    expect(error(await desk.put(`/v1/requests/${request_id}`, decision))).toEqual([409, 1491]);
    expect((await mails()).filter((subject) => subject === `One more step for +${number}`)).toHaveLength(1);
    expect((await kinds(id)).filter((kind: string) => kind === 'verification_wanted')).toHaveLength(1);

    expect(error(await owner.put(path, { code: '123456' }))).toEqual([409, 1494]);
    const first = await owner.post(path, { method: 'sms' });
    expect([first.status, first.body.data]).toMatchObject([201, { verified: false, method: 'sms', tries_left: 5 }]);
    const text = await codeAt(number, 1);
    const secondCode = await owner.post(path, { method: 'voice' });
    expect(error(secondCode)).toEqual([429, 1493]);
    expect(Number(secondCode.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(secondCode.body.errors[0].message).toMatch(/seconds/);

    const wrongCode = await owner.put(path, { code: '000-000' });
    expect([error(wrongCode), wrongCode.body.errors[0].message]).toEqual([
      [400, 1492],
      expect.stringContaining('does not match the one that was sent'),
    ]);
    expect(error(await owner.put(path, { code: 'abc' }))[0]).toBe(400);
    expect((await detail(id)).verification.tries_left).toBe(4);
    expect((await desk.get(`/v1/requests/${request_id}`)).body.data.sender.verification).toMatchObject({
      verified: false,
      tries_left: 4,
    });
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(error(await stranger.post(path, {}))).toEqual([404, 1402]);
    expect(error(await stranger.put(path, { code: '123456' }))).toEqual([404, 1402]);

    const reply = await owner.put(path, { code: text.slice(-7) });
    expect([reply.status, reply.body.data]).toMatchObject([200, { verified: true, next_date: null }]);
    expect(await readNumber(number)).toMatchObject({ verified: true, status: 'CONNECTED', has_pin: true });
    expect(await detail(id)).toMatchObject({ status: 'pending', verification: { verified: true } });
    expect(error(await owner.put(path, { code: text.slice(-7) }))).toEqual([409, 1494]);
    expect((await approve()).status).toBe(200);
    expect(await detail(id)).toMatchObject({ status: 'available', verification: null });
    expect(await kinds(id)).toEqual(['created', 'submitted', 'verification_wanted', 'verified', 'approved']);

    const { pin } = await world.kernel.db.one<{ pin: string }>(
      sql`select pin from carrier_pins where channel = 'WHATSAPP' and number = ${number}`,
    );
    expect(pin).toMatch(/^sealed\./);
    const openedPin = world.kernel.seals.open(pin, { table: 'carrier_pins', row: `WHATSAPP ${number}` });
    expect(openedPin).toMatch(/^\d{6}$/);
    const address = (await readNumber(number)).id;
    const again = await callGraph(world, `${address}/register`, { messaging_product: 'whatsapp', pin: openedPin });
    expect(again.status).toBe(200);
  });

  test('can be verified by an operator with a limited number of codes and attempts', async () => {
    const { number, approve, request_id, id } = await submitRequest();
    const path = `/v1/requests/${request_id}/carrier_codes`;
    await approve();
    expect(error(await owner.post(path, {}))).toEqual([403, 1138]);
    expect(error(await desk.post(path.replace(request_id, id), {}))).toEqual([404, 1477]);
    await reach(NOWHERE);
    expect(error(await desk.post(path, { method: 'voice' }))).toEqual([503, 1486]);
    await reach(graph());
    expect((await desk.post(path, { method: 'voice' })).status).toBe(201);
    const text = await codeAt(number, 1);
    for (let attempt = 0; attempt < 5; attempt++)
      expect(error(await desk.put(path, { code: '000000' }))).toEqual([400, 1492]);
    expect(error(await desk.put(path, { code: text.slice(-7) }))).toEqual([429, 1493]);

    const row = (change: object) =>
      world.kernel.db.run(sql`
        update sender_verifications v set (codes, first_date, code_date) = (
          select codes, first_date, code_date from jsonb_populate_record(v, ${JSON.stringify(change)}::jsonb))
        where sender_id = ${id}`);
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    await row({ code_date: ago(61_000), codes: 5, first_date: ago(3_600_000) });
    const refusal = await desk.post(path, {});
    expect([error(refusal), refusal.body.errors[0].message]).toEqual([[429, 1493], expect.stringContaining('hours')]);
    await row({ first_date: ago(25 * 3_600_000) });
    expect((await desk.post(path, {})).body.data).toMatchObject({ method: 'sms', tries_left: 5 });
    const reply = await desk.put(path, { code: (await codeAt(number, 2)).slice(-7) });
    expect(reply.body.data).toMatchObject({ verified: true });
    expect((await approve()).status).toBe(200);
  });

  test('does not need a code when it is already verified in WhatsApp Manager', async () => {
    const { number, approve, id } = await submitRequest();
    await approve();
    await settings({ verification_required: false });
    const { id: address } = await readNumber(number);
    const call = (edge: string, body: object) => callGraph(world, `${address}/${edge}`, body);
    await call('request_code', { code_method: 'SMS', language: 'en_US' });
    expect((await call('verify_code', { code: (await readNumber(number)).code })).status).toBe(200);
    expect((await owner.post(`/v1/senders/${id}/carrier_codes`, {})).body.data).toMatchObject({ verified: true });
    expect((await approve()).status).toBe(200);
  });

  test('is deregistered when it is replaced, and the new number starts a new verification', async () => {
    const { id, number, approve, request_id } = await submitRequest();
    await approve();
    await desk.put(`/v1/requests/${request_id}`, { decision: 'ask', note: 'Is this the right number?' });
    const other = `4474${String(++next).padStart(4, '0')}0300`;
    expect((await owner.put(`/v1/senders/${id}/whatsapp`, { phone_number: other })).status).toBe(200);
    expect(await detail(id)).toMatchObject({ code: other, verification: null });
    const remaining = await world.kernel.db.rows(sql`
      select 1 from pgboss.job where name = 'senders.depart'
        and data->>'carrier_address' = ${(await readNumber(number)).id}`);
    expect(remaining).toHaveLength(1);
  });
});

describe('a profile', () => {
  const edit = (id: string, body: object) => owner.put(`/v1/senders/${id}/profile`, body);
  const waitForState = (id: string, state: string) =>
    until(`the profile is ${state}`, async () => (await detail(id)).profile?.state === state);

  test('is sent to WhatsApp at approval and after each change, and refused fields are reported', async () => {
    const pending = await submitRequest();
    expect(error(await edit(pending.id, { about: 'Too early' }))).toEqual([409, 1472]);
    expect((await detail(pending.id)).profile).toBeNull();
    const { id, number } = await approved();
    await waitForState(id, 'taken');
    const first = (await readNumber(number)).profile;
    expect(first).toMatchObject({
      about: 'Fresh beans every day',
      description: ACCESS.whatsapp.business_description,
      address: ACCESS.whatsapp.business_address,
      email: ACCESS.whatsapp.business_email,
      websites: [ACCESS.whatsapp.business_website],
      vertical: 'RESTAURANT',
      picture: expect.stringContaining('/files/'),
    });

    expect((await edit(id, { about: 'Open on Sundays', business_address: `Am Kai ${'4'.repeat(280)}` })).status).toBe(
      200,
    );
    await waitForState(id, 'refused');
    expect((await detail(id)).profile.refusals).toEqual([
      { field: 'whatsapp.business_address', text: expect.stringContaining('256') },
    ]);
    expect((await readNumber(number)).profile).toMatchObject({ about: 'Open on Sundays', address: first.address });
    expect(await kinds(id)).toContain('profile_refused');
    expect((await mails()).filter((subject) => subject.includes(`profile for +${number}`))).toHaveLength(1);

    expect((await edit(id, { business_address: 'Am Kai 5', category: 'food' })).body.data.whatsapp).toMatchObject({
      business_address: 'Am Kai 5',
      about: 'Open on Sundays',
      phone_number: number,
    });
    await waitForState(id, 'taken');
    expect((await readNumber(number)).profile).toMatchObject({ address: 'Am Kai 5', vertical: 'GROCERY' });
    expect((await detail(id)).profile.refusals).toEqual([]);

    // Only the profile fields of the form can still be changed.
    expect(error(await edit(id, { business_email: 'no-address' }))).toEqual([400, 1454]);
    expect(error(await owner.put(`/v1/senders/${id}/whatsapp`, { about: 'Another way' }))).toEqual([409, 1472]);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(error(await stranger.put(`/v1/senders/${id}/profile`, { about: 'Ours' }))).toEqual([404, 1402]);
  });

  test('accepts a new picture but not a document, and is updated once WhatsApp is available', async () => {
    const { id, number } = await approved();
    await waitForState(id, 'taken');
    const before = (await readNumber(number)).profile.picture;
    const logo = { name: 'new.png', bytes: await picture('png', 640, 640) };
    await reach(NOWHERE);
    expect((await attachAccess(owner, id, 'whatsapp', 'logo_640x640', logo)).status).toBe(200);
    const letter = await attachAccess(owner, id, 'whatsapp', 'other', {
      name: 'letter.pdf',
      bytes: new TextEncoder().encode('%PDF-1.7\n%%EOF'),
    });
    expect(error(letter)).toEqual([409, 1472]);
    const key = { account_id: company.account_id, sender_id: id };
    await expect(pushProfile(world.kernel, key)).rejects.toThrow();
    expect((await detail(id)).profile.state).toBe('waiting');
    await reach(graph());
    await pushProfile(world.kernel, key);
    expect((await detail(id)).profile.state).toBe('taken');
    const after = (await readNumber(number)).profile.picture;
    expect(after).not.toBe(before);
    // Nothing is sent when nothing has changed.
    await pushProfile(world.kernel, key);
    expect((await detail(id)).attachments.filter(({ kind }: { kind: string }) => kind === 'logo_640x640')).toHaveLength(
      1,
    );
  });
});

test('quality and limit changes appear in the timeline, and the owner is emailed when they get worse', async () => {
  const { id, number } = await approved();
  await until('WhatsApp has the callback URL', async () => {
    await subscribeAll(world.kernel);
    return (await box('whatsapp/account')).callback !== null;
  });
  // Workers refresh on their own schedule, which this test does not cover.
  const refresh = () => refreshAllStates(world.kernel, new AbortController().signal);
  await refresh();
  expect((await detail(id)).carrier_state).toMatchObject({ limit: 'TIER_UNLIMITED', quality: 'GREEN' });
  const { id: address } = await readNumber(number);
  await box(`whatsapp/numbers/${address}`, { quality_rating: 'RED' });
  await until('the low quality is stored', async () => (await detail(id)).carrier_state.quality === 'RED');
  const untilTimeline = (text: RegExp) =>
    until(String(text), async () =>
      (await detail(id)).timeline.some((entry: { text: string }) => text.test(entry.text)),
    );
  await untilTimeline(/^Quality: low \(was high\)\.$/);
  await until('the email is sent', async () => (await mails()).includes(`WhatsApp reports low quality for +${number}`));
  // WhatsApp reports that the quality improved, and a refresh reads the current value.
  await box(`whatsapp/numbers/${address}`, { quality_rating: 'YELLOW' });
  await until(
    'the notice of WhatsApp has arrived',
    async () => (await detail(id)).carrier_state.quality_event === 'UNFLAGGED',
  );
  await refresh();
  await untilTimeline(/^Quality: medium \(was low\)\.$/);
  await settings({ messaging_limit: 250 });
  await untilTimeline(/^Recipients per day: 250 \(was unlimited\)\.$/);
  await until('the email is sent', async () =>
    (await mails()).includes(`WhatsApp reports a lower limit for +${number}`),
  );
  await settings({ messaging_limit: 2_000 });
  await untilTimeline(/^Recipients per day: 2,000 \(was 250\)\.$/);
  expect(
    (await mails()).filter((subject) => /^WhatsApp reports .* for \+/.test(subject) && subject.endsWith(number)),
  ).toHaveLength(2);
});

describe('removing a sender', () => {
  test('does not wait for the deregistration, which fails until WhatsApp is available', async () => {
    const { id, number } = await approved();
    const { id: carrier_address } = await readNumber(number);
    await reach(NOWHERE);
    expect((await owner.delete(`/v1/senders/${id}`)).status).toBe(204);
    const departure = { sender_id: id, connection_id, carrier_address };
    await expect(deregisterAtCarrier(world.kernel, departure)).rejects.toThrow();
    expect((await readNumber(number)).status).toBe('CONNECTED');
    await reach(graph());
    await deregisterAtCarrier(world.kernel, departure);
    expect((await readNumber(number)).status).toBe('DISCONNECTED');
    // The job runs again, as after a crash.
    await deregisterAtCarrier(world.kernel, departure);
    const remaining = await world.kernel.db.rows(sql`
      select 1 from sender_profiles where sender_id = ${id} union all select 1 from sender_verifications
      where sender_id = ${id}`);
    expect(remaining).toEqual([]);
  });

  test('deregisters the number in the background, unless it is in use again', async () => {
    const { id, number } = await approved();
    const { id: carrier_address } = await readNumber(number);
    expect((await owner.delete(`/v1/senders/${id}`)).status).toBe(204);
    await until('the number is deregistered', async () => (await readNumber(number)).status === 'DISCONNECTED');
    // The same number is requested again and registered with its stored PIN.
    const again = (await owner.post('/v1/senders', { type: 'business', channel: 'WHATSAPP' })).body.data.id;
    await owner.put(`/v1/senders/${again}/whatsapp`, { ...ACCESS.whatsapp, phone_number: number });
    await attachAll(owner, again, 'whatsapp');
    expect((await owner.post(`/v1/senders/${again}/requests`, {})).status).toBe(201);
    const { id: request_id } = await world.kernel.db.one<{ id: string }>(
      sql`select id from sender_requests where sender_id = ${again} and status = 'IN_PROCESS'`,
    );
    expect((await desk.put(`/v1/requests/${request_id}`, { decision: 'approve', connection_id })).status).toBe(200);
    expect((await readNumber(number)).status).toBe('CONNECTED');
    await deregisterAtCarrier(world.kernel, { sender_id: id, connection_id, carrier_address });
    expect((await readNumber(number)).status).toBe('CONNECTED');
  });

  test('unsubscribes callbacks days after the last sender is removed, until a new one is approved', async () => {
    const { db } = world.kernel;
    const signal = new AbortController().signal;
    const isSubscribed = async () => (await box('whatsapp/account')).subscribed;
    await until('WhatsApp has the callback URL', async () => {
      await subscribeAll(world.kernel);
      return isSubscribed();
    });
    for (const { id } of await db.rows<{ id: string }>(
      sql`select id from senders where account_id = ${company.account_id} and delete_date is null`,
    ))
      expect((await owner.delete(`/v1/senders/${id}`)).status).toBe(204);
    // Receipts for old messages can still arrive, so the callbacks stay subscribed.
    expect(await unsubscribeCallbacks(world.kernel, signal)).toBe(0);
    await db.run(sql`
      update senders set delete_date = delete_date - interval '6 days' where connection_id = ${connection_id}`);
    // Creates another connection to the same business account.
    const second = await makeChatConnection(world.kernel, 'whatsapp', { base_url: NOWHERE, waba_id: '2000000001' });
    await db.run(sql`update connections set enabled = false where id = ${second}`);
    const other = await makeCompany(world.kernel);
    const place = sql`account_id = ${other.account_id}`;
    await db.run(sql`
      insert into senders (account_id, id, name, code, channel, type, status, connection_id, carrier_address)
      values (${other.account_id}, gen_random_uuid(), 'Other', '447409990300', 'WHATSAPP', 'business', 'available',
        ${second}, '909')`);
    expect(await unsubscribeCallbacks(world.kernel, signal)).toBe(0);
    await db.run(sql`update senders set delete_date = now() where ${place}`);
    expect(await unsubscribeCallbacks(world.kernel, signal)).toBe(1);
    expect(await isSubscribed()).toBe(false);
    expect(await unsubscribeCallbacks(world.kernel, signal)).toBe(0);
    expect(await subscribeAll(world.kernel)).toBe(0);
    expect(await isSubscribed()).toBe(false);
    await approved();
    await until('WhatsApp has the callback URL again', async () => {
      await subscribeAll(world.kernel);
      return isSubscribed();
    });
  });
});

test('all invariants hold after these tests', async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
