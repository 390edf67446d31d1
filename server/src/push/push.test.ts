/** Notifications on devices: the sandbox's push service decrypts the notifications that it receives. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { INSTALLATION } from '../kernel/brand/brand.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { receiveMessages } from '../messages/inbound/intake.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender: { sender_id: string; code: string };
let connection_id: string;
let number: string;
let next = 447410008000;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  ({ connection_id } = await makeCarrier(world.kernel));
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  sender = await makeSender(world.kernel, company.account_id);
  number = String(next++);
});

interface Browser {
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
}
const sandbox = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const response = await fetch(`http://127.0.0.1:${world.sandbox!.http}/api/push${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
  return (await response.json()) as T;
};
const openBrowser = () => sandbox<Browser>('POST', '');
const received = async ({ id }: Browser) =>
  (await sandbox<{ text: string }[]>('GET', `/${id}/messages`)).map(({ text }) => JSON.parse(text));
const keysIn = ({ endpoint, p256dh, auth }: Browser) => ({ endpoint, p256dh, auth });
const subscribe = async (caller: Caller) => {
  const browser = await openBrowser();
  const { status, body, text } = await caller.post('/v1/push_devices', keysIn(browser));
  expect(status, text).toBe(201);
  return { browser, device: body.data as { id: string; current: boolean } };
};
const write = (text: string) =>
  world.kernel.db.tx((tx) =>
    receiveMessages(tx, [
      {
        ...{ channel: 'SMS', from: number, to: sender.code, text, parts: 1, connection_id, external_id: null },
        details: {},
      } as never,
    ]),
  );
/** Every event before this time has been handled, and nothing waits. */
async function settle(): Promise<void> {
  const waits = async () =>
    (
      await world.kernel.db.one<{ waits: boolean }>(sql`
        select exists (select from event_queue) or exists (select from push_deliveries)
          or (select seq from push_position) < (select seq from event_position) as waits`)
    ).waits;
  await expect.poll(waits, { timeout: 20_000 }).toBe(false);
}

test('a message arrives encrypted at the devices of the users who may view it, once', async () => {
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const { browser } = await subscribe(owner);
  const { browser: other } = await subscribe(world.as(agent.token));
  await write('Where is my order? 👋');
  await settle();
  const id = (await owner.get('/v1/conversations')).body.data[0].id;
  expect(await received(browser)).toEqual([
    {
      ...{ title: `+${number}`, body: 'Where is my order? 👋' },
      ...{ path: `/inbox/unassigned?conversation=${id}`, tag: `message ${id}`, icon: '/icon-192.png' },
    },
  ]);
  expect(await received(other)).toEqual([]);
});

test('a notification does not have the icon of this app if the user sees a brand', async () => {
  const { db } = world.kernel;
  const logo_id = newId();
  const { browser } = await subscribe(owner);
  const readIcons = async () => (await received(browser)).map(({ icon }) => icon);
  try {
    await db.run(sql`
      insert into brand_images (id, account_id, content_type, bytes)
      values (${logo_id}, ${INSTALLATION}, 'image/png', '')`);
    await db.run(sql`insert into brands (account_id, name) values (${INSTALLATION}, 'Signal House')`);
    await write('One');
    await settle();
    expect(await readIcons()).toEqual([undefined]);
    await db.run(sql`update brands set logo_id = ${logo_id}`);
    await write('Two');
    await settle();
    expect(await readIcons()).toEqual([undefined, `/brand/images/${logo_id}`]);
  } finally {
    await db.run(sql`delete from brands`);
  }
});

test('a user is notified of assignments and mentions by others, but not of their own assignments', async () => {
  await write('Hello');
  // The devices that are added next must not receive this message.
  await settle();
  const id = (await owner.get('/v1/conversations')).body.data[0].id;
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15, CONVERSATIONS: 15 } });
  const { browser } = await subscribe(world.as(agent.token));
  const { browser: own } = await subscribe(owner);
  await owner.put(`/v1/conversations/${id}`, { assignee_id: agent.user_id });
  await owner.post(`/v1/conversations/${id}/notes`, { text: 'Please call back', mentions: [agent.user_id] });
  await owner.put(`/v1/conversations/${id}`, { assignee_id: company.user_id });
  await settle();
  expect((await received(browser)).map(({ title }) => title)).toContain('Test Person mentioned you');
  expect(await received(own)).toEqual([]);
});

