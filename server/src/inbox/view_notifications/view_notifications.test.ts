/** Notification settings of saved inbox views: whose they are, what they match, and what the digest counts. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { readWords } from '../../kernel/mail/mail.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { sendDigests } from '../digest/digest.ts';

let world: World;
let company: Company;
let owner: Caller;
let sender_id: string;
let next = 447410019000;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel);
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
});

const SETTINGS = '/v1/inbox_view_notifications';
const NONE = { devices: false, toasts: false, sound: false, digest: false };
const converse = (more: object = {}) =>
  makeConversation(world.kernel, { account_id: company.account_id, sender_id, number: String(next++), ...more });
const saveView = async (caller: Caller, filters: object, shared = false) => {
  const state = { filters, sort: null, columns: { shown: {}, order: [] } };
  const reply = await caller.post('/v1/views', { list: 'inbox', name: `View ${next++}`, shared, state });
  return reply.body.data.id as string;
};
const readFor = async (caller: Caller, id: string) =>
  (await caller.get(`/v1/conversations/${id}/notifications`)).body.data;

test('settings belong to one user, and follow the view', async () => {
  const view = await saveView(owner, { bucket: 'none' }, true);
  const colleague = world.as((await makeUser(world.kernel, company.account_id, { permissions: FULL })).token);
  expect((await owner.get(SETTINGS)).body.data).toEqual([]);
  const choice = { ...NONE, sound: true };
  expect((await owner.put(`${SETTINGS}/${view}`, choice)).body.data).toEqual({ view_id: view, ...choice });
  expect((await owner.get(SETTINGS)).body.data).toEqual([{ view_id: view, ...choice }]);
  expect((await colleague.get(SETTINGS)).body.data).toEqual([]);
  // A shared view can have settings of each user.
  expect((await colleague.put(`${SETTINGS}/${view}`, NONE)).status).toBe(200);
  const id = await converse();
  expect([await readFor(owner, id), await readFor(colleague, id)]).toEqual([choice, NONE]);
  // A view that is private again does not count for others.
  await owner.put(`/v1/views/${view}`, { shared: false });
  expect([await readFor(owner, id), await readFor(colleague, id)]).toEqual([choice, null]);
  await owner.delete(`/v1/views/${view}`);
  expect((await owner.get(SETTINGS)).body.data).toEqual([]);
});

test('a conversation combines the settings of its views, and has none without a view', async () => {
  const own = await saveView(owner, { bucket: 'self' });
  const none = await saveView(owner, { bucket: 'none', channel: 'SMS' });
  await owner.put(`${SETTINGS}/${own}`, { ...NONE, digest: true });
  await owner.put(`${SETTINGS}/${none}`, { ...NONE, toasts: true });
  const second = await saveView(owner, { bucket: 'none', unread: 'true', search: '4474' });
  await owner.put(`${SETTINGS}/${second}`, { ...NONE, devices: true });
  const [mine, free] = [await converse({ assignee_id: company.user_id }), await converse()];
  expect(await readFor(owner, mine)).toEqual({ ...NONE, digest: true });
  expect(await readFor(owner, free)).toEqual({ ...NONE, toasts: true, devices: true });
  await owner.delete(`${SETTINGS}/${own}`);
  expect(await readFor(owner, mine)).toBeNull();
});

test('unknown views, private views of others, and incomplete settings are refused', async () => {
  const view = await saveView(owner, { bucket: 'none' });
  const colleague = world.as((await makeUser(world.kernel, company.account_id, { permissions: FULL })).token);
  const code = async (caller: Caller, id: string, body: object = NONE) =>
    (await caller.put(`${SETTINGS}/${id}`, body)).body.errors?.[0]?.code;
  expect(await code(colleague, view)).toBe(1706);
  expect(await code(owner, company.account_id)).toBe(1706);
  expect(await code(owner, view, { devices: true })).toBe(1705);
  expect((await owner.delete(`${SETTINGS}/${view}`)).status).toBe(404);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.get(`/v1/conversations/${await converse()}/notifications`)).status).toBe(404);
});

test('the digest leaves out views without it, and names those with it', async () => {
  await converse({ number: '447410500001' });
  await converse({ number: '447410600001' });
  await owner.put('/v1/digest_settings', { every_hours: 4 });
  const quiet = await saveView(owner, { bucket: 'none', search: '4474105' });
  const loud = await saveView(owner, { bucket: 'none', search: '4474106' });
  // The time of a digest is part of its key, so that each is sent once.
  const sendText = async (minutes: number) => {
    await world.kernel.db.run(sql`
      update inbox_digests set next_date = now() - ${minutes} * interval '1 minute'
      where account_id = ${company.account_id}`);
    await sendDigests(world.kernel, new AbortController().signal);
    const rows = await world.kernel.db.rows<Parameters<typeof readWords>[1]>(sql`
      select id, sealed, subject, html, body from mails
      where account_id = ${company.account_id} and dedupe_key like 'digest %' order by create_date, id`);
    return (await readWords(world.kernel, rows.at(-1)!)).text;
  };
  await owner.put(`${SETTINGS}/${quiet}`, NONE);
  expect(await sendText(1)).toContain('1 unread, unassigned conversation');
  await owner.put(`${SETTINGS}/${loud}`, { ...NONE, digest: true });
  const { name } = (await owner.get('/v1/views?list=inbox')).body.data.find(({ id }: { id: string }) => id === loud);
  expect(await sendText(2)).toContain(`1 unread conversation in “${name}”`);
});

const FULL = { MESSAGES: 15, CONVERSATIONS: 15 };
