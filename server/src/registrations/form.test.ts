import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { attachTo, FORM, fillForm, makeNumber, PDF } from '../test/senders.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { eraseForms } from './erase.ts';

let world: World;
let company: Company;
let owner: Caller;
let operator: Company;
let desk: Caller;
let website: Server;

beforeAll(async () => {
  website = createServer((_, response) => response.end('Harbour Coffee')).listen(0, '127.0.0.1');
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  operator = await makeCompany(world.kernel, { operator: true });
  desk = world.as(operator.token);
});
afterAll(async () => {
  website.close();
  await world.stop();
});

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const order = async (data: object, caller = owner) => {
  const { status, body, text } = await caller.post('/v1/senders', data);
  if (status !== 201) throw new Error(text);
  return body.data as { id: string; status: string };
};
const submit = (id: string, caller = owner) => caller.post(`/v1/senders/${id}/requests`, {});
const detail = async (id: string, caller = owner) => (await caller.get(`/v1/senders/${id}`)).body.data;
const waiting = async (sender_id: string) =>
  (await desk.get('/v1/requests?page_size=100&filter[statuses]=waiting')).body.data.find(
    (request: { target_id: string }) => request.target_id === sender_id,
  );
const decide = (request: { id: string }, body: object) => desk.put(`/v1/requests/${request.id}`, body);

test('documents count toward the storage of the company', async () => {
  const { id } = await order({ type: 'alphanumeric', code: 'Space', countries: ['IE'] });
  const { FILES_MB } = world.kernel.config;
  await world.kernel.db.run(sql`
    insert into sender_attachments (account_id, id, sender_id, kind, file_name, content_type, bytes, storage_key)
    select ${company.account_id}, gen_random_uuid(), ${id}, 'other', 'a.pdf', 'application/pdf', ${1024 * 1024}, 'none'
    from generate_series(1, ${FILES_MB}::int)`);
  const other = await order({ type: 'alphanumeric', code: 'Space2', countries: ['IE'] });
  const file = { name: 'letter.pdf', bytes: PDF };
  expect(code(await attachTo(owner, other.id, 'other', file))).toBe(1918);
  await world.kernel.db.run(sql`delete from sender_attachments where sender_id = ${id}`);
  expect((await attachTo(owner, other.id, 'other', file)).status).toBe(200);
});

describe('a document', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await order({ type: 'alphanumeric', code: 'Files', countries: ['IE'] }));
  });
  const attach = (name: string, bytes: Uint8Array | string, kind = 'other') =>
    attachTo(owner, id, kind, { name, bytes });

  test.each<[string, string, Uint8Array | string, number]>([
    ['a text file named as PDF', 'letter.pdf', 'hello', 1473],
    ['a PDF named as PNG', 'letter.png', PDF, 1473],
    ['an HTML page', 'page.html', '<script>alert(1)</script>', 1473],
    ['an empty file', 'letter.pdf', '', 1473],
    ['a file with right-to-left text in its name', '\u202efdp.pdf', PDF, 1915],
    ['an 11 MB file', 'big.pdf', Buffer.concat([PDF, Buffer.alloc(11 * 1024 * 1024)]), 1008],
  ])('is rejected when it is %s', async (_, name, bytes, expected) => {
    expect(code(await attach(name, bytes))).toBe(expected);
  });

  test('is stored, downloaded through a signed URL, and removed', async () => {
    const attachment = await attach('Letter of authorization.pdf', PDF, 'letter_of_authorization');
    expect(attachment.body.data).toMatchObject({
      kind: 'letter_of_authorization',
      file_name: 'Letter of authorization.pdf',
      bytes: PDF.length,
    });
    const file = await fetch(world.url + attachment.body.data.url);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
    expect((await file.bytes()).length).toBe(PDF.length);
    expect(
      (await fetch(`${world.url}${attachment.body.data.url.replace(/signature=../, 'signature=xx')}`)).status,
    ).toBe(403);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(code(await attachTo(stranger, id, 'other', { name: 'x.pdf', bytes: PDF }))).toBe(1402);
    const path = `/v1/senders/${id}/required_attachments/${attachment.body.data.id}`;
    expect(code(await stranger.delete(path))).toBe(1402);
    expect((await owner.delete(path)).status).toBe(204);
    expect(code(await owner.delete(path))).toBe(1475);
    expect((await detail(id)).attachments).toEqual([]);
  });

  test('is rejected when the form already has ten', async () => {
    for (let count = 0; count < 10; count++) expect((await attach(`${count}.pdf`, PDF)).status).toBe(200);
    expect(code(await attach('11.pdf', PDF))).toBe(1474);
  });
});

