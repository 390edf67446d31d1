/** Links that stop emails: only a POST of the signed link does, for one user and one kind of email. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { readWords } from '../../kernel/mail/mail.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { type Company, makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { sendDigests } from '../digest/digest.ts';
import { unsubscribeUrl } from './unsubscribing.ts';

let world: World;
let company: Company;
let owner: Caller;
let conversation_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  const own = { account_id: company.account_id, sender_id, number: '447410009700' };
  conversation_id = await makeConversation(world.kernel, own);
});

const SETTINGS = '/v1/digest_settings';
const settings = async (caller = owner) => (await caller.get(SETTINGS)).body.data;
const mails = async (kind: string) => {
  const rows = await world.kernel.db.rows<Parameters<typeof readWords>[1] & { recipient: string }>(sql`
    select id, account_id, recipient, sealed, subject, html, body from mails
    where account_id = ${company.account_id} and dedupe_key like ${`${kind} %`} order by create_date, id`);
  return Promise.all(rows.map((row) => readWords(world.kernel, row)));
};
/** The link of an email, on the server of the test. */
const link = (url: string | undefined) => `${world.url}${new URL(url!).pathname}`;
const oneClick = (url: string, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), ...init });

test('a digest has a link that stops it with a POST, without a sign-in, and any number of times', async () => {
  await owner.put(SETTINGS, { every_hours: 2 });
  await world.kernel.db.run(sql`
    update inbox_digests set next_date = now() - interval '1 minute' where account_id = ${company.account_id}`);
  await sendDigests(world.kernel, new AbortController().signal);
  const [mail] = await mails('digest');
  const url = link(mail!.unsubscribe_url);
  const page = await fetch(url);
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await page.text()).toContain('<form method="post">');
  expect(await fetch(url, { method: 'HEAD' })).toMatchObject({ status: 200 });
  expect((await settings()).every_hours).toBe(2);
  for (const init of [{}, { body: new FormData() }, { body: '' }]) {
    const done = await oneClick(url, init);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Emails stopped')]);
    expect((await settings()).every_hours).toBeNull();
  }
});

test('an email about a mention has a link that stops such emails of this user only', async () => {
  const [ann, bob] = [
    await makeUser(world.kernel, company.account_id),
    await makeUser(world.kernel, company.account_id),
  ];
  const mention = (text: string) =>
    owner.post(`/v1/conversations/${conversation_id}/notes`, { text, mentions: [ann.user_id, bob.user_id] });
  await world.kernel.db.run(sql`
    update users set permissions = '{"MESSAGES": 15, "CONVERSATIONS": 15}' where account_id = ${company.account_id}`);
  expect((await mention('Call back')).status).toBe(201);
  const first = await mails('mention');
  expect(first).toHaveLength(2);
  const ofAnn = first.find(({ unsubscribe_url }) => unsubscribe_url!.includes(ann.user_id))!;
  expect(ofAnn.text).toContain(`Stop these emails: ${ofAnn.unsubscribe_url}`);
  expect((await oneClick(link(ofAnn.unsubscribe_url))).status).toBe(200);
  const [annCaller, bobCaller] = [world.as(ann.token), world.as(bob.token)];
  expect([(await settings(annCaller)).mention_emails, (await settings(bobCaller)).mention_emails]).toEqual([
    false,
    true,
  ]);
  await mention('Again');
  expect(await mails('mention')).toHaveLength(3);
  expect((await annCaller.put(SETTINGS, { mention_emails: true })).body.data.mention_emails).toBe(true);
  await mention('And again');
  expect(await mails('mention')).toHaveLength(5);
});

test('a link that was changed, cut, or signed for another user is refused', async () => {
  const other = await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15 } });
  await owner.put(SETTINGS, { every_hours: 2 });
  await world.as(other.token).put(SETTINGS, { every_hours: 2 });
  const { kernel } = world;
  const own = { account_id: company.account_id, user_id: other.user_id, kind: 'digest' } as const;
  const url = link(unsubscribeUrl(kernel.config, kernel.db.seals, own));
  const wrong = [
    url.replace(other.user_id, company.user_id),
    url.replace('digest', 'mentions'),
    url.replace('digest', 'statement'),
    url.slice(0, -3),
    `${url}.x`,
  ];
  for (const one of wrong) expect((await oneClick(one)).status).toBe(404);
  expect([(await settings()).every_hours, (await settings(world.as(other.token))).every_hours]).toEqual([2, 2]);
});
