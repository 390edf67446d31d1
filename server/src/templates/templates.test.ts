import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { makeMedia } from '../test/media.ts';
import { makeTemplate } from '../test/templates.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { requireTemplate } from './templates.ts';

let world: World;
let company: Company;
let owner: Caller;
let operators: Company;
let desk: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  operators = await makeCompany(world.kernel, { operator: true });
  desk = world.as(operators.token);
});
afterAll(() => world?.stop());

const errors = (reply: Reply) =>
  reply.body.errors.map(({ code, field, message }: { code: number; field: string; message: string }) => [
    code,
    field,
    message,
  ]);
const create = async (data: object, caller = owner) => {
  const { status, body, text } = await caller.post('/v1/templates', data);
  if (status !== 201) throw new Error(text);
  return body.data as { id: string; status: string };
};
const events = async (account_id: string) =>
  (
    await world.kernel.db.rows<{ type: string }>(
      sql`select type from events where account_id = ${account_id} and type ~ '^(template|request)' order by id`,
    )
  ).map(({ type }) => type);
const acts = async () =>
  (
    await world.kernel.db.rows<{ action: string }>(
      sql`select action from audit_log where account_id = ${company.account_id} order by number`,
    )
  ).map(({ action }) => action);
const subjects = async () =>
  (await mailsTo(world.kernel, `${company.user_id}@test.localhost`)).map(({ subject }) => subject);
const uses = async (media_id: string) =>
  (
    await world.kernel.db.rows<{ used_by: string }>(sql`
      select used_by from media_uses where account_id = ${company.account_id} and media_id = ${media_id}`)
  ).map(({ used_by }) => used_by);

test('an SMS template is usable immediately, needs a unique name, and can be updated field by field', async () => {
  const { id, status } = await create({ channel: 'sms', name: 'Welcome', text: ' Hello {first_name:there} ' });
  expect(status).toBe('COMPLETED');
  const refusal = await owner.post('/v1/templates', { channel: 'SMS', name: 'welcome', text: 'Other' });
  expect(errors(refusal)).toEqual([[1258, 'name', 'A template with this name already exists']]);
  expect(refusal.status).toBe(409);
  // The name is free on another channel.
  await create({ channel: 'VIBER', name: 'Welcome', text: 'Hello' });
  const update = await owner.put(`/v1/templates/${id}`, { text: 'Good day {first_name:there}' });
  expect(update.body.data).toMatchObject({
    name: 'Welcome',
    text: 'Good day {first_name:there}',
    status: 'COMPLETED',
    type: 'text',
    button_type: null,
  });
  expect((await owner.get(`/v1/templates/${id}`)).body.data).toMatchObject({ used_in: [], sent_count: 0 });
  expect(await requireTemplate(world.kernel.db, company.account_id, id, 'SMS', { id: newId() })).toMatchObject({ id });
  expect(await acts()).toEqual(['template.created', 'template.created', 'template.updated']);
});

test('all problems with a template are returned at once with their fields, and nothing is stored', async () => {
  const reply = await owner.post('/v1/templates', {
    channel: 'VIBER',
    name: '',
    type: 'document',
    text: 'x'.repeat(1001),
  });
  expect(errors(reply)).toEqual([
    [1261, 'name', 'Template name is required!'],
    [1264, 'url', 'A file attachment is required'],
    [1267, 'filename', 'Document name is required!'],
    [1260, 'text', 'Text can have at most 1,000 characters'],
    [1255, 'text', 'A Viber message with a document cannot have text'],
  ]);
  const long = await owner.post('/v1/templates', { channel: 'SMS', name: 'n'.repeat(46), text: 'x' });
  expect(errors(long)).toEqual([[1263, 'name', 'Name can have at most 45 characters']]);
  expect(errors(await owner.post('/v1/templates', { name: 'a', text: 'x' }))).toEqual([
    [1256, 'channel', 'Channel is required'],
  ]);
  // An empty body has its own problem.
  expect(errors(await owner.post('/v1/templates', {}))).toEqual([[1253, undefined, 'Template data is required']]);
  expect(errors(await owner.get('/v1/templates?filter[channel]=fax'))).toEqual([
    [1257, 'filter.channel', 'Channel is not valid'],
  ]);
  const { body } = await owner.get('/v1/templates?filter[name]=nnnnn');
  expect(body.data).toEqual([]);
});

