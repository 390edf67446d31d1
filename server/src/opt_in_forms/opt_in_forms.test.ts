import { DEFAULT_TEXTS } from '@parley/contract/opt_in_forms/languages.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stopNumber } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { createGate, type Gate } from '../test/gate.ts';
import { textTo } from '../test/mailbox.ts';
import { makeAudience, makeCompany, testNumber } from '../test/make.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { deleteOldSubmissions } from './page_queries.ts';
import { sendWelcome } from './submissions.ts';

let gate: Gate;
let audience_id: string;
let next = 7_000;
let phone: string;
/** Each test has its own visitor, because limits count addresses. */
let visitor: Record<string, string>;

beforeAll(async () => {
  gate = await createGate({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(async () => {
  await gate.expectSound();
  await gate.world.stop();
});
beforeEach(async () => {
  await gate.renew();
  phone = testNumber(next++);
  audience_id = await makeAudience(gate.world.kernel, gate.company.account_id, [{ number: testNumber(next++) }]);
  visitor = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1', 'accept-language': 'en-GB,en;q=0.9' };
  visitor['x-forwarded-for'] = `203.0.113.${next % 250}`;
});

const TEXT = { language: 'en', title: 'Harbour news', description: 'Offers.', consent: 'I agree to get Harbour news.' };
const GERMAN = { language: 'de', ...DEFAULT_TEXTS.de('Harbour') };
const create = async (fields: object = {}) => {
  const reply = await gate.api.post('/v1/opt_in_forms', {
    ...{ audience_id, name: 'Shop window', sender_id: gate.sender_id, texts: [TEXT], country: 'GB' },
    ...fields,
  });
  return reply.body.data ?? reply.body.errors[0].code;
};
const path = (form: { url: string }) => new URL(form.url).pathname;
async function open(form: { url: string }, headers: Record<string, string> = {}, query = '') {
  const response = await fetch(gate.world.url + path(form) + query, { headers: { ...visitor, ...headers } });
  return { status: response.status, headers: response.headers, html: await response.text() };
}
async function submit(form: { url: string }, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(gate.world.url + path(form), {
    method: 'POST',
    headers: { ...visitor, ...headers },
    body: new URLSearchParams(fields),
  });
  const html = await response.text();
  return { status: response.status, html, token: /name="token" value="([^"]*)"/.exec(html)?.[1] ?? '' };
}
const start = (form: { url: string }, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  submit(form, { number: `+${phone}`, agree: 'yes', ...fields }, headers);
const codeTo = async (number: string, count = 1) =>
  /\d{6}/.exec((await textTo(gate.world.kernel, number, count)).text)![0];
const contacts = async () => (await gate.api.get(`/v1/audiences/${audience_id}/contacts`)).body.data;
const consents = async () => (await gate.api.get(`/v1/people/${phone}/consents`)).body.data;
const read = async (form: { id: string }) => (await gate.api.get(`/v1/opt_in_forms/${form.id}`)).body.data;

describe('a person', () => {
  test('joins after entering the code, with the consent that the page showed', async () => {
    await gate.api.post('/v1/contact_fields', {
      key: 'town',
      label: 'Town',
      kind: 'choice',
      choices: ['York', 'Bath'],
    });
    const form = await create({
      fields: [{ key: 'first_name', required: true }, { key: 'fields.town' }],
      ...{ tags: ['window'], welcome_text: 'Welcome, {first_name:friend}' },
    });
    const page = await open(form);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    for (const text of ['Harbour news', 'First name', 'Town (optional)', TEXT.consent, 'lang="en"'])
      expect(page.html).toContain(text);
    expect(page.html).not.toMatch(/parley|<script/i);
    const missing = await submit(form, { number: '12', first_name: '', 'fields.town': 'Paris' });
    expect(missing.status).toBe(400);
    for (const name of ['number', 'first_name', 'fields.town', 'agree'])
      expect(missing.html).toContain(`id="${name}-error"`);
    const started = await start(
      form,
      { first_name: 'Zoë 🎉', 'fields.town': 'Bath' },
      { referer: 'https://shop.example/x?y' },
    );
    expect(started.html).toContain(`+${phone}`);
    expect(started.html).toContain(TEXT.consent);
    expect(await contacts()).toHaveLength(1);
    const code = await codeTo(phone);
    // A code of a form is worth nothing elsewhere.
    expect((await gate.api.get(`/v1/verifications?phone=${phone}&code=${code}`)).body.data).toEqual([]);
    const wrong = await submit(form, { token: started.token, code: code === '111111' ? '222222' : '111111' });
    expect(wrong).toMatchObject({ status: 400, token: started.token });
    // A later change of the text does not change what this person agreed to.
    await gate.api.put(`/v1/opt_in_forms/${form.id}`, { texts: [{ ...TEXT, consent: 'Something else entirely.' }] });
    const [done, again] = await Promise.all([1, 2].map(() => submit(form, { token: started.token, code })));
    for (const { status, html } of [done!, again!]) {
      expect(status).toBe(200);
      expect(html).toContain('You have joined');
    }
    const [contact] = (await contacts()).filter((one: { number: string }) => one.number === phone);
    expect(contact).toMatchObject({ first_name: 'Zoë 🎉', tags: ['window'], fields: { town: 'Bath' }, language: 'en' });
    expect(await consents()).toMatchObject([
      {
        ...{ change: 'given', method: 'double_opt_in', channel: 'SMS', purpose: 'marketing', text: TEXT.consent },
        ...{ source: 'https://shop.example/x', address: visitor['x-forwarded-for'], message_id: expect.any(String) },
      },
    ]);
    expect(await read(form)).toMatchObject({ views: 1, started: 1, confirmed: 1, refused: 0 });
    const { days } = (await gate.api.get(`/v1/opt_in_forms/${form.id}/stat`)).body.data;
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ views: 1, started: 1, confirmed: 1 });
    const [ref] = await gate.world.kernel.db.rows<{ account_id: string; id: string }>(
      sql`select account_id, id from opt_in_submissions where account_id = ${gate.company.account_id}`,
    );
    await sendWelcome(gate.world.kernel, ref!);
    await sendWelcome(gate.world.kernel, ref!);
    const texts = await gate.world.kernel.db.rows(
      sql`select text from messages where number = ${phone} and source = 'reply'`,
    );
    expect(texts).toEqual([{ text: 'Welcome, Zoë 🎉' }]);
  });

  test('sees the page in a language that the form has', async () => {
    const form = await create({ texts: [TEXT, GERMAN] });
    const german = await open(form, { 'accept-language': 'fr;q=0.4, de-AT;q=0.9, en;q=0.8' });
    expect(german.html).toContain('<html lang="de">');
    expect(german.html).toContain('Code anfordern');
    expect((await open(form, { 'accept-language': 'ja' })).html).toContain('<html lang="en">');
    expect((await open(form, {}, '?lang=de')).html).toContain(GERMAN.title);
    const { token } = await start(form, { lang: 'de' });
    expect((await textTo(gate.world.kernel, phone)).text).toContain('Bestätigungscode');
    await submit(form, { token, code: await codeTo(phone) });
    expect(await consents()).toMatchObject([{ text: GERMAN.consent }]);
  });

  test('keeps the known values that the form does not ask for', async () => {
    audience_id = await makeAudience(gate.world.kernel, gate.company.account_id, [
      { number: phone, first_name: 'Ann', custom1: 'VIP' },
    ]);
    const form = await create({ fields: [{ key: 'first_name' }], tags: ['new'], welcome_text: 'Hi' });
    const { token } = await start(form);
    await submit(form, { token, code: await codeTo(phone) });
    expect(await contacts()).toMatchObject([{ first_name: 'Ann', custom1: 'VIP', tags: ['new'] }]);
    const jobs = await gate.world.kernel.db.rows(
      sql`select welcome_message_id from opt_in_submissions where number = ${phone} and welcome_message_id is not null`,
    );
    expect(jobs).toEqual([]);
  });
});

describe('the page reveals nothing', () => {
  const neutral = (html: string) => html.replaceAll(`+${phone}`, '').replace(/name="token" value="[^"]*"/, '');

  test('about a number on the stop list, which gets no code until the person texts START', async () => {
    const form = await create();
    const known = await start(form);
    const { account_id } = gate.company;
    phone = testNumber(next++);
    const stop = { account_id, sender_id: gate.sender_id, number: phone, reason: 'keyword' as const };
    await gate.world.kernel.db.tx((tx) => stopNumber(tx, stop));
    const stopped = await start(form);
    const unphoned = (html: string) => neutral(html).replace(/If \S* can/, '');
    expect(unphoned(stopped.html)).toBe(unphoned(known.html));
    expect(stopped.html).toContain(`Text START to +${gate.code}`);
    expect(await gate.count('messages')).toBe(1);
    expect(await read(form)).toMatchObject({ started: 2, refused: 1, last_refusal: expect.stringMatching(/./) });
    // After START, the person gets a code and joins.
    await gate.world.kernel.db.run(sql`delete from stop_list where account_id = ${account_id} and number = ${phone}`);
    await submit(form, { token: stopped.token, action: 'resend' });
    const done = await submit(form, { token: stopped.token, code: await codeTo(phone) });
    expect(done.html).toContain('You have joined');
  });

  test('about a number that is stopped after the code was sent, except to its owner', async () => {
    const form = await create();
    const { token } = await start(form);
    const code = await codeTo(phone);
    const { account_id } = gate.company;
    const stop = { account_id, sender_id: gate.sender_id, number: phone, reason: 'keyword' as const };
    await gate.world.kernel.db.tx((tx) => stopNumber(tx, stop));
    const reply = await submit(form, { token, code });
    expect(reply.status).toBe(409);
    expect(reply.html).toContain('You opted out');
    expect(await contacts()).toHaveLength(1);
  });

  test('about a repeated request, which sends no second code', async () => {
    const form = await create();
    const first = await start(form);
    const second = await start(form);
    expect(neutral(second.html)).toBe(neutral(first.html));
    expect(await gate.count('messages')).toBe(1);
    // The code of the first request also confirms the second one.
    expect((await submit(form, { token: second.token, code: await codeTo(phone) })).html).toContain('You have joined');
    expect((await read(form)).confirmed).toBe(1);
  });

  test('to a program that fills the hidden field', async () => {
    const form = await create();
    const trapped = await start(form, { website: 'https://spam.example' });
    expect(trapped.status).toBe(200);
    expect(await gate.count('messages')).toBe(0);
    expect(await read(form)).toMatchObject({ started: 0 });
  });
});

test('the welcome message is sent once when the worker is killed after it was accepted', async () => {
  const form = await create({ welcome_text: 'Welcome' });
  const { token } = await start(form);
  await submit(form, { token, code: await codeTo(phone) });
  const killed = await startWorkerProcess(gate.world, { FAILPOINT: 'opt_in.welcomed' });
  expect((await killed.ended).signal).toBe('SIGKILL');
  const { db } = gate.world.kernel;
  const [ref] = await db.rows<{ account_id: string; id: string }>(
    sql`select account_id, id from opt_in_submissions where number = ${phone}`,
  );
  await sendWelcome(gate.world.kernel, ref!);
  expect(await db.rows(sql`select 1 from messages where number = ${phone} and source = 'reply'`)).toHaveLength(1);
});

test('a code of the API and a code of a form to the same phone are separate', async () => {
  const form = await create();
  const { token } = await start(form);
  const joining = await codeTo(phone);
  await gate.world.kernel.db.run(sql`update sent_codes set create_date = create_date - interval '10 minutes'`);
  await gate.api.post('/v1/verifications', { channel: 'SMS', sender: gate.code, phone, code_length: 6 });
  const login = await codeTo(phone, 2);
  expect((await submit(form, { token, code: login })).status).toBe(login === joining ? 200 : 400);
  expect((await submit(form, { token, code: joining })).status).toBe(200);
  expect((await gate.api.get(`/v1/verifications?phone=${phone}&code=${login}`)).body.data).toHaveLength(1);
});

test('a paused form shows that it is closed, and a deleted one is not found', async () => {
  const form = await create({ origins: ['https://www.shop.example', 'http://localhost:8080'] });
  const framed = await open(form);
  expect(framed.headers.get('content-security-policy')).toContain(
    'frame-ancestors https://www.shop.example http://localhost:8080',
  );
  expect(framed.headers.get('x-frame-options')).toBeNull();
  const { token } = await start(form);
  expect((await gate.api.put(`/v1/opt_in_forms/${form.id}`, { status: 'paused' })).body.data.url).toBe(form.url);
  expect((await open(form)).status).toBe(410);
  expect((await submit(form, { token, code: '123456' })).status).toBe(410);
  expect((await gate.api.delete(`/v1/audiences/${audience_id}`)).body.errors[0].code).toBe(2590);
  expect((await gate.api.delete(`/v1/opt_in_forms/${form.id}`)).status).toBe(204);
  expect((await open(form)).status).toBe(404);
  expect((await gate.api.delete(`/v1/audiences/${audience_id}`)).status).toBe(204);
});

test('an entered number is deleted after a day', async () => {
  const form = await create();
  const { token } = await start(form);
  const code = await codeTo(phone);
  const { db } = gate.world.kernel;
  const count = async () =>
    (await db.rows(sql`select from opt_in_submissions where account_id = ${gate.company.account_id}`)).length;
  await deleteOldSubmissions(db, 100);
  expect(await count()).toBe(1);
  await db.run(sql`update opt_in_submissions set create_date = now() - interval '25 hours'`);
  await deleteOldSubmissions(db, 100);
  expect(await count()).toBe(0);
  expect((await submit(form, { token, code })).status).toBe(410);
});

test.each<[string, object, number]>([
  ['an unknown audience', { audience_id: newId() }, 1301],
  ['an unknown sender', { sender_id: newId() }, 2586],
  ['no text', { texts: [] }, 2587],
  ['a language twice', { texts: [TEXT, TEXT] }, 2587],
  ['an unknown language', { texts: [{ ...TEXT, language: 'xx' }] }, 2587],
  ['a consent text that says nothing', { texts: [{ ...TEXT, consent: 'Yes' }] }, 2587],
  ['an unknown field', { fields: [{ key: 'fields.shoe_size' }] }, 2588],
  ['a field twice', { fields: [{ key: 'last_name' }, { key: 'last_name' }] }, 2588],
  ['a website that is none', { origins: ['https://shop.example/page'] }, 2589],
  ['a website that adds to the policy', { origins: ["https://shop.example; script-src 'unsafe-inline'"] }, 2589],
  ['a domain of others', { domain: 'links.other.example' }, 2108],
])('a form with %s is refused', async (_, fields, code) => {
  expect(await create(fields)).toBe(code);
});

test('another account cannot see, change, or delete a form', async () => {
  const form = await create();
  const stranger = gate.world.as((await makeCompany(gate.world.kernel)).token);
  const url = `/v1/opt_in_forms/${form.id}`;
  for (const reply of [await stranger.get(url), await stranger.put(url, { name: 'Mine' }), await stranger.delete(url)])
    expect(reply.body.errors[0].code).toBe(2585);
  expect((await stranger.get('/v1/opt_in_forms')).body.data).toEqual([]);
  expect((await open({ url: `${form.url}X` })).status).toBe(404);
  expect((await open({ url: 'http://x/join/%00' })).status).toBe(404);
});
