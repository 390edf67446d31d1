/**
 * Tests the operators' request queue. The rules for each kind of request are tested in company_requests.test.ts and in
 * the registrations and templates modules.
 */
import type { Permissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { mailsAbout, mailsTo } from '../../test/mailbox.ts';
import { type Company, makeCompany, makeUser } from '../../test/make.ts';
import { makeApplicant } from '../../test/review.ts';
import { makeSenderRequest } from '../../test/senders.ts';
import { makeTemplate } from '../../test/templates.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { notifyOperators } from './request_mails.ts';

let world: World;
let operators: Company;
let desk: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  desk = world.as(operators.token);
});
afterAll(() => world?.stop());

const error = ({ body }: Reply) => body.errors[0] as { code: number; message: string };
const operator = async (permissions: Permissions, first_name = 'Test') => {
  const user = await makeUser(world.kernel, operators.account_id, { permissions, first_name });
  return { ...user, api: world.as(user.token) };
};
/** Creates one request of each kind. They are submitted in the order of the returned fields. */
async function makeAll(name: string) {
  const company = await makeApplicant(world.kernel, name, {}, 60);
  const { account_id } = company;
  const sender = await makeSenderRequest(world.kernel, account_id, { code: 'Pier', minutes_ago: 40 });
  const template = await makeTemplate(world.kernel, account_id, {
    channel: 'VIBER',
    status: 'IN_PROCESS',
    text: 'Twenty percent off',
  });
  return { company, account_id, sender, template };
}
const ids = async (query: string, caller = desk) => {
  const { body } = await caller.get(`/v1/requests?page_size=100&${query}`);
  return body.data.map(({ id }: { id: string }) => id) as string[];
};

describe('the list of requests', () => {
  test('shows waiting requests before decided ones and filters by account, kind, status, and text', async () => {
    const { company, account_id, sender, template } = await makeAll('Pier One');
    const ownFilter = `filter[account_id]=${account_id}`;
    const { data, pagination } = (await desk.get(`/v1/requests?${ownFilter}`)).body;
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
      { id: template, kind: 'template', target_id: template, about: 'Twenty percent off', status: 'waiting' },
    ]);
    expect(await ids(`${ownFilter}&filter[kinds]=template,company`)).toEqual([company.id, template]);
    await desk.put(`/v1/requests/${company.id}`, { decision: 'approve' });
    expect(await ids(ownFilter)).toEqual([sender, template, company.id]);
    expect(await ids(`${ownFilter}&filter[statuses]=approved`)).toEqual([company.id]);
    expect(await ids(`${ownFilter}&filter[statuses]=waiting`)).toEqual([sender, template]);
    expect(await ids('filter[search]=pier%20one&filter[kinds]=sender_id')).toEqual([sender]);
    expect(await ids(`filter[search]=${account_id}`)).toEqual([sender, template, company.id]);
    const page = (await desk.get(`/v1/requests?${ownFilter}&page_size=10&page=2`)).body;
    expect(page.data).toEqual([]);
  });

  test('shows each operator the kinds they can view and lets them decide on those they can edit', async () => {
    const { company, account_id, sender, template } = await makeAll('Rights Ltd');
    const ownFilter = `filter[account_id]=${account_id}`;
    const clerk = await operator({ SENDERS: 1 });
    expect(await ids(ownFilter, clerk.api)).toEqual([sender]);
    expect(await ids(`${ownFilter}&filter[kinds]=company`, clerk.api)).toEqual([]);
    for (const id of [company.id, template, newId()]) {
      expect(error(await clerk.api.get(`/v1/requests/${id}`)).code).toBe(1477);
      expect(error(await clerk.api.put(`/v1/requests/${id}/look`, { looking: true })).code).toBe(1477);
    }
    const editor = await operator({ SENDERS: 1, TEMPLATES: 5 });
    expect(error(await editor.api.put(`/v1/requests/${sender}`, { decision: 'approve' }))).toMatchObject({
      code: 1136,
      message: 'You need Edit Sender permission.',
    });
    expect((await editor.api.put(`/v1/requests/${template}`, { decision: 'approve' })).status).toBe(200);
    const { others } = (await editor.api.get(`/v1/requests/${sender}`)).body.data;
    expect(others.map(({ id }: { id: string }) => id)).toEqual([template]);
  });
});