test('no notification is sent when the user may no longer view the conversation', async () => {
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1, CONVERSATIONS: 1 } });
  const { browser } = await subscribe(world.as(agent.token));
  await sandbox('PUT', `/${browser.id}`, { status: 503 });
  await write('Secret');
  const waiting = () =>
    world.kernel.db.rows(sql`select attempts from push_deliveries where account_id = ${company.account_id}`);
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ attempts: 1 }]);
  const id = (await owner.get('/v1/conversations')).body.data[0].id;
  await owner.put(`/v1/conversations/${id}`, { assignee_id: company.user_id });
  // The service still refuses, so a notification that is sent again stays.
  const retry = () =>
    world.kernel.db.rows(sql`
      update push_deliveries set next_date = now() where account_id = ${company.account_id} returning id`);
  await expect.poll(retry, { timeout: 20_000, interval: 500 }).toEqual([]);
  expect(await received(browser)).toEqual([]);
  const { attempts } = await sandbox<{ attempts: number }>('GET', `/${browser.id}`);
  expect(attempts).toBeLessThanOrEqual(1);
});

test('no notification is sent during quiet hours, for kinds that are off, or after the session ends', async () => {
  const { browser } = await subscribe(owner);
  const all_day = { from: '00:00', until: '24:00' };
  expect((await owner.put('/v1/push_settings', { quiet_hours: all_day })).status).toBe(400);
  await owner.put('/v1/push_settings', { quiet_hours: { from: '00:00', until: '23:59' } });
  await write('One');
  await settle();
  const off = await owner.put('/v1/push_settings', { quiet_hours: null, new_messages: false });
  expect(off.body.data).toMatchObject({ quiet_hours: null, new_messages: false, mentions: true });
  await write('Two');
  await settle();
  await owner.put('/v1/push_settings', { new_messages: true });
  await world.kernel.db.run(sql`update sessions set revoke_date = now() where user_id = ${company.user_id}`);
  await write('Three');
  await settle();
  expect(await received(browser)).toEqual([]);
});

test('the settings of a saved view replace the general ones for its conversations', async () => {
  const { browser } = await subscribe(owner);
  const saveView = async (name: string, filters: object) =>
    (
      await owner.post('/v1/views', {
        ...{ list: 'inbox', name, state: { filters, sort: null, columns: { shown: {}, order: [] } } },
      })
    ).body.data.id as string;
  const set = (id: string, devices: boolean) =>
    owner.put(`/v1/inbox_view_notifications/${id}`, { devices, toasts: false, sound: false, digest: false });
  const texts = async () => (await received(browser)).map(({ body }: { body: string }) => body);
  const own = number;
  const view = await saveView('From one number', { bucket: 'none', search: own, unread: 'true' });
  expect((await set(view, false)).status).toBe(200);
  await write('In the view');
  await settle();
  number = String(next++);
  await write('In no view');
  await settle();
  expect(await texts()).toEqual(['In no view']);

  // General notifications are off, and those of the view are on.
  await owner.put('/v1/push_settings', { new_messages: false });
  await set(view, true);
  await write('Still in no view');
  number = own;
  await write('Now in the view');
  await settle();
  expect(await texts()).toEqual(['In no view', 'Now in the view']);
  // One of several views is enough, and without settings the general ones apply again.
  const wide = await saveView('All channels', { bucket: 'none' });
  await set(wide, true);
  await set(view, false);
  await write('In both views');
  await settle();
  expect((await texts()).at(-1)).toBe('In both views');
  await owner.delete(`/v1/inbox_view_notifications/${wide}`);
  await owner.delete(`/v1/views/${view}`);
  await write('Views are gone');
  await settle();
  expect(await texts()).toHaveLength(3);
});

test('a device is removed when the push service reports that its subscription has ended', async () => {
  const { browser } = await subscribe(owner);
  await sandbox('DELETE', `/${browser.id}`);
  await write('Hello');
  const devices = async () => (await owner.get('/v1/push_devices')).body.data;
  await expect.poll(devices, { timeout: 20_000 }).toEqual([]);
  await settle();
});

