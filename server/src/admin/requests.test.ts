/** The operators' one queue. What each kind asks of a decision: company_requests.test.ts, senders/requests.test.ts, templates/templates.test.ts. */
import type { Permissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { makeWaiting } from '../test/review.ts';
import { makeSenderRequest } from '../test/senders.ts';
import { makeTemplate } from '../test/templates.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { tellOfNew } from './request_mails.ts';

let world: World;
let operators: Company;
let desk: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  desk = world.as(operators.token);
}, 60_000);
afterAll(() => world?.stop());

const error = ({ body }: Reply) => body.errors[0] as { code: number; message: string };
const operator = async (permissions: Permissions, first_name = 'Test') => {
  const user = await makeUser(world.kernel, operators.account_id, { permissions, first_name });
  return { ...user, api: world.as(user.token) };
};
/** One of each kind, in the order in which they came. */
async function makeAll(name: string) {
  const company = await makeWaiting(world.kernel, name, {}, 60);
  const { account_id } = company;
  const sender = await makeSenderRequest(world.kernel, account_id, { code: 'Pier', minutes_ago: 40 });
  const template = await makeTemplate(world.kernel, account_id, {
    channel: 'VIBER',
    status: 'IN_PROCESS',
    text: 'Twenty per cent',
  });
  return { company, account_id, sender, template };
}
const ids = async (query: string, caller = desk) => {
  const { body } = await caller.get(`/v1/requests?page_size=100&${query}`);
  return body.data.map(({ id }: { id: string }) => id) as string[];
};

describe('the list', () => {
  test('has all kinds, longest waiting first, then what was decided; by account, kind, status and words', async () => {
    const { company, account_id, sender, template } = await makeAll('Pier One');
    const mine = `filter[account_id]=${account_id}`;
    const { data, pagination } = (await desk.get(`/v1/requests?${mine}`)).body;
    expect(pagination.total).toBe(3);
    expect(data).toMatchObject([
      {
        id: company.id,
        kind: 'company',
        name: 'Pier One',
        target_id: account_id,
        countries: ['GB'],
        status: 'waiting',
      },
      { id: sender, kind: 'sender_id', name: 'Pier', company_name: 'Pier One', countries: ['DE'], status: 'waiting' },
      { id: template, kind: 'template', target_id: template, about: 'Twenty per cent', status: 'waiting' },
    ]);
    expect(await ids(`${mine}&filter[kinds]=template,company`)).toEqual([company.id, template]);
    await desk.put(`/v1/requests/${company.id}`, { decision: 'approve' });
    expect(await ids(mine)).toEqual([sender, template, company.id]);
    expect(await ids(`${mine}&filter[statuses]=approved`)).toEqual([company.id]);
    expect(await ids(`${mine}&filter[statuses]=waiting`)).toEqual([sender, template]);
    expect(await ids('filter[search]=pier%20one&filter[kinds]=sender_id')).toEqual([sender]);
    expect(await ids(`filter[search]=${account_id}`)).toEqual([sender, template, company.id]);
    const page = (await desk.get(`/v1/requests?${mine}&page_size=10&page=2`)).body;
    expect(page.data).toEqual([]);
  });

  test('shows each operator the kinds they may see, and lets them decide on those they may change', async () => {
    const { company, account_id, sender, template } = await makeAll('Rights Ltd');
    const mine = `filter[account_id]=${account_id}`;
    const one = await operator({ SENDERS: 1 });
    expect(await ids(mine, one.api)).toEqual([sender]);
    expect(await ids(`${mine}&filter[kinds]=company`, one.api)).toEqual([]);
    for (const id of [company.id, template, newId()]) {
      expect(error(await one.api.get(`/v1/requests/${id}`)).code).toBe(1477);
      expect(error(await one.api.put(`/v1/requests/${id}/look`, { looking: true })).code).toBe(1477);
    }
    const other = await operator({ SENDERS: 1, TEMPLATES: 5 });
    expect(error(await other.api.put(`/v1/requests/${sender}`, { decision: 'approve' }))).toMatchObject({
      code: 1136,
      message: 'You need Edit Sender permission.',
    });
    expect((await other.api.put(`/v1/requests/${template}`, { decision: 'approve' })).status).toBe(200);
    const { others } = (await other.api.get(`/v1/requests/${sender}`)).body.data;
    expect(others.map(({ id }: { id: string }) => id)).toEqual([template]);
  });
});

