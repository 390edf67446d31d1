/** Tests template reviews with the real adapter and the sandbox, which reviews templates as WhatsApp does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { makeMedia } from '../test/media.ts';
import { makeTemplate } from '../test/templates.ts';
import { makeWhatsappSender } from '../test/whatsapp_senders.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';
import { submit } from './carrier_review.ts';
import { compare } from './compare.ts';
import { getTemplate } from './templates.ts';

const WABA = '2000000001';
let world: World;
let company: Company;
let owner: Caller;
let sender: { connection_id: string; sender_id: string; code: string };

const buildSettings = (base_url: string) => ({
  base_url,
  access_token: 'sandbox-whatsapp-token',
  app_secret: 'sandbox-app-secret',
  app_id: '1000000001',
  waba_id: WABA,
  timeout_ms: 10_000,
});

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  sender = await makeWhatsappSender(world.kernel, company.account_id, {
    settings: buildSettings(`${world.sandbox!.url}/graph/v25.0`),
  });
  await sandbox('PUT', '/api/whatsapp', { review_delay_ms: 50 });
});
afterAll(() => world?.stop());

async function sandbox<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(world.sandbox!.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-whatsapp-token' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
interface AtWhatsApp {
  id: string;
  name: string;
  status: string;
  category: string;
  components: { type: string; format?: string; text?: string; example?: object; buttons?: object[] }[];
}
const atWhatsApp = async (name: string): Promise<AtWhatsApp | undefined> =>
  (
    await sandbox<{ data: AtWhatsApp[] }>('GET', `/graph/v25.0/${WABA}/message_templates?name=${name}&limit=50`)
  ).data.find((item) => item.name === name);
const readTemplate = (id: string, account_id = company.account_id) => getTemplate(world.kernel.db, account_id, id);
const readRow = (id: string) =>
  world.kernel.db.one<{ tried: number; submitted: number; revision: number }>(
    sql`select tried, submitted, revision from templates where id = ${id}`,
  );
/** Waits until the sandbox has decided, then compares the states. */
const waitForStatus = (id: string, name: string, status: string) =>
  until(
    `${name} ${status}`,
    async () => {
      if (
        (await readTemplate(id)).external_id === null ||
        !['APPROVED', 'REJECTED'].includes((await atWhatsApp(name))?.status ?? '')
      )
        return false;
      await compare(world.kernel, sender.connection_id);
      return (await readTemplate(id)).status === status;
    },
    30_000,
  );

