/** What WhatsApp says by itself, in every order it may come. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db.ts';
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
}, 60_000);
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

const notice = (change: Partial<TemplateNotice> = {}): TemplateNotice => ({
  kind: 'template',
  external_id,
  status: 'COMPLETED',
  paused: false,
  reason: '',
  category: null,
  ...change,
});
const take = (notices: TemplateNotice[], connection = connection_id) =>
  world.kernel.db.tx((tx) => takeTemplateNotices(tx, connection, notices));
const now = () => getTemplate(world.kernel.db, company.account_id, id);
const subjects = async () =>
  (await mailsTo(world.kernel, `${company.user_id}@test.localhost`))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes(id.slice(-8)));
const told = (subject: string) =>
  until(subject, async () => {
    const found = await subjects();
    expect(found.length).toBeLessThan(2);
    return found[0] === subject;
  });

test('rejected: the reason in words, what to do about it, and one mail however often it is told', async () => {
  const rejected = notice({ status: 'CANCELED', reason: 'INVALID_FORMAT' });
  expect(await take([rejected])).toBe(1);
  expect(await take([rejected])).toBe(0);
  expect(await now()).toMatchObject({
    status: 'CANCELED',
    reason: {
      code: 'INVALID_FORMAT',
      text: expect.stringContaining('formed'),
      advice: expect.stringContaining('example'),
    },
  });
  await told(`Rejected: WhatsApp template template_${id.slice(-8)}`);
});

test('approved in another category, paused after many reports, and back again', async () => {
  expect(await take([notice({ category: 'MARKETING' })])).toBe(1);
  expect(await now()).toMatchObject({ status: 'COMPLETED', wa_category: 'MARKETING', paused: false });
  expect(await take([notice({ paused: true, reason: 'PAUSED' })])).toBe(1);
  expect(await now()).toMatchObject({ status: 'COMPLETED', paused: true, reason: { code: 'PAUSED' } });
  expect(await take([notice()])).toBe(1);
  expect(await now()).toMatchObject({ paused: false, reason: null, wa_category: 'MARKETING' });
  await told(`Approved: WhatsApp template template_${id.slice(-8)}`);
});

test('of several in one call the last counts; of another connection or an unknown one nothing is heard', async () => {
  const other = await makeWhatsappSender(world.kernel, company.account_id);
  expect(await take([notice()], other.connection_id)).toBe(0);
  expect(await take([notice({ external_id: 'nobody' })])).toBe(0);
  expect((await now()).status).toBe('IN_PROCESS');
  expect(await take([notice(), notice({ status: 'CANCELED', reason: 'SCAM' })])).toBe(1);
  expect((await now()).reason?.code).toBe('SCAM');
});

test('a word about an earlier revision changes nothing', async () => {
  await take([notice({ status: 'CANCELED', reason: 'SCAM' })]);
  const changed = await world.as(company.token).put(`/v1/templates/${id}`, {
    text: 'Dear {first_name:friend}, your order is on its way.',
    samples: ['Ann'],
  });
  expect(changed.body.data).toMatchObject({ status: 'IN_PROCESS', reason: null });
  expect(await take([notice()])).toBe(0);
  expect((await now()).status).toBe('IN_PROCESS');
});

test('what WhatsApp keeps is not changed here either; two senders of one business account share their templates', async () => {
  await take([notice()]);
  const api = world.as(company.token);
  const renamed = await api.put(`/v1/templates/${id}`, { name: 'another', samples: ['Ann'] });
  expect(renamed.body.errors[0]).toMatchObject({
    code: 1259,
    field: 'name',
    message: expect.stringContaining('Copy it'),
  });
  const { demandTemplate } = await import('./templates.ts');
  const twin = await makeWhatsappSender(world.kernel, company.account_id, { connection_id });
  const apart = await makeWhatsappSender(world.kernel, company.account_id);
  const demand = (sender: string) =>
    demandTemplate(world.kernel.db, company.account_id, id, 'WHATSAPP', { id: sender });
  expect(await demand(twin.sender_id)).toMatchObject({ id, external_id });
  await expect(demand(apart.sender_id)).rejects.toMatchObject({ code: 1549 });
  await take([notice({ paused: true, reason: 'DISABLED' })]);
  await expect(demand(sender_id)).rejects.toMatchObject({ code: 1549 });
});

test('asking how things stand: only so often', async () => {
  const api = world.as((await makeCompany(world.kernel)).token);
  expect((await api.post('/v1/template_syncs', {})).body.data).toEqual({ checked: 0, changed: 0, failed: [] });
  const again = await api.post('/v1/template_syncs', {});
  expect([again.status, again.body.errors[0].code, again.headers.get('retry-after')]).toEqual([429, 1903, '30']);
  const rows = await world.kernel.db.rows(sql`select 1 from template_syncs`);
  expect(rows).toHaveLength(1);
});