test('one request has what was asked, what can be checked, what was done about it, and what else the company asked', async () => {
  const { company, account_id, sender, template } = await makeAll('Jetty');
  await world.kernel.db.run(sql`
    update templates set buttons = '[{"type":"link","text":"Shop","value":"http://127.0.0.1:9/"}]' where id = ${template}`);
  const opened = (await desk.get(`/v1/requests/${template}`)).body.data;
  expect(opened).toMatchObject({
    revision: 1,
    documents: [],
    company: null,
    sender: null,
    template: { template: { text: 'Twenty per cent' }, get_url: null },
    findings: [
      { level: 'warning', text: 'The text does not name the company' },
      { level: 'warning', text: expect.stringMatching(/^The page of “Shop” cannot be reached/) },
    ],
    others: [{ id: company.id }, { id: sender }],
  });

  // A question is a refusal in friendlier words: the template is open for another text, which is looked at anew.
  const said = await desk.put(`/v1/requests/${template}`, { decision: 'ask', note: 'Whose shop is it?' });
  expect(said.body.data).toMatchObject({ status: 'asked', words: 'Whose shop is it?', reviewer_name: 'Test Person' });
  expect(await ids(`filter[account_id]=${account_id}&filter[statuses]=asked`)).toEqual([template]);
  const mail = await world.kernel.db.one<{ body: string }>(sql`
    select body from mails where account_id = ${account_id} and subject like 'More information requested: Viber template%'`);
  expect(mail.body).toContain('Whose shop is it?');
  expect((await desk.get(`/v1/requests/${template}`)).body.data.history).toMatchObject([
    { action: 'template.asked', actor_name: 'Test Person', text: 'Whose shop is it?' },
  ]);
  expect((await desk.get(`/v1/requests/${sender}`)).body.data.history).toEqual([]);
});

test('what was refused stays what it was, though its sender is mended and sent again', async () => {
  const { account_id, sender } = await makeAll('Mended');
  await desk.put(`/v1/requests/${sender}`, { decision: 'reject', note: 'Too general.' });
  await world.kernel.db.run(sql`
    update senders set name = 'Mended Roast', code = 'MendRoast', countries = '{AT}' where account_id = ${account_id} and code = 'Pier'`);
  const { data } = (await desk.get(`/v1/requests?filter[account_id]=${account_id}&filter[kinds]=sender_id`)).body;
  expect(data).toMatchObject([
    { id: sender, name: 'Pier', countries: ['DE'], status: 'rejected', words: 'Too general.' },
  ]);
});

describe('two operators at the same request', () => {
  const looks = async () =>
    (
      await world.kernel.db.one<{ count: number }>(sql`
        select count(*) from events where account_id = ${operators.account_id} and type = 'request.looked'`)
    ).count;

  test('are told of each other while both look; coming and going is told live, staying is not', async () => {
    const { sender } = await makeAll('Both Look');
    const [ann, bob] = [await operator({ SENDERS: 5 }, 'Ann'), await operator({ SENDERS: 1 }, 'Bob')];
    const look = async (who: typeof ann, looking = true) =>
      (await who.api.put(`/v1/requests/${sender}/look`, { looking })).body.data.others;
    const before = await looks();
    expect(await look(ann)).toEqual([]);
    expect(await look(bob)).toMatchObject([{ user_id: ann.user_id, name: 'Ann Person' }]);
    expect(await look(ann)).toMatchObject([{ user_id: bob.user_id, name: 'Bob Person' }]);
    expect(await looks()).toBe(before + 2);
    expect(await look(bob, false)).toMatchObject([{ name: 'Ann Person' }]);
    expect(await look(ann)).toEqual([]);
    expect(await looks()).toBe(before + 3);
    // Who was not heard of for a minute has left without a word.
    await world.kernel.db.run(sql`update request_presence set seen_date = now() - interval '61 seconds'`);
    expect(await look(bob)).toEqual([]);
  });

  test('the second one to decide hears who was first and what they did', async () => {
    const { template, sender } = await makeAll('Both Decide');
    const ann = await operator({ SENDERS: 5, TEMPLATES: 5 }, 'Ann');
    await ann.api.put(`/v1/requests/${template}`, { decision: 'approve' });
    await ann.api.put(`/v1/requests/${sender}`, { decision: 'reject', note: 'Not yours.' });
    const answers = [template, sender].map((id) => desk.put(`/v1/requests/${id}`, { decision: 'approve' }));
    expect((await Promise.all(answers)).map(error)).toMatchObject([
      { code: 1156, message: 'Ann Person has approved it already' },
      { code: 1156, message: 'Ann Person has rejected it already' },
    ]);
  });
});

test('operators are told by mail of what has come, each of what they may decide, with links; nobody twice', async () => {
  const subjects = async (user_id: string) =>
    (
      await world.kernel.db.rows<{ subject: string; body: string }>(sql`
        select subject, body from mails where recipient = ${`${user_id}@test.localhost`} order by id`)
    ).map(({ subject, body }) => `${subject}\n${body}`);
  await tellOfNew(world.kernel);
  const { company, sender } = await makeAll('Told Ltd');
  const senders = await operator({ SENDERS: 5 });
  const looker = await operator({ SENDERS: 1, ACCOUNTS: 1 });
  // What was told before is not told again: as if both had come after the last mail.
  await world.kernel.db.run(sql`update request_mails set notified_date = now() - interval '50 minutes'`);
  await tellOfNew(world.kernel);
  const [mail, ...more] = await subjects(senders.user_id);
  expect(more).toEqual([]);
  expect(mail).toMatch(/request/);
  expect(mail).toContain(`/requests?open=${sender}`);
  expect(mail).toContain('Sender ID: Pier, Told Ltd');
  expect(mail).not.toContain(company.id);
  expect(await subjects(looker.user_id)).toEqual([]);
  await tellOfNew(world.kernel);
  expect(await subjects(senders.user_id)).toHaveLength(1);
});