test('devices are replaced when added again, limited in number, and private to one user', async () => {
  const browser = await openBrowser();
  for (let n = 0; n < 2; n++) expect((await owner.post('/v1/push_devices', keysIn(browser))).status).toBe(201);
  const [device] = (await owner.get('/v1/push_devices')).body.data;
  expect((await owner.get('/v1/push_devices')).body.data).toHaveLength(1);
  expect(device.current).toBe(true);
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const stranger = world.as((await makeCompany(world.kernel)).token);
  for (const caller of [world.as(agent.token), stranger]) {
    expect((await caller.get('/v1/push_devices')).body.data).toEqual([]);
    expect((await caller.delete(`/v1/push_devices/${device.id}`)).status).toBe(404);
  }
  for (let n = 0; n < 9; n++) await subscribe(owner);
  expect((await owner.post('/v1/push_devices', keysIn(await openBrowser()))).body.errors[0].code).toBe(2531);
  expect((await owner.delete(`/v1/push_devices/${device.id}`)).status).toBe(204);
  expect((await owner.delete(`/v1/push_devices/${newId()}`)).status).toBe(404);
});

test('subscriptions with invalid keys or private addresses are refused', async () => {
  const browser = await openBrowser();
  const add = async (changes: object) =>
    (await owner.post('/v1/push_devices', { ...keysIn(browser), ...changes })).status;
  expect(await add({ endpoint: 'http://10.0.0.1/push' })).toBe(400);
  expect(await add({ endpoint: 'http://169.254.169.254/latest' })).toBe(400);
  expect(await add({ endpoint: 'file:///etc/passwd' })).toBe(400);
  expect(await add({ auth: 'x' })).toBe(400);
  expect(await add({ p256dh: `B${'A'.repeat(86)}` })).toBe(400);
});

test('the keys of the installation stay the same and are stored encrypted', async () => {
  const stranger = world.as((await makeCompany(world.kernel)).token);
  const keys = await Promise.all([owner, stranger].map((caller) => caller.get('/v1/push_settings')));
  expect(new Set(keys.map(({ body }) => body.data.public_key)).size).toBe(1);
  const row = await world.kernel.db.one<{ private_key: string }>(sql`select private_key from push_keys`);
  expect(() => world.kernel.seals.open(row.private_key, { table: 'push_keys', row: 'vapid' })).not.toThrow();
});

test('a slow push service of one account does not delay the notifications of another', async () => {
  const slow = createServer(() => {}).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const keys = keysIn(await openBrowser());
  const added = await owner.post('/v1/push_devices', { ...keys, endpoint: `http://127.0.0.1:${port}/push` });
  expect(added.status, added.text).toBe(201);
  for (let n = 0; n < 60; n++) {
    number = String(next++);
    await write('Hello');
  }
  const requests = () =>
    new Promise<number>((resolve, reject) =>
      slow.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  await expect.poll(requests, { timeout: 20_000 }).toBeGreaterThan(0);
  const other = await makeCompany(world.kernel);
  sender = await makeSender(world.kernel, other.account_id);
  const { browser } = await subscribe(world.as(other.token));
  await write('Urgent');
  await expect.poll(() => received(browser), { timeout: 7_000 }).toMatchObject([{ body: 'Urgent' }]);
  expect(await requests()).toBeLessThan(15);
  await world.kernel.db.run(sql`delete from push_deliveries where account_id = ${company.account_id}`);
  slow.closeAllConnections();
  slow.close();
});

test('a notification with a very long name arrives', async () => {
  const { browser } = await subscribe(owner);
  await owner.put('/v1/push_settings', { quiet_hours: { from: '00:00', until: '23:59' } });
  await write('First');
  await settle();
  await world.kernel.db.run(sql`
    update conversations set profile_name = ${'👩‍👩‍👧'.repeat(2_000)} where account_id = ${company.account_id}`);
  await owner.put('/v1/push_settings', { quiet_hours: null });
  await write('Second');
  await expect.poll(() => received(browser), { timeout: 10_000 }).toMatchObject([{ body: 'Second' }]);
});

test('a browser that two users subscribe at the same time has one device', async () => {
  const agent = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 1 } });
  const callers = [owner, world.as(agent.token)];
  for (let turn = 0; turn < 10; turn++) {
    const keys = keysIn(await openBrowser());
    const added = await Promise.all(callers.map((caller) => caller.post('/v1/push_devices', keys)));
    expect(added.map(({ status }) => status)).toEqual([201, 201]);
    const lists = await Promise.all(callers.map((caller) => caller.get('/v1/push_devices')));
    expect(lists.flatMap(({ body }) => body.data)).toHaveLength(1);
    for (const [n, { body }] of lists.entries())
      for (const { id } of body.data) await callers[n]!.delete(`/v1/push_devices/${id}`);
  }
});
