/** End-to-end tests of fallbacks: WhatsApp and Viber over HTTP, SMS over SMPP, with killed and competing workers. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender } from '../../test/chat.ts';
import { endGrace, LONG, setGrace } from '../../test/grace.ts';
import {
  type HttpCarrier,
  sendViberCallback,
  sendWhatsappCallback,
  startHttpCarrier,
} from '../../test/http_carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../../test/make.ts';
import { isSoak } from '../../test/soak/soak.ts';
import { makeTemplate } from '../../test/templates.ts';
import { startWorkerProcess, type WorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

let world: World;
let http: HttpCarrier;
let phones: Carrier;
let company: Company;
let viber: ChatSender;
let whatsapp: ChatSender;
let template: string;
let code: string;
let api: Caller;
let connection_id: string;
let next = 70_000;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  http = await startHttpCarrier();
  world = await createWorld({ role: 'api', sandbox: true });
  phones = openCarrier(world);
  ({ connection_id } = await makeCarrier(world.kernel, { port: world.sandbox!.smpp }));
});
afterAll(async () => {
  await world?.stop();
  await http?.stop();
});
beforeEach(async () => {
  await world.kernel.db.run(sql`update connections set enabled = false where adapter <> 'smpp'`);
  company = await makeCompany(world.kernel);
  const settings = { base_url: http.url, timeout_ms: 5_000 };
  viber = await makeChatSender(world.kernel, company.account_id, 'VIBER', { settings });
  whatsapp = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP', { settings });
  template = await makeTemplate(world.kernel, company.account_id, {
    ...{ channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '1' },
  });
  ({ code } = await makeSender(world.kernel, company.account_id));
  api = world.as(company.token);
  http.requests.length = 0;
  http.script.length = 0;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const worker = async (settings: Record<string, string> = {}) => {
  const process = await startWorkerProcess(world, settings);
  workers.push(process);
  return process;
};
/** Sends by Viber, with SMS as the default fallback. */
async function send(to: readonly string[], fallbacks: readonly object[] = [sms()]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < to.length; from += 10) {
    const batch = to.slice(from, from + 10);
    const fields = { from: viber.sender_id, to: batch, channel: 'VIBER', text: 'By Viber', fallbacks };
    const reply = await api.post('/v1/messages', fields);
    if (reply.status !== 200) throw new Error(reply.text);
    ids.push(...reply.body.data.map(({ id }: { id: string }) => id));
  }
  return ids;
}
const sms = () => ({ channel: 'SMS', from: code, text: 'By SMS', trigger: 'undelivered', wait_seconds: 3_600 });
const byTemplate = () => ({
  channel: 'WHATSAPP',
  from: whatsapp.sender_id,
  template,
  variables: ['Anna'],
  trigger: 'failed',
});
const detail = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const waitForStatus = (id: string, status: string, channel: string) =>
  until(`it is ${status} on ${channel}`, async () => {
    const message = await detail(id);
    return message.status === status && message.channel === channel;
  });
const countWith = async (status: string, channel: string) =>
  (
    await world.kernel.db.one<{ n: number }>(sql`
      select count(*)::int as n from messages
      where account_id = ${company.account_id} and status = ${status} and channel = ${channel}`)
  ).n;
/** Moves the time at which the carriers accepted the messages one hour into the past. */
const skipAnHour = () =>
  world.kernel.db.run(sql`
    update fallbacks set due_date = due_date - interval '1 hour', steps = (
      select jsonb_agg(step || jsonb_build_object(
        'handed', (step->>'handed')::float8 - 3600000,
        'queued', (step->>'queued')::float8 - 3600000) order by n)
      from jsonb_array_elements(steps) with ordinality as l(step, n))
    where due_date is not null`);
const numbers = (count: number) => Array.from({ length: count }, () => testNumber(next++));
async function expectOnceEach(expected: readonly string[]): Promise<void> {
  const texts = (await phones.accepted()).filter(({ to }) => expected.includes(to));
  expect(texts.map(({ to }) => to).sort()).toEqual(expected.toSorted());
  expect(
    http
      .messages()
      .map(({ dest }) => dest)
      .sort(),
  ).toEqual(expected.toSorted());
}
const expectSound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