test('a single button is also returned in the legacy fields, and a file is kept while a template uses it', async () => {
  const media = await makeMedia(world, company.token);
  const { id } = await create({
    channel: 'VIBER',
    name: 'Sale',
    text: 'Twenty percent off',
    type: 'image',
    media_id: media.id,
    button_type: 'LINK',
    button_text: 'Shop',
    button_value: 'https://a.example/shop',
  });
  const stored = (await owner.get(`/v1/templates/${id}`)).body.data;
  expect(stored).toMatchObject({
    status: 'IN_PROCESS',
    media_id: media.id,
    buttons: [{ type: 'link', text: 'Shop', value: 'https://a.example/shop' }],
    button_type: 'call_to_action',
    button_text: 'Shop',
    button_value: 'https://a.example/shop',
  });
  expect(await uses(media.id)).toEqual([`template:${id}`]);
  // The operators can see the company's file.
  expect((await desk.get(`/v1/requests/${id}`)).body.data.template).toMatchObject({
    template: { id, media_id: media.id },
    get_url: expect.stringContaining('/v1/media/files/'),
    thumbnail_url: expect.any(String),
  });
  expect((await owner.delete(`/v1/media/${media.id}`)).body.errors[0].code).toBe(1913);
  // The template cannot be changed or deleted during its review.
  expect((await owner.put(`/v1/templates/${id}`, { text: 'Ten' })).body.errors[0].code).toBe(1281);
  expect((await owner.delete(`/v1/templates/${id}`)).body.errors[0].code).toBe(1281);
  expect((await desk.put(`/v1/requests/${id}`, { decision: 'approve' })).status).toBe(200);
  // Another company's file is not found. A link replaces the file, which is released.
  const foreign = await makeMedia(world, (await makeCompany(world.kernel)).token);
  expect((await owner.put(`/v1/templates/${id}`, { media_id: foreign.id })).body.errors[0].code).toBe(1901);
  expect((await owner.put(`/v1/templates/${id}`, { url: 'https://a.example/x.webp' })).body.data).toMatchObject({
    media_id: null,
    url: 'https://a.example/x.webp',
    status: 'IN_PROCESS',
  });
  expect(await uses(media.id)).toEqual([]);
});

test('a Viber template can be fixed after a rejection and is not reviewed again when nothing changes', async () => {
  const { id } = await create({ channel: 'VIBER', name: 'Opening', text: 'We open on Monday' });
  const waiting = await desk.get('/v1/requests?filter[statuses]=waiting&filter[kinds]=template&page_size=100');
  expect(waiting.body.data.at(-1)).toMatchObject({ id, company_name: expect.stringMatching(/^Company/) });
  const decide = (body: object) => desk.put(`/v1/requests/${id}`, body);
  expect((await decide({ decision: 'reject' })).body.errors[0]).toMatchObject({ code: 1157, field: 'reason' });
  expect((await decide({ decision: 'reject', note: 'Add the name of the shop.' })).body.data).toMatchObject({
    status: 'rejected',
    words: 'Add the name of the shop.',
    reviewer_name: 'Test Person',
  });
  expect((await owner.get(`/v1/templates/${id}`)).body.data).toMatchObject({
    status: 'CANCELED',
    reason: { code: 'REJECTED', text: 'Add the name of the shop.', advice: expect.stringContaining('resubmit') },
  });
  expect((await decide({ decision: 'approve' })).body.errors[0]).toMatchObject({
    code: 1156,
    message: 'Test Person already rejected this request',
  });
  await expect(
    requireTemplate(world.kernel.db, company.account_id, id, 'VIBER', { id: newId() }),
  ).rejects.toMatchObject({ name: 'VIBER_TEMPLATE_NOT_APPROVED' });

  const update = await owner.put(`/v1/templates/${id}`, { text: 'Harbour Coffee opens on Monday' });
  expect(update.body.data).toMatchObject({ status: 'IN_PROCESS', reason: null });
  expect((await decide({ decision: 'approve', external_id: 'V-17' })).body.errors[0]).toMatchObject({
    ...{ code: 1542, field: 'external_language' },
  });
  expect((await decide({ decision: 'approve', external_language: 'en' })).body.errors[0]).toMatchObject({
    ...{ code: 1538, field: 'external_id' },
  });
  expect((await decide({ decision: 'approve', external_id: 'V-17', external_language: 'en' })).status).toBe(200);
  expect((await owner.get(`/v1/templates/${id}`)).body.data).toMatchObject({
    status: 'COMPLETED',
    external_id: 'V-17',
    reason: null,
  });
  const repeated = await owner.put(`/v1/templates/${id}`, { name: 'Opening', text: 'Harbour Coffee opens on Monday' });
  expect(repeated.body.data.status).toBe('COMPLETED');

  expect((await subjects()).slice(0, 3)).toEqual([
    'Approved: Viber template Sale',
    'Rejected: Viber template Opening',
    'Approved: Viber template Opening',
  ]);
  expect((await acts()).slice(-4)).toEqual([
    'template.created',
    'template.rejected',
    'template.updated',
    'template.approved',
  ]);
  expect(
    (await events(operators.account_id)).filter((type) => type === 'request.changed').length,
  ).toBeGreaterThanOrEqual(4);
  expect((await events(company.account_id)).slice(-4)).toEqual([
    'template.created',
    'template.updated',
    'template.updated',
    'template.updated',
  ]);
});