test('a template is submitted with its file and examples, approved, edited, reapproved, and removed', async () => {
  const media = await makeMedia(world, company.token);
  const body = {
    channel: 'WHATSAPP',
    name: 'order_ready',
    wa_category: 'UTILITY',
    wa_sender_code: `+${sender.code}`,
    type: 'image',
    media_id: media.id,
    text: 'Dear {first_name:friend}, order {order} is ready.',
    footer: 'Harbour Coffee',
    buttons: [{ type: 'quick_reply', text: 'On my way' }],
    samples: ['Ann', '1204'],
  };
  const { status, body: answer, text } = await owner.post('/v1/templates', body);
  expect(status, text).toBe(201);
  const { id } = answer.data;
  expect(answer.data).toMatchObject({ status: 'IN_PROCESS', wa_sender_code: sender.code, external_id: null });
  await waitForStatus(id, 'order_ready', 'COMPLETED');
  const listed = (await atWhatsApp('order_ready'))!;
  expect(listed.category).toBe('UTILITY');
  expect(listed.components.map(({ type }) => type)).toEqual(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
  expect(listed.components[1]).toMatchObject({
    text: 'Dear {{1}}, order {{2}} is ready.',
    example: { body_text: [['Ann', '1204']] },
  });
  const { external_id } = await readTemplate(id);
  expect(external_id).toBe(listed.id);

  const update = await owner.put(`/v1/templates/${id}`, {
    text: 'Hello {first_name:friend}, order {order} is waiting for you.',
  });
  expect(update.body.data).toMatchObject({ status: 'IN_PROCESS', external_id });
  await until(
    'the sandbox has the change',
    async () => ((await atWhatsApp('order_ready'))?.components[1]?.text ?? '').startsWith('Hello {{1}}'),
    30_000,
  );
  await until('the template is submitted', async () => (await readRow(id)).submitted === 2);
  await waitForStatus(id, 'order_ready', 'COMPLETED');
  expect((await readTemplate(id)).external_id).toBe(external_id);

  expect((await owner.delete(`/v1/templates/${id}`)).status).toBe(204);
  await until(
    'the template is removed at WhatsApp',
    async () => (await atWhatsApp('order_ready')) === undefined,
    30_000,
  );
});

test('a template is canceled with a reason when WhatsApp rejects, refuses, or deletes it', async () => {
  const text = 'Dear {first_name:friend}, your order is ready.';
  const make = async (name: string) => {
    const body = {
      channel: 'WHATSAPP',
      name,
      wa_category: 'UTILITY',
      wa_sender_code: sender.code,
      text,
      samples: ['Ann'],
    };
    return (await owner.post('/v1/templates', body)).body.data.id as string;
  };
  const rejected = await make('order_reject_promotional');
  await waitForStatus(rejected, 'order_reject_promotional', 'CANCELED');
  expect((await readTemplate(rejected)).reason).toMatchObject({
    code: 'PROMOTIONAL',
    advice: expect.stringContaining('Marketing'),
  });

  // The template belongs to another company on the same business account.
  await sandbox('POST', `/graph/v25.0/${WABA}/message_templates`, {
    name: 'taken_there',
    language: 'en',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Theirs.' }],
  });
  const duplicate = await make('taken_there');
  await until('the template is refused', async () => (await readTemplate(duplicate)).status === 'CANCELED', 30_000);
  expect(await readTemplate(duplicate)).toMatchObject({
    external_id: null,
    reason: { text: expect.stringContaining('WhatsApp rejected the template'), advice: expect.any(String) },
  });

  const deleted = await make('soon_gone');
  await waitForStatus(deleted, 'soon_gone', 'COMPLETED');
  await sandbox('DELETE', `/graph/v25.0/${WABA}/message_templates?name=soon_gone`);
  await world.kernel.db.run(sql`update templates set update_date = now() - interval '1 minute' where id = ${deleted}`);
  const sync = await owner.post('/v1/template_syncs', {});
  expect(sync.body.data).toMatchObject({ checked: expect.any(Number), changed: 1, failed: [] });
  expect(await readTemplate(deleted)).toMatchObject({ status: 'CANCELED', reason: { code: 'DELETED' } });
});

test('a template is found by name and not submitted again when the response was lost', async () => {
  const name = 'unheard';
  const created = await sandbox<{ id: string }>('POST', `/graph/v25.0/${WABA}/message_templates`, {
    name,
    language: 'en',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello, your order is ready.' }],
  });
  const createTemplate = async (account_id: string, sender_id: string) => {
    const id = await makeTemplate(world.kernel, account_id, {
      channel: 'WHATSAPP',
      name,
      text: 'Hello, your order is ready.',
      status: 'IN_PROCESS',
      sender_id,
    });
    await world.kernel.db.run(sql`update templates set tried = 1 where id = ${id}`);
    return id;
  };
  const own_id = await createTemplate(company.account_id, sender.sender_id);
  await submit(world.kernel, { account_id: company.account_id, id: own_id, revision: 1 });
  expect((await readTemplate(own_id)).external_id).toBe(created.id);
  expect(await readRow(own_id)).toEqual({ tried: 1, submitted: 1, revision: 1 });

  const other = await makeCompany(world.kernel);
  const { sender_id } = await makeWhatsappSender(world.kernel, other.account_id, {
    connection_id: sender.connection_id,
  });
  const foreign_id = await createTemplate(other.account_id, sender_id);
  await submit(world.kernel, { account_id: other.account_id, id: foreign_id, revision: 1 });
  expect(await readTemplate(foreign_id, other.account_id)).toMatchObject({ status: 'CANCELED', external_id: null });
});

test('a submission fails and its template stays in review while WhatsApp is unavailable', async () => {
  const unreachable = await makeWhatsappSender(world.kernel, company.account_id, {
    settings: buildSettings('http://127.0.0.1:9/v25.0'),
  });
  const id = await makeTemplate(world.kernel, company.account_id, {
    channel: 'WHATSAPP',
    status: 'IN_PROCESS',
    sender_id: unreachable.sender_id,
    text: 'Hello, your order is ready.',
  });
  await expect(submit(world.kernel, { account_id: company.account_id, id, revision: 1 })).rejects.toThrow();
  expect(await readTemplate(id)).toMatchObject({ status: 'IN_PROCESS', external_id: null, reason: null });
  expect(await readRow(id)).toEqual({ tried: 1, submitted: 0, revision: 1 });
  // A submission of an old revision is ignored.
  await submit(world.kernel, { account_id: company.account_id, id, revision: 0 });
  // A comparison on another connection changes nothing.
  await compare(world.kernel, sender.connection_id);
  expect(await readTemplate(id)).toMatchObject({ status: 'IN_PROCESS', external_id: null, reason: null });
});

test('a template is canceled immediately when its sender is no longer on WhatsApp', async () => {
  const lostSender = await makeWhatsappSender(world.kernel, company.account_id);
  await world.kernel.db.run(sql`update senders set connection_id = null where id = ${lostSender.sender_id}`);
  const id = await makeTemplate(world.kernel, company.account_id, {
    channel: 'WHATSAPP',
    status: 'IN_PROCESS',
    sender_id: lostSender.sender_id,
  });
  await submit(world.kernel, { account_id: company.account_id, id, revision: 1 });
  expect(await readTemplate(id)).toMatchObject({ status: 'CANCELED', reason: { code: 'SENDER_GONE' } });
  expect((await owner.delete(`/v1/templates/${id}`)).status).toBe(204);
});

test('companies on the same connection share one template comparison but see only their own templates', async () => {
  const companies = await Promise.all(Array.from({ length: 3 }, () => makeCompany(world.kernel)));
  const [first, second, third] = companies as [Company, Company, Company];
  // The companies get their own connection, so that no job compares it in the meantime.
  const sharedSender = await makeWhatsappSender(world.kernel, first.account_id, {
    settings: buildSettings(`${world.sandbox!.url}/graph/v25.0`),
  });
  const makeUnknownTemplate = async ({ account_id }: Company) => {
    const { sender_id } = await makeWhatsappSender(world.kernel, account_id, {
      connection_id: sharedSender.connection_id,
    });
    const external_id = account_id;
    return makeTemplate(world.kernel, account_id, { channel: 'WHATSAPP', sender_id, external_id });
  };
  const sync = async ({ token }: Company) => (await world.as(token).post('/v1/template_syncs', {})).body.data;
  const { db } = world.kernel;
  const of_first = await makeUnknownTemplate(first);
  const of_second = await makeUnknownTemplate(second);
  await db.run(
    sql`update templates set update_date = now() - interval '1 minute' where id = any(${[of_first, of_second]})`,
  );
  expect(await sync(first)).toEqual({ checked: 1, changed: 1, failed: [] });
  expect((await readTemplate(of_first, first.account_id)).reason).toMatchObject({ code: 'DELETED' });
  expect((await readTemplate(of_second, second.account_id)).status).toBe('CANCELED');
  // Another company has just run a comparison, so its result is still valid.
  const of_third = await makeUnknownTemplate(third);
  await db.run(sql`update connection_syncs set date = now() where connection_id = ${sharedSender.connection_id}`);
  await db.run(sql`update templates set update_date = now() - interval '1 minute' where id = ${of_third}`);
  expect(await sync(third)).toEqual({ checked: 1, changed: 0, failed: [] });
  expect((await readTemplate(of_third, third.account_id)).status).toBe('COMPLETED');

  const lostCompany = await makeCompany(world.kernel);
  const { sender_id, connection_id } = await makeWhatsappSender(world.kernel, lostCompany.account_id, {
    settings: buildSettings('http://127.0.0.1:9/v25.0'),
  });
  await makeTemplate(world.kernel, lostCompany.account_id, { channel: 'WHATSAPP', sender_id });
  expect(await sync(lostCompany)).toEqual({
    checked: 0,
    changed: 0,
    failed: [{ sender: expect.any(String), text: 'WhatsApp could not be reached. Try again in a moment' }],
  });
  expect(await db.rows(sql`select 1 from connection_syncs where connection_id = ${connection_id}`)).toEqual([]);
});
