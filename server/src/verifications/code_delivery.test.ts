/** Codes reach phones over real connections, with their fallbacks, and are stored masked everywhere. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../test/carrier.ts';
import { type ChatSender, makeChatSender } from '../test/chat.ts';
import { type HttpCarrier, startHttpCarrier } from '../test/http_carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../test/make.ts';
import { makeTemplate } from '../test/templates.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';

let world: World;
let http: HttpCarrier;
let phones: Carrier;
let company: Company;
let whatsapp: ChatSender;
let template: string;
let code: string;
let api: Caller;

beforeAll(async () => {
  http = await startHttpCarrier();
  world = await createWorld({ role: 'all', sandbox: true });
  phones = openCarrier(world);
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp });
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
  whatsapp = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', {
    settings: { base_url: http.url, timeout_ms: 5_000 },
  });
  template = await makeTemplate(world.kernel, company.account_id, {
    ...{ channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '1' },
    ...{ text: '{code} is your verification code.', wa_category: 'AUTHENTICATION' },
  });
  ({ code } = await makeSender(world.kernel, company.account_id));
});
afterAll(async () => {
  await world?.stop();
  await http?.stop();
});

const send = async (phone: string) => {
  const reply = await api.post('/v1/verifications', {
    ...{ channel: 'WHATSAPP', sender: whatsapp.sender_id, template, phone, code: '271828' },
    fallback: [{ channel: 'SMS', sender: code, threshold: 120 }],
  });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.message_id as string;
};
/** Everything that the database stores about a message. */
const stored = async (id: string) =>
  JSON.stringify(
    await world.kernel.db.rows(sql`
      select to_jsonb(m) as row from messages m where id = ${id}
      union all select to_jsonb(f) from fallbacks f where message_id = ${id}
      union all select to_jsonb(d) from dispatch d where message_id = ${id}
      union all select to_jsonb(e.payload) from events e where account_id = ${company.account_id}`),
  );

test('WhatsApp gets the real code, and the database has only stars', async () => {
  const id = await send(testNumber(90_001));
  await until('WhatsApp has the message', () => http.messages().length === 1);
  expect(JSON.stringify(http.messages()[0])).toContain('"271828"');
  expect(await stored(id)).not.toContain('271828');
  expect(await stored(id)).toContain('******');
});

test('a fallback by SMS delivers the real code after WhatsApp fails, and the sealed texts are deleted', async () => {
  const phone = testNumber(90_002);
  http.script.push({ status: 400, body: { error: { code: 131026, message: 'Undeliverable' } } });
  const id = await send(phone);
  await until('the phone has the code', async () => (await phones.phone(phone)).length > 0);
  expect((await phones.phone(phone))[0]!.text).toMatch(/^271828 is your Company \w+ verification code\.$/);
  expect(await stored(id)).not.toContain('271828');
  const { sealed_steps } = await world.kernel.db.one<{ sealed_steps: string | null }>(sql`
    select sealed_steps from fallbacks where message_id = ${id}`);
  expect(sealed_steps).toBeNull();
  const { body } = await api.get(`/v1/verifications?phone=${phone}&code=271828`);
  expect(body.data).toMatchObject([{ message_id: id, status: 'verified' }]);
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});