test('a message is delivered by SMS and lists every step when Viber and WhatsApp fail', async () => {
  await worker();
  http.script.push(
    { body: { status: 9 } },
    { status: 400, body: { error: { code: 131026, message: 'Undeliverable' } } },
  );
  const [to] = numbers(1) as [string];
  const [id] = (await send([to], [byTemplate(), sms()])) as [string];
  await waitForStatus(id, 'delivered', 'SMS');
  const messageDetail = await detail(id);
  expect(messageDetail).toMatchObject({
    from: code,
    text: 'By SMS',
    content: null,
    charge: 'settled',
    price_micros: 40_000,
    attempts: 3,
  });
  expect(messageDetail.fallbacks).toMatchObject([
    { channel: 'VIBER', state: 'passed_on', reason: 'The recipient does not use Viber', status: 'rejected' },
    { channel: 'WHATSAPP', state: 'passed_on', status: 'rejected' },
    { channel: 'SMS', state: 'in_effect', reason: null, status: 'delivered' },
  ]);
  expect((await phones.phone(to)).map(({ text }) => text)).toEqual(['By SMS']);
  await expectSound();
});

test('a message moves to its fallback after a late failure, and the first carrier’s reports still match', async () => {
  await worker();
  const [to] = numbers(1) as [string];
  const reply = await api.post('/v1/messages', {
    ...{ from: whatsapp.sender_id, to, channel: 'WHATSAPP', template, variables: ['Anna'] },
    fallbacks: [{ channel: 'VIBER', from: viber.sender_id, text: 'By Viber', trigger: 'failed' }],
  });
  const { id } = reply.body.data[0];
  await waitForStatus(id, 'sent', 'WHATSAPP');
  const [external_id] = (await detail(id)).external_ids;
  const sendStatus = (status: string, fields: object = {}) =>
    sendWhatsappCallback(world, whatsapp, {
      statuses: [
        { id: external_id, status, timestamp: String(Math.floor(Date.now() / 1_000)), recipient_id: to, ...fields },
      ],
    });
  await sendStatus('failed', { errors: [{ code: 131026, title: 'Undeliverable' }] });
  await until('Viber has the message', async () => (await detail(id)).external_ids.length === 2);
  const token = (await detail(id)).external_ids.find((candidate: string) => candidate !== external_id);
  const fields = `"phone_number":"${to}","service_id":${viber.address},"message_time":${Date.now()}`;
  expect(await sendViberCallback(world, viber, `{${fields},"message_token":${token},"message_status":0}`)).toBe(200);
  expect(await detail(id)).toMatchObject({
    ...{ status: 'delivered', channel: 'VIBER', charge: 'settled', price_micros: CHAT_PRICES.VIBER.promotional },
  });
  expect(await sendStatus('read')).toBe(200);
  expect(await detail(id)).toMatchObject({
    status: 'read',
    channel: 'VIBER',
    price_micros: CHAT_PRICES.VIBER.promotional,
  });
  await expectSound();
});

test('two workers send each step once when they check for due messages concurrently', async () => {
  await Promise.all([worker(), worker()]);
  const expected = numbers(60);
  await send(expected);
  await until('Viber has all messages', async () => (await countWith('sent', 'VIBER')) === 60);
  await skipAnHour();
  await until('all messages arrived by SMS', async () => (await countWith('delivered', 'SMS')) === 60);
  await expectOnceEach(expected);
  await expectSound();
});

const FAILPOINTS = [
  'before_pass_commit',
  'after_pass_commit',
  'after_claim',
  'after_submitting_commit',
  'after_socket_write',
];
// `npm run soak` kills a worker at each failpoint separately.
const series: readonly [string, readonly string[]][] = isSoak
  ? FAILPOINTS.map((name) => [`failpoint ${name}`, [name]])
  : [['every failpoint in turn', FAILPOINTS]];
test.each(series)(
  'a worker that dies at %s is replaced, and each phone receives each step once',
  { timeout: 300_000 },
  async (_, failpoints) => {
    const first = await worker();
    const count = 60;
    const expected = numbers(count);
    await send(expected);
    await until('Viber has all messages', async () => (await countWith('sent', 'VIBER')) === count);
    await first.stop();
    await skipAnHour();
    for (const FAILPOINT of failpoints) {
      const victim = await worker({ FAILPOINT });
      expect(await victim.ended, FAILPOINT).toEqual({ code: null, signal: 'SIGKILL' });
    }
    await worker();
    await until(
      'each message is sent by SMS',
      async () => (await countWith('enroute', 'VIBER')) + (await countWith('sent', 'VIBER')) === 0,
    );
    await endGrace(world, phones, connection_id);
    await until('all messages arrived by SMS', async () => (await countWith('delivered', 'SMS')) === count);
    await setGrace(world, connection_id, LONG);
    await expectOnceEach(expected);
    await expectSound();
  },
);