test('a changed Viber template loses its external id and cannot be approved with an outdated revision', async () => {
  const { id } = await create({ channel: 'VIBER', name: 'Parcel', text: 'Your parcel {number} is here' });
  const decide = (body: object) => desk.put(`/v1/requests/${id}`, body);
  const readRequest = async () => (await desk.get(`/v1/requests/${id}`)).body.data as { revision: number };
  const first = await readRequest();
  expect(
    (await decide({ decision: 'approve', external_id: 'V-20', external_language: 'en', revision: first.revision }))
      .status,
  ).toBe(200);
  // The provider's id belongs to the previous text.
  const update = await owner.put(`/v1/templates/${id}`, { text: 'Your parcel {number} has left' });
  expect(update.body.data).toMatchObject({ status: 'IN_PROCESS', external_id: null });
  const second = await readRequest();
  expect(second.revision).toBe(first.revision + 1);

  // One operator still has the first text open.
  const refusal = await decide({ decision: 'approve', revision: first.revision });
  expect(refusal.body.errors[0]).toMatchObject({ code: 1156, message: expect.stringContaining('Review it again') });
  expect((await owner.get(`/v1/templates/${id}`)).body.data).toMatchObject({ status: 'IN_PROCESS', external_id: null });
  expect((await decide({ decision: 'approve', revision: second.revision })).status).toBe(200);
  expect((await owner.get(`/v1/templates/${id}`)).body.data).toMatchObject({
    status: 'COMPLETED',
    external_id: null,
  });
});

test('a template in use cannot be deleted, and a deleted template frees its name', async () => {
  const { id } = await create({ channel: 'SMS', name: 'Last call', text: 'Until Friday' });
  const draft = { name: 'Friday', start: false };
  const created = await owner.post('/v1/campaigns', { ...draft, template: id });
  // The campaign keeps its text when the template changes.
  expect(created.body.data).toMatchObject({ text: 'Until Friday', status: 'in_complete' });
  const campaign_id = created.body.data.id as string;
  expect((await owner.put(`/v1/templates/${id}`, { text: 'Until Monday' })).status).toBe(200);
  expect((await owner.get(`/v1/campaigns/${campaign_id}`)).body.data.text).toBe('Until Friday');
  const viber = await makeTemplate(world.kernel, company.account_id, { channel: 'VIBER' });
  const foreign = await makeTemplate(world.kernel, (await makeCompany(world.kernel)).account_id);
  for (const [template, code] of [
    [viber, 1616],
    [foreign, 1608],
    ['nonsense', 1608],
  ])
    expect(
      (await owner.post('/v1/campaigns', { name: `Not ${template}`.slice(0, 40), start: false, template })).body
        .errors[0].code,
    ).toBe(code);
  expect((await owner.get(`/v1/templates/${id}`)).body.data.used_in).toEqual([
    { kind: 'campaign', id: campaign_id, name: 'Friday', status: 'in_complete' },
  ]);
  expect((await owner.delete(`/v1/templates/${id}`)).body.errors[0].code).toBe(1282);
  await world.kernel.db.run(sql`
    update campaigns set status = 'completed' where account_id = ${company.account_id} and id = ${campaign_id}`);
  expect((await owner.delete(`/v1/templates/${id}`)).status).toBe(204);
  expect((await owner.get(`/v1/templates/${id}`)).body.errors[0].code).toBe(1251);
  expect((await owner.delete(`/v1/templates/${id}`)).status).toBe(404);
  await create({ channel: 'SMS', name: 'Last call', text: 'Until Friday' });
});