test('the audit log names changed parts without their values and omits unchanged ones', async () => {
  const { id } = await order({ type: 'alphanumeric', code: 'Logged', countries: ['DE'] });
  const log = async () =>
    (await owner.get('/v1/audit_log?page_size=50')).body.data
      .filter(
        ({ target_id, action }: { target_id: string; action: string }) => target_id === id && action !== 'sender.begun',
      )
      .map(({ action, target_name, detail }: { action: string; target_name: string; detail: object }) => ({
        action,
        target_name,
        detail,
      }))
      .reverse();
  const name = { target_name: 'Logged' };
  await owner.put(`/v1/senders/${id}/company`, FORM.company);
  await owner.put(`/v1/senders/${id}/company`, FORM.company);
  await owner.put(`/v1/senders/${id}/company`, { ...FORM.company, contact_name: 'Sam Reed' });
  // A rejected form is not saved.
  expect((await owner.put(`/v1/senders/${id}/company`, { ...FORM.company, business_industry: 99 })).status).toBe(400);
  const attachment = await attachTo(owner, id, 'other', { name: 'proof.pdf', bytes: PDF });
  await owner.delete(`/v1/senders/${id}/required_attachments/${attachment.body.data.id}`);
  const file = { kind: 'other', file_name: 'proof.pdf' };
  const entries = await log();
  expect(entries).toEqual([
    { action: 'sender.form_saved', ...name, detail: { part: 'company', fields: expect.any(Array) } },
    { action: 'sender.form_saved', ...name, detail: { part: 'company', fields: ['contact_name'] } },
    { action: 'sender.document_added', ...name, detail: file },
    { action: 'sender.document_removed', ...name, detail: file },
  ]);
  expect([...entries[0].detail.fields].sort()).toEqual(Object.keys(FORM.company).sort());
  expect(JSON.stringify(entries)).not.toContain('HRB 12345');
});

test('the preflight check opens websites through the guarded connector', async () => {
  const { id } = await order({ type: 'alphanumeric', code: 'Website', countries: ['DE'] });
  await fillForm(owner, id, 'sender_id');
  const check = async (business_website: string) => {
    await owner.put(`/v1/senders/${id}/company`, { ...FORM.company, business_website });
    return (await owner.get(`/v1/senders/${id}/preflight`)).body.data.filter(
      (item: { code: string }) => item.code === 'website_unreachable',
    );
  };
  const { port } = website.address() as AddressInfo;
  expect(await check(`http://127.0.0.1:${port}/`)).toEqual([]);
  expect(await check('http://127.0.0.1:1/')).toMatchObject([{ level: 'warning', field: 'company.business_website' }]);
  expect((await check('http://10.0.0.1.invalid/'))[0].title).toMatch(/could not be opened/);
});

describe('blocking a contact', () => {
  test('succeeds only once per sender and only for the sender’s account', async () => {
    await makeNumber(world.kernel, '447700555001');
    const { id } = await order({ type: 'mobile', code: '447700555001' });
    const block = await owner.post(`/v1/senders/${id}/blockers`, { number: '+447410000321' });
    expect(block.body.data).toMatchObject({ number: '447410000321', sender_id: id });
    expect(code(await owner.post(`/v1/senders/${id}/blockers`, { number: '+447410000321' }))).toBe(1003);
    const refusal = await owner.post('/v1/messages', { from: id, to: ['447410000321'], channel: 'SMS', text: 'x' });
    expect(code(refusal)).toBe(1530);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(code(await stranger.post(`/v1/senders/${id}/blockers`, { number: '+447410000322' }))).toBe(1402);
    const path = `/v1/senders/${id}/blockers/${block.body.data.id}`;
    expect(code(await stranger.delete(path))).toBe(1402);
    expect(code(await owner.delete(`/v1/senders/${id}/blockers/${newId()}`))).toBe(1481);
    expect((await owner.delete(path)).status).toBe(204);
  });
});

test('an erased account’s forms and documents are deleted, but the decisions remain', async () => {
  const closedCompany = await makeCompany(world.kernel);
  const api = world.as(closedCompany.token);
  const { id } = await order({ type: 'alphanumeric', code: 'Closing', countries: ['DE'] }, api);
  await fillForm(api, id, 'sender_id');
  const { url } = (await attachTo(api, id, 'other', { name: 'proof.pdf', bytes: PDF })).body.data;
  await submit(id, api);
  const request = await waiting(id);
  await decide(request, { decision: 'approve' });
  expect(await eraseForms(world.kernel)).toBe(0);
  await world.kernel.db.run(
    sql`update accounts set close_date = now(), erase_date = now() where id = ${closedCompany.account_id}`,
  );
  await world.kernel.db.run(sql`delete from sessions where account_id = ${closedCompany.account_id}`);
  expect(await eraseForms(world.kernel)).toBe(1);
  expect(await eraseForms(world.kernel)).toBe(0);
  expect((await fetch(world.url + url)).status).toBe(404);
  const details = (await desk.get(`/v1/requests/${request.id}`)).body.data;
  expect(details).toMatchObject({ status: 'approved', sender: { form: { company: null } }, documents: [] });
});

test('all invariants hold after these tests', async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
