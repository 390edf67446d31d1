/** Content rules at the gate, and the queue of the messages that they hold. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  broken,
  count,
  crowd,
  fanOutAll,
  listEvents,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { makeChatSender } from '../../test/chat.ts';
import { makeCompany, makeUser, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { mailAccounts, mailOperators } from './review_mails.ts';

let world: World;
let operator: Caller;
let stage: Stage;
let next = 500;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  stage = await makeStage(world, crowd(3, 100));
});
afterEach(async () => {
  for (const { id } of (await operator.get('/v1/content_rules')).body.data)
    await operator.delete(`/v1/content_rules/${id}`);
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const add = async (rule: object) => {
  const reply = await operator.post('/v1/content_rules', { name: 'Rule', action: 'hold', ...rule });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};
const CASINO = { kind: 'words', words: ['casino'] };
const send = (text: string, to = testNumber(next++), caller = stage.caller) =>
  caller.post('/v1/messages', { channel: 'SMS', from: stage.sender_id, to: [to], text });
const read = async (id: string) => (await stage.caller.get(`/v1/messages/${id}`)).body.data;
const waiting = async () => (await operator.get('/v1/message_reviews')).body.data;
const decide = (decision: string, ids: string[], more: object = {}) =>
  operator.post('/v1/message_reviews/decisions', { decision, ids, reason: 'Looks like fraud', ...more });
const queueStage = async (id: string) =>
  (await world.kernel.db.maybeOne<{ stage: string }>(sql`select stage from dispatch where message_id = ${id}`))?.stage;
const held = async (text = 'Visit our casino') => (await send(text)).body.data[0];

test('a rule is created, changed, listed, and deleted, and each change is in the audit log', async () => {
  const rule = await add({ ...CASINO, name: 'Gambling', countries: ['gb'], brands: ['ignored'] });
  expect(rule).toMatchObject({ enabled: true, countries: ['GB'], words: ['casino'], brands: [], waiting: 0 });
  const changed = await operator.put(`/v1/content_rules/${rule.id}`, { words: ['casino', 'bet'], enabled: false });
  expect(changed.body.data).toMatchObject({ name: 'Gambling', words: ['bet', 'casino'], enabled: false });
  expect((await send('casino')).body.data[0].marks).toBeNull();
  expect((await operator.delete(`/v1/content_rules/${rule.id}`)).status).toBe(204);
  expect((await operator.put(`/v1/content_rules/${rule.id}`, {})).body.errors[0].code).toBe(2552);
  const { body } = await operator.get('/v1/audit_log');
  const actions = body.data.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 3)).toEqual(['content_rule.deleted', 'content_rule.updated', 'content_rule.created']);
});

test.for([
  [{ kind: 'words', words: [] }, 2554],
  [{ kind: 'words', words: ['!!!'] }, 2554],
  [{ kind: 'links' }, 2553],
  [{ kind: 'links', links: 'domains', domains: ['not a domain'] }, 2554],
  [{ kind: 'lookalikes', brands: ['x'] }, 2554],
  [{ kind: 'new_sender', sender_days: 3 }, 2553],
  [{ kind: 'other' }, 2553],
  [{ ...CASINO, action: 'delete' }, 2553],
  [{ ...CASINO, account_ids: [newId()] }, 1102],
] as const)('the rule %j is refused with code %d', async ([rule, code]) => {
  const { body } = await operator.post('/v1/content_rules', { name: 'Rule', action: 'hold', ...rule });
  expect(body.errors[0].code).toBe(code);
});

test('customers cannot read or change rules and reviews', async () => {
  await add(CASINO);
  const { id } = await held();
  const calls = [
    stage.caller.get('/v1/content_rules'),
    stage.caller.get('/v1/message_reviews'),
    stage.caller.get(`/v1/message_reviews/${id}`),
    stage.caller.post('/v1/message_reviews/decisions', { decision: 'release', ids: [id], reason: 'Mine' }),
  ];
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(await queueStage(id)).toBe('review');
  await decide('reject', [id]);
});

test('a held message keeps its money, and is queued once when it is released twice', async () => {
  const rule = await add(CASINO);
  const before = await readBalance(world, stage);
  const message = await held('Visit our CASINO now');
  expect(message).toMatchObject({ status: 'enroute', charge: 'held', marks: { review: 'waiting' } });
  expect((await listEvents(world, stage, 'messages.held_for_review')).at(-1)).toEqual({
    ...{ count: 1, campaign_id: null, message_ids: [message.id] },
  });
  expect((await readBalance(world, stage)).held_micros).toBe(before.held_micros + message.price_micros);
  const detail = await read(message.id);
  expect(detail.timeline.at(-1)).toMatchObject({
    status: 'enroute',
    text: 'Held for review: the message contains a word that is not allowed in this country',
  });
  expect(detail.decisions.find((check: { rule: string }) => check.rule === 'content')).toMatchObject({
    result: 'held',
    values: { review: 'waiting' },
  });
  expect(await waiting()).toMatchObject([
    { id: message.id, rule_id: rule.id, state: 'waiting', matches: [{ what: 'casino', start: 10, end: 16 }] },
  ]);
  const replies = await Promise.all([decide('release', [message.id]), decide('release', [message.id])]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await queueStage(message.id)).toBe('queued');
  expect((await read(message.id)).marks).toEqual({ review: 'released' });
  expect(await waiting()).toEqual([]);
  expect((await operator.get(`/v1/message_reviews/${message.id}`)).body.data).toMatchObject({
    ...{ state: 'released', reason: 'Looks like fraud' },
  });
});

test('a rejected message fails with the reason, its money is released, and its account is notified once', async () => {
  await mailAccounts(world.kernel);
  await world.kernel.db.run(sql`delete from mails`);
  await add(CASINO);
  const before = await readBalance(world, stage);
  const messages = [await held(), await held()];
  const ids = messages.map(({ id }) => id);
  expect((await decide('reject', ids)).body.data).toEqual({ decided: 2 });
  expect(await readBalance(world, stage)).toEqual(before);
  expect(await read(ids[0]!)).toMatchObject({
    ...{ status: 'rejected', failure: 'rejected', charge: 'released', marks: { review: 'rejected' } },
    status_details: 'Rejected in review: Looks like fraud',
  });
  const event = (await listEvents(world, stage, 'messages.rejected_in_review')).at(-1);
  expect(event).toMatchObject({ count: 2, reason: 'Looks like fraud' });
  await mailAccounts(world.kernel);
  await mailAccounts(world.kernel);
  const mails = await world.kernel.db.rows<{ subject: string }>(sql`
    select subject from mails where account_id = ${stage.account_id} and subject like '%review%'`);
  expect(mails).toEqual([{ subject: '2 messages were rejected in review' }]);
});

test('a decision about an unknown message, without a reason, or about an ended review changes nothing', async () => {
  await add(CASINO);
  const { id } = await held();
  expect((await decide('release', [newId()])).body.errors[0].code).toBe(2556);
  expect((await decide('release', [id], { reason: ' ' })).body.errors[0].code).toBe(2558);
  expect((await decide('release', [id], { reason: 'a\0b' })).status).toBe(400);
  expect((await stage.caller.delete(`/v1/messages/${id}`)).status).toBe(204);
  expect((await operator.get(`/v1/message_reviews/${id}`)).body.data.state).toBe('ended');
  expect((await decide('release', [id])).body.errors[0].code).toBe(2557);
});

test('a message without a review expires, and its money is released', async () => {
  const { expireQueued } = await import('../../messages/status/expiry.ts');
  await add(CASINO);
  const before = await readBalance(world, stage);
  const { id } = await held();
  await world.kernel.db.run(
    sql`update dispatch set expire_date = now() - interval '1 second' where message_id = ${id}`,
  );
  await expireQueued(world.kernel.db);
  expect(await read(id)).toMatchObject({
    ...{ status: 'expired', status_details: 'The message expired before its review was completed' },
  });
  expect(await readBalance(world, stage)).toEqual(before);
  expect((await operator.get(`/v1/message_reviews/${id}`)).body.data.state).toBe('ended');
});

test('a refused message is not accepted, and the problem names the link', async () => {
  await add({ kind: 'links', links: 'shorteners', action: 'refuse' });
  const before = await readBalance(world, stage);
  const { status, body } = await send('Look: bit.ly/x 😀');
  expect([status, body.errors[0].code]).toEqual([400, 2551]);
  expect(body.errors[0].message).toContain('a link that is not allowed (bit.ly)');
  expect((await send('Look: {url=https://bit.ly/x}')).body.errors[0].code).toBe(2551);
  expect(await readBalance(world, stage)).toEqual(before);
});

test('a rule applies to its accounts, channels, and countries, and not to trusted accounts', async () => {
  const other = await makeStage(world, []);
  await add({ ...CASINO, action: 'refuse', account_ids: [other.account_id] });
  expect((await send('casino')).status).toBe(200);
  const refused = await other.caller.post('/v1/messages', {
    ...{ channel: 'SMS', from: other.sender_id, to: [testNumber(next++)], text: 'casino' },
  });
  expect(refused.body.errors[0].code).toBe(2551);
  await add({ ...CASINO, action: 'refuse', exempt_account_ids: [stage.account_id] });
  expect((await send('casino')).status).toBe(200);
  await add({ ...CASINO, action: 'refuse', countries: ['DE'] });
  expect((await send('casino')).status).toBe(200);
  await add({ ...CASINO, action: 'refuse', channels: ['VIBER'] });
  expect((await send('casino')).status).toBe(200);
});

test('a rule that notifies lets messages through, and lists the messages of a request once', async () => {
  await add({ ...CASINO, action: 'notify' });
  const { body } = await stage.caller.post('/v1/messages', {
    ...{ channel: 'SMS', from: stage.sender_id, to: [testNumber(next++), testNumber(next++)], text: 'casino' },
  });
  expect(body.data.map(({ marks }: { marks: unknown }) => marks)).toEqual([null, null]);
  const { body: noted } = await operator.get('/v1/message_reviews?filter[state]=noted');
  expect(noted.data).toMatchObject([{ state: 'noted', message_count: 2 }]);
});

test('a new sender may send as many messages with links per hour as the rule allows', async () => {
  await add({ kind: 'new_sender', sender_days: 7, links_per_hour: 2 });
  const texts = ['See example.com', 'No link', 'See example.com', 'See example.com', 'No link'];
  const states = [];
  for (const text of texts) states.push((await send(text)).body.data[0].marks?.review ?? null);
  expect(states).toEqual([null, null, null, 'waiting', null]);
  await world.kernel.db.run(sql`
    update senders set create_date = now() - interval '8 days' where account_id = ${stage.account_id}`);
  expect((await send('See example.com')).body.data[0].marks).toBeNull();
  await decide(
    'reject',
    (await waiting()).map(({ id }: { id: string }) => id),
  );
});

test('the held messages of a campaign do not block the others, and one decision covers all of them', async () => {
  await add({ ...CASINO, action: 'hold' });
  const odd = await makeStage(world, [
    { number: testNumber(900), first_name: 'casino' },
    { number: testNumber(901), first_name: 'casino' },
    { number: testNumber(902), first_name: 'Ann' },
  ]);
  const campaign = await startCampaign(odd);
  await fanOutAll(world, campaign);
  await count(world, campaign);
  expect(await readCampaign(odd, campaign.id)).toMatchObject({
    ...{ status: 'in_progress', fanned_out: 3, in_review: 2, counts: { enroute: 3 } },
  });
  const stages = await world.kernel.db.rows(sql`
    select stage, count(*) as count from dispatch where account_id = ${odd.account_id} group by 1 order by 1`);
  expect(stages).toEqual([
    { stage: 'queued', count: 1 },
    { stage: 'review', count: 2 },
  ]);
  const [first] = await waiting();
  expect(first.campaign_id).toBe(campaign.id);
  await decide('reject', [first.id], { like: true });
  const groups = await world.kernel.db.rows<{ data: object }>(sql`
    select data from pgboss.job where name = 'reviews.decide_group' and state = 'created'`);
  const { jobs } = await import('./reviews.ts');
  for (const { data } of groups) await jobs[0]!.run(world.kernel, data, new AbortController().signal);
  expect(await waiting()).toEqual([]);
  await count(world, campaign);
  expect(await readCampaign(odd, campaign.id)).toMatchObject({ in_review: 0, counts: { rejected: 2, enroute: 1 } });
});

test('a campaign skips the recipients whose texts a rule refuses', async () => {
  await add({ ...CASINO, action: 'refuse' });
  const odd = await makeStage(world, [
    { number: testNumber(910), first_name: 'casino' },
    { number: testNumber(911), first_name: 'Ann' },
  ]);
  const campaign = await startCampaign(odd);
  await fanOutAll(world, campaign);
  expect(await readCampaign(odd, campaign.id)).toMatchObject({ fanned_out: 1, skipped: { content: 1 } });
});

test('operators get one email about all new messages', async () => {
  await add(CASINO);
  await world.kernel.db.run(sql`delete from review_mails`);
  const ids = [(await held()).id, (await held()).id];
  await world.kernel.db.run(sql`
    update message_reviews set create_date = now() - interval '5 minutes' where state = 'waiting'`);
  const owner = await world.kernel.db.one<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR' limit 1`);
  await makeUser(world.kernel, owner.id);
  await mailOperators(world.kernel);
  await mailOperators(world.kernel);
  const mails = await world.kernel.db.rows<{ subject: string }>(sql`
    select subject from mails where account_id = ${owner.id} and subject like '%waiting for review'`);
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(['2 messages are waiting for review']));
  await decide('reject', ids);
});

test('a back-test counts what a rule would have matched, and changes nothing', async () => {
  const { id } = (await send('Ordinary text, then roulette tonight')).body.data[0];
  const { status, body } = await operator.post('/v1/content_back_tests', {
    ...{ kind: 'words', words: ['roulette'], account_ids: [stage.account_id] },
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ days: 90, accounts: 1, is_sample: false, matched: 1, matched_accounts: 1 });
  expect(body.data.examples).toMatchObject([{ message_id: id, matches: [{ what: 'roulette', start: 20, end: 28 }] }]);
  expect((await operator.post('/v1/content_back_tests', { kind: 'words', words: [] })).body.errors[0].code).toBe(2554);
  expect((await operator.get('/v1/content_rules')).body.data).toEqual([]);
});

test('the timer of a fallback starts with the release, and a rejection starts no fallback', async () => {
  await add(CASINO);
  const viber = await makeChatSender(world.kernel, stage.account_id, 'VIBER');
  const sms = { channel: 'SMS', from: stage.sender_id, text: 'By SMS', trigger: 'undelivered', wait_seconds: 60 };
  const dueDates = async () =>
    (
      await world.kernel.db.rows<{ due_date: string | null }>(sql`
        select due_date from fallbacks where account_id = ${stage.account_id} order by message_id`)
    ).map(({ due_date }) => due_date);
  const ids: string[] = [];
  for (const to of [testNumber(next++), testNumber(next++)]) {
    const body = { channel: 'VIBER', from: viber.code, to, text: 'casino', fallbacks: [sms] };
    ids.push((await stage.caller.post('/v1/messages', body)).body.data[0].id);
  }
  expect(await dueDates()).toEqual([null, null]);
  await decide('release', [ids[0]!]);
  expect(await dueDates()).toEqual([expect.any(String), null]);
  await decide('reject', [ids[1]!]);
  expect(await read(ids[1]!)).toMatchObject({
    ...{ status: 'rejected', charge: 'released', channel: 'VIBER' },
    fallbacks: [{ status: 'rejected' }, { state: 'not_needed', reason: 'Rejected in review' }],
  });
  expect(await dueDates()).toEqual([expect.any(String), null]);
});