describe('a template', () => {
  test('cannot be sent when it is unknown, unapproved, or for a different channel', async () => {
    const { db } = world.kernel;
    const { account_id } = company;
    const findSendable = (id: string, channel: 'SMS' | 'VIBER' | 'WHATSAPP' = 'SMS') =>
      requireTemplate(db, account_id, id, channel, { id: newId() }).then(
        () => null,
        (problem: { name: string }) => problem.name,
      );
    const stranger = await makeCompany(world.kernel);
    const sms = await makeTemplate(world.kernel, account_id);
    expect(await findSendable('welcome')).toBe('MESSAGE_TEMPLATE_ID_INVALID');
    expect(await findSendable(newId())).toBe('MESSAGE_TEMPLATE_NOT_FOUND');
    expect(await findSendable(await makeTemplate(world.kernel, stranger.account_id))).toBe(
      'MESSAGE_TEMPLATE_NOT_FOUND',
    );
    expect(await findSendable(sms, 'VIBER')).toBe('TEMPLATE_CHANNEL_MISMATCH');
    expect(
      await findSendable(
        await makeTemplate(world.kernel, account_id, { channel: 'VIBER', status: 'IN_PROCESS' }),
        'VIBER',
      ),
    ).toBe('VIBER_TEMPLATE_NOT_APPROVED');
    expect(
      await findSendable(
        await makeTemplate(world.kernel, account_id, { channel: 'WHATSAPP', status: 'CANCELED' }),
        'WHATSAPP',
      ),
    ).toBe('TEMPLATE_NOT_APPROVED');
    expect(await findSendable(sms)).toBe(null);
  });

  test('requires an approved company and is not found by another company', async () => {
    const unverified = await makeCompany(world.kernel, { status: 'UNVERIFIED' });
    const refusal = await world.as(unverified.token).post('/v1/templates', { channel: 'SMS', name: 'a', text: 'x' });
    expect(refusal.body.errors[0].code).toBe(1524);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const id = await makeTemplate(world.kernel, company.account_id);
    for (const reply of [
      await stranger.get(`/v1/templates/${id}`),
      await stranger.put(`/v1/templates/${id}`, { text: 'x' }),
      await stranger.delete(`/v1/templates/${id}`),
    ])
      expect([reply.status, reply.body.errors[0].code]).toEqual([404, 1251]);
  });
});

test('templates are listed newest first and filtered by channel, status, category, sender, and name', async () => {
  const other = await makeCompany(world.kernel);
  const api = world.as(other.token);
  const { account_id } = other;
  for (const [name, channel, status, wa_category] of [
    ['one', 'SMS', 'COMPLETED', undefined],
    ['two_50%', 'VIBER', 'CANCELED', undefined],
    ['three', 'WHATSAPP', 'COMPLETED', 'MARKETING'],
    ['four', 'WHATSAPP', 'IN_PROCESS', 'UTILITY'],
  ] as const)
    await makeTemplate(world.kernel, account_id, { name, channel, status, ...(wa_category ? { wa_category } : {}) });
  const names = async (query: string) =>
    (await api.get(`/v1/templates?${query}`)).body.data.map(({ name }: { name: string }) => name);
  expect(await names('')).toEqual(['four', 'three', 'two_50%', 'one']);
  expect(await names('filter[channel]=whatsapp')).toEqual(['four', 'three']);
  expect(await names('filter[status]=COMPLETED')).toEqual(['three', 'one']);
  expect(await names('filter[statuses]=CANCELED,IN_PROCESS')).toEqual(['four', 'two_50%']);
  expect(await names('filter[wa_categories]=UTILITY')).toEqual(['four']);
  expect(await names(`filter[name]=${encodeURIComponent('0%')}`)).toEqual(['two_50%']);
  expect(await names('filter[sender_code]=447700900001')).toEqual([]);
  const page = await api.get('/v1/templates?page=2&page_size=10');
  expect(page.body.pagination).toMatchObject({ number: 2, total: 4 });
});

test('the doctor reports no problems after these tests and detects each injected problem', async () => {
  const failedChecks = async () => (await world.examine()).filter(({ id, ok }) => id.startsWith('T') && !ok);
  expect(await failedChecks()).toEqual([]);
  const media = await makeMedia(world, company.token);
  const id = await makeTemplate(world.kernel, company.account_id, { channel: 'WHATSAPP', external_id: 'x' });
  await world.kernel.db.run(sql`update templates set media_id = ${media.id}, tried = 0 where id = ${id}`);
  expect((await failedChecks()).map((finding) => finding.id)).toEqual(['T1', 'T2']);
  await world.kernel.db.run(sql`delete from templates where id = ${id}`);
});
