/** Tests notices from WhatsApp about templates, in various orders. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { mailsTo } from '../test/mailbox.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { makeTemplate } from '../test/templates.ts';
import { makeWhatsappSender } from '../test/whatsapp_senders.ts';
import { createWorld, until, type World } from '../test/world.ts';
import type { TemplateNotice } from './notices.ts';
import { getTemplate, takeTemplateNotices } from './templates.ts';

let world: World;
let company: Company;
let connection_id: string;
let sender_id: string;
let id: string;
let external_id: string;

beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
  ({ connection_id, sender_id } = await makeWhatsappSender(world.kernel, company.account_id));
});
afterAll(() => world?.stop());
beforeEach(async () => {
  external_id = newId();
  id = await makeTemplate(world.kernel, company.account_id, {
    channel: 'WHATSAPP',
    status: 'IN_PROCESS',
    sender_id,
    external_id,
  });
});

type Judged = Extract<TemplateNotice, { kind: 'template' }>;
const notice = (change: Partial<Judged> = {}): Judged => ({
  kind: 'template',
  external_id,
  status: 'COMPLETED',
  paused: false,
  disabled: false,
  reason: '',
  category: null,
  ...change,
});
const take = (notices: TemplateNotice[], connection = connection_id) =>
  world.kernel.db.tx((tx) => takeTemplateNotices(tx, connection, notices));
const readTemplate = () => getTemplate(world.kernel.db, company.account_id, id);
const subjects = async () =>
  (await mailsTo(world.kernel, `${company.user_id}@test.localhost`))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes(id.slice(-8)));
const waitForMail = (subject: string) =>
  until(subject, async () => {
    const mails = await subjects();
    expect(mails.length).toBeLessThan(2);
    return mails[0] === subject;
  });
const waitForMails = (...expected: string[]) =>
  until(expected.join(', '), async () => {
    const mails = await subjects();
    return expected.every((subject) => mails.includes(subject)) && mails.length === expected.length;
  });

test('a rejection stores its reason and advice and sends one email, even when the notice is repeated', async () => {
  const rejected = notice({ status: 'CANCELED', reason: 'INVALID_FORMAT' });
  expect(await take([rejected])).toBe(1);
  expect(await take([rejected])).toBe(0);
  expect(await readTemplate()).toMatchObject({
    status: 'CANCELED',
    reason: {
      code: 'INVALID_FORMAT',
      text: expect.stringContaining('format'),
      advice: expect.stringContaining('example'),
    },
  });
  await waitForMail(`Rejected: WhatsApp template template_${id.slice(-8)}`);
});

test('a template can be approved in a different category, paused, resumed, and disabled', async () => {
  expect(await take([notice({ category: 'MARKETING' })])).toBe(1);
  expect(await readTemplate()).toMatchObject({ status: 'COMPLETED', wa_category: 'MARKETING', paused: false });
  const mail = (event: string) => `${event}: WhatsApp template template_${id.slice(-8)}`;
  await waitForMails(mail('Approved'));
  expect(await take([notice({ paused: true, reason: 'FIRST_PAUSE' })])).toBe(1);
  expect(await readTemplate()).toMatchObject({
    status: 'COMPLETED',
    paused: true,
    disabled: false,
    reason: { code: 'FIRST_PAUSE', text: expect.stringContaining('three hours') },
  });
  // The list states only that the template is paused. The reason is already stored.
  expect(await take([notice({ paused: true, reason: 'PAUSED' })])).toBe(0);
  await waitForMails(mail('Approved'), mail('Paused'));
  expect(await take([notice()])).toBe(1);
  expect(await readTemplate()).toMatchObject({ paused: false, reason: null, wa_category: 'MARKETING' });
  await waitForMails(mail('Approved'), mail('Paused'), mail('Active again'));
  expect(await take([notice({ paused: true, disabled: true, reason: 'DISABLED' })])).toBe(1);
  expect(await readTemplate()).toMatchObject({ paused: true, disabled: true, reason: { code: 'DISABLED' } });
  await waitForMails(mail('Approved'), mail('Paused'), mail('Active again'), mail('Disabled'));
});

test('a quality rating is stored, and a low rating for an approved template sends an email', async () => {
  const quality = (value: 'GREEN' | 'YELLOW' | 'RED' | null): TemplateNotice => ({
    kind: 'template_detail',
    external_id,
    quality: value,
  });
  const events = async () =>
    (
      await world.kernel.db.one<{ count: number }>(
        sql`select count(*)::int as count from events where type = 'template.updated' and payload->>'id' = ${id}`,
      )
    ).count;
  expect(await take([quality('GREEN')])).toBe(1);
  // A quality rating is not a decision.
  expect(await readTemplate()).toMatchObject({ status: 'IN_PROCESS', quality: 'GREEN' });
  const mail = (event: string) => `${event}: WhatsApp template template_${id.slice(-8)}`;
  expect(await take([notice(), quality('YELLOW')])).toBe(1);
  expect(await readTemplate()).toMatchObject({ status: 'COMPLETED', quality: 'YELLOW' });
  const before = await events();
  expect(await take([quality('YELLOW')])).toBe(0);
  expect(await take([quality('RED')])).toBe(1);
  expect(await events()).toBe(before + 1);
  await waitForMails(mail('Approved'), mail('Low quality'));
  // A change to its category does not resume the template.
  await take([notice({ paused: true, reason: 'SECOND_PAUSE' })]);
  expect(await take([{ kind: 'template_detail', external_id, category: 'MARKETING' }])).toBe(1);
  expect(await readTemplate()).toMatchObject({ paused: true, wa_category: 'MARKETING', quality: 'RED' });
  expect(await take([quality(null)])).toBe(1);
  expect((await readTemplate()).quality).toBeNull();
});

test('the last notice wins, and notices from other connections or for unknown templates are ignored', async () => {
  const second_api = await makeWhatsappSender(world.kernel, company.account_id);
  expect(await take([notice()], second_api.connection_id)).toBe(0);
  expect(await take([notice({ external_id: 'unknown' })])).toBe(0);
  expect((await readTemplate()).status).toBe('IN_PROCESS');
  expect(await take([notice(), notice({ status: 'CANCELED', reason: 'SCAM' })])).toBe(1);
  expect((await readTemplate()).reason?.code).toBe('SCAM');
});

test('a notice about an earlier revision changes nothing', async () => {
  await take([notice({ status: 'CANCELED', reason: 'SCAM' })]);
  const update = await world.as(company.token).put(`/v1/templates/${id}`, {
    text: 'Dear {first_name:friend}, your order is on its way.',
    samples: ['Ann'],
  });
  expect(update.body.data).toMatchObject({ status: 'IN_PROCESS', reason: null });
  expect(await take([notice()])).toBe(0);
  expect((await readTemplate()).status).toBe('IN_PROCESS');
});

test('a submitted template cannot be renamed and is shared by the senders of its business account', async () => {
  await take([notice()]);
  const api = world.as(company.token);
  const renamed = await api.put(`/v1/templates/${id}`, { name: 'another', samples: ['Ann'] });
  expect(renamed.body.errors[0]).toMatchObject({
    code: 1259,
    field: 'name',
    message: expect.stringContaining('Copy the template'),
  });
  const { requireTemplate } = await import('./templates.ts');
  const twin = await makeWhatsappSender(world.kernel, company.account_id, { connection_id });
  const other_sender = await makeWhatsappSender(world.kernel, company.account_id);
  const findSendable = (sender: string) =>
    requireTemplate(world.kernel.db, company.account_id, id, 'WHATSAPP', { id: sender });
  expect(await findSendable(twin.sender_id)).toMatchObject({ id, external_id });
  await expect(findSendable(other_sender.sender_id)).rejects.toMatchObject({ name: 'TEMPLATE_NOT_APPROVED' });
  await take([notice({ paused: true, reason: 'FIRST_PAUSE' })]);
  await expect(findSendable(sender_id)).rejects.toMatchObject({
    name: 'TEMPLATE_PAUSED',
    message: expect.stringContaining('three hours'),
  });
  await take([notice({ paused: true, disabled: true, reason: 'DISABLED' })]);
  await expect(findSendable(sender_id)).rejects.toMatchObject({
    name: 'TEMPLATE_DISABLED',
    message: expect.stringContaining('permanently'),
  });
});

test('a name already used on a business account is rejected, even when two companies request it at once', async () => {
  const second = await makeCompany(world.kernel);
  // Another connection to the same business account.
  const sharedSender = await makeWhatsappSender(world.kernel, second.account_id);
  const other_sender = await makeWhatsappSender(world.kernel, second.account_id, {
    settings: { waba_id: '2000000002' },
  });
  const [first, second_api] = [world.as(company.token), world.as(second.token)];
  const draft = (name: string, wa_sender_code: string, fields: object = {}) => ({
    channel: 'WHATSAPP',
    name,
    text: 'Your order is on its way.',
    wa_category: 'UTILITY',
    wa_sender_code,
    ...fields,
  });
  const { code } = await world.kernel.db.one<{ code: string }>(sql`select code from senders where id = ${sender_id}`);
  const create = (api: typeof first, body: object) => api.post('/v1/templates', body);
  expect((await create(first, draft('order_sent', code))).status).toBe(201);
  const refusal = await create(second_api, draft('order_sent', sharedSender.code));
  expect(refusal.status).toBe(409);
  expect(refusal.body.errors).toMatchObject([
    { code: 1284, field: 'name', message: expect.stringContaining('Another company') },
  ]);
  // The name is free in another language and on another business account.
  expect((await create(second_api, draft('order_sent', sharedSender.code, { language: 'de' }))).status).toBe(201);
  expect((await create(second_api, draft('order_sent', other_sender.code))).status).toBe(201);
  const replies = await Promise.all([
    create(first, draft('order_late', code)),
    create(second_api, draft('order_late', sharedSender.code)),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('a template sync requested by a user is rate limited', async () => {
  const api = world.as((await makeCompany(world.kernel)).token);
  expect((await api.post('/v1/template_syncs', {})).body.data).toEqual({ checked: 0, changed: 0, failed: [] });
  const again = await api.post('/v1/template_syncs', {});
  expect([again.status, again.body.errors[0].code, again.headers.get('retry-after')]).toEqual([429, 1903, '30']);
  const rows = await world.kernel.db.rows(sql`select 1 from template_syncs`);
  expect(rows).toHaveLength(1);
});