test('a request includes its content, findings, history, and the company’s other requests', async () => {
  const { company, account_id, sender, template } = await makeAll('Jetty');
  await world.kernel.db.run(sql`
    update templates set buttons = '[{"type":"link","text":"Shop","value":"http://127.0.0.1:9/"}]'
    where id = ${template}`);
  const request = (await desk.get(`/v1/requests/${template}`)).body.data;
  expect(request).toMatchObject({
    revision: 1,
    documents: [],
    company: null,
    sender: null,
    template: { template: { text: 'Twenty percent off' }, get_url: null },
    findings: [
      { level: 'warning', text: 'The text does not name the company' },
      { level: 'warning', text: expect.stringMatching(/^The page of “Shop” cannot be reached/) },
    ],
    others: [{ id: company.id }, { id: sender }],
  });

  // Requesting more information emails the question to the customer and records it in the history.
  const question = await desk.put(`/v1/requests/${template}`, { decision: 'ask', note: 'Which shop is it for?' });
  expect(question.body.data).toMatchObject({
    status: 'asked',
    words: 'Which shop is it for?',
    reviewer_name: 'Test Person',
  });
  expect(await ids(`filter[account_id]=${account_id}&filter[statuses]=asked`)).toEqual([template]);
  const mail = (await mailsAbout(world.kernel, account_id)).find(({ subject }) =>
    subject.startsWith('More information requested: Viber template'),
  );
  expect(mail!.text).toContain('Which shop is it for?');
  expect((await desk.get(`/v1/requests/${template}`)).body.data.history).toMatchObject([
    { action: 'template.asked', actor_name: 'Test Person', text: 'Which shop is it for?' },
  ]);
  expect((await desk.get(`/v1/requests/${sender}`)).body.data.history).toEqual([]);
});

test('a rejected request keeps its content when its sender is changed afterward', async () => {
  const { account_id, sender } = await makeAll('Changed');
  await desk.put(`/v1/requests/${sender}`, { decision: 'reject', note: 'Too general.' });
  await world.kernel.db.run(sql`
    update senders set name = 'Changed Roast', code = 'NewRoast', countries = '{AT}' where account_id = ${account_id}
      and code = 'Pier'`);
  const { data } = (await desk.get(`/v1/requests?filter[account_id]=${account_id}&filter[kinds]=sender_id`)).body;
  expect(data).toMatchObject([
    { id: sender, name: 'Pier', countries: ['DE'], status: 'rejected', words: 'Too general.' },
  ]);
});

describe('two operators with the same request', () => {
  const presenceEvents = async () =>
    (
      await world.kernel.db.one<{ count: number }>(sql`
        select count(*) from events where account_id = ${operators.account_id} and type = 'request.looked'`)
    ).count;

  test('see each other, and events are emitted only when one of them opens or leaves the request', async () => {
    const { sender } = await makeAll('Both View');
    const [ann, bob] = [await operator({ SENDERS: 5 }, 'Ann'), await operator({ SENDERS: 1 }, 'Bob')];
    const view = async (user: typeof ann, looking = true) =>
      (await user.api.put(`/v1/requests/${sender}/look`, { looking })).body.data.others;
    const before = await presenceEvents();
    expect(await view(ann)).toEqual([]);
    expect(await view(bob)).toMatchObject([{ user_id: ann.user_id, name: 'Ann Person' }]);
    expect(await view(ann)).toMatchObject([{ user_id: bob.user_id, name: 'Bob Person' }]);
    expect(await presenceEvents()).toBe(before + 2);
    expect(await view(bob, false)).toMatchObject([{ name: 'Ann Person' }]);
    expect(await view(ann)).toEqual([]);
    expect(await presenceEvents()).toBe(before + 3);
    // Neither operator's page has sent anything for a minute, so both operators count as gone.
    await world.kernel.db.run(sql`update request_presence set seen_date = now() - interval '61 seconds'`);
    expect(await view(bob)).toEqual([]);
  });

  test('cannot both decide it, and the second operator sees the first one’s decision', async () => {
    const { template, sender } = await makeAll('Both Approve');
    const ann = await operator({ SENDERS: 5, TEMPLATES: 5 }, 'Ann');
    await ann.api.put(`/v1/requests/${template}`, { decision: 'approve' });
    await ann.api.put(`/v1/requests/${sender}`, { decision: 'reject', note: 'Not yours.' });
    const replies = [template, sender].map((id) => desk.put(`/v1/requests/${id}`, { decision: 'approve' }));
    expect((await Promise.all(replies)).map(error)).toMatchObject([
      { code: 1156, message: 'Ann Person already approved this request' },
      { code: 1156, message: 'Ann Person already rejected this request' },
    ]);
  });
});

test('operators receive one email with links to new requests they can decide on', async () => {
  const subjects = async (user_id: string) =>
    (await mailsTo(world.kernel, `${user_id}@test.localhost`)).map(({ subject, text }) => `${subject}\n${text}`);
  await notifyOperators(world.kernel);
  const { company, sender } = await makeAll('Harbour Ltd');
  const senders = await operator({ SENDERS: 5 });
  const viewer = await operator({ SENDERS: 1, ACCOUNTS: 1 });
  // Moves the last email back in time, so that both requests arrived after it.
  await world.kernel.db.run(sql`update request_mails set notified_date = now() - interval '50 minutes'`);
  await notifyOperators(world.kernel);
  const [mail, ...rest] = await subjects(senders.user_id);
  expect(rest).toEqual([]);
  expect(mail).toMatch(/request/);
  expect(mail).toContain(`/requests?open=${sender}`);
  expect(mail).toContain('Sender ID: Pier, Harbour Ltd');
  expect(mail).not.toContain(company.id);
  expect(await subjects(viewer.user_id)).toEqual([]);
  await notifyOperators(world.kernel);
  expect(await subjects(senders.user_id)).toHaveLength(1);
});
