/** Sending and checking verification codes: every refusal, single use, limits, stops, and figures. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { CHAT_PRICES, type ChatSender, makeChatSender } from '../test/chat.ts';
import { createGate, type Gate, PRICE } from '../test/gate.ts';
import { textTo } from '../test/mailbox.ts';
import { makeCompany, makeSender, testNumber } from '../test/make.ts';
import { makeTemplate } from '../test/templates.ts';
import { expireAll } from './jobs.ts';

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';

let gate: Gate;
let whatsapp: ChatSender;
let viber: ChatSender;
/** The ids of templates by name. */
let templates: Record<'sms' | 'plain' | 'whatsapp' | 'utility' | 'viber', string>;
let next = 500;
/** Each test sends to its own phone. */
let phone: string;

beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew(10_000_000);
  phone = testNumber(next++);
  const { kernel } = gate.world;
  const { account_id } = gate.company;
  whatsapp = await makeChatSender(kernel, account_id, 'WHATSAPP');
  viber = await makeChatSender(kernel, account_id, 'VIBER');
  const own = { channel: 'WHATSAPP', sender_id: whatsapp.sender_id, external_id: '1' } as const;
  templates = {
    sms: await makeTemplate(kernel, account_id, { text: 'Your code: {code}' }),
    plain: await makeTemplate(kernel, account_id, { text: 'No code here' }),
    whatsapp: await makeTemplate(kernel, account_id, {
      ...own,
      text: '{code} is your verification code.',
      wa_category: 'AUTHENTICATION',
    }),
    utility: await makeTemplate(kernel, account_id, { ...own, text: 'It is {code}, really' }),
    viber: await makeTemplate(kernel, account_id, { channel: 'VIBER', text: 'Code {code}' }),
  };
});

const sms = (fields: object = {}) => ({ channel: 'SMS', sender: gate.code, phone, code_length: 6, ...fields });
const send = (fields: object = {}) => gate.api.post('/v1/verifications', sms(fields));
const check = (number: string, code: string) => gate.api.get(`/v1/verifications?phone=${number}&code=${code}`);
const codeTo = async (number: string) => /\d{4,8}/.exec((await textTo(gate.world.kernel, number)).text)![0];
const wrong = (code: string) => (code === '0000' ? '1111' : '0000');

/** `W`, `V`, and the names of templates stand for objects that exist only during the test. */
function resolve(fields: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = { W: whatsapp.sender_id, V: viber.sender_id, ...templates };
  const read = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(read)
      : value && typeof value === 'object'
        ? resolve(value as Record<string, unknown>)
        : (typeof value === 'string' && values[value]) || value;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, name === 'channel' ? value : read(value)]),
  );
}

const step = (fields: object = {}) => ({
  ...{ channel: 'WHATSAPP', sender: 'W', template: 'whatsapp', threshold: 120 },
  ...fields,
});

describe('a verification is refused when', () => {
  test.each<[string, Record<string, unknown>, number, string]>([
    ['the channel is unknown', { channel: 'pigeon' }, 1515, 'channel'],
    ['the channel cannot send codes here', { channel: 'telegram' }, 1515, 'channel'],
    ['the kind of voice call is not available', { channel: 'voice', voice_type: 'flash_call' }, 1515, 'channel'],
    ['the email address is missing', { channel: 'email' }, 1619, 'email'],
    ['the sender is missing', { sender: undefined }, 1620, 'sender'],
    ['the sender is unknown', { sender: 'Nobody' }, 1505, 'sender'],
    ['the phone is missing', { phone: '' }, 1621, 'phone'],
    ['the phone is not a number', { phone: '12ab' }, 1523, 'phone'],
    ['a Telegram phone has no country code', { channel: 'telegram', phone: '07400 000001' }, 1648, 'phone'],
    ['the template is missing', { channel: 'viber', sender: 'V' }, 1622, 'template'],
    ['the template has no valid ID', { template: 'first' }, 1512, 'template'],
    ['the template is unknown', { template: UNKNOWN }, 1513, 'template'],
    ['the template has no placeholder for a code', { template: 'plain' }, 1624, 'template'],
    ['the template belongs to another channel', { template: 'viber' }, 1628, 'template'],
    ['the template has another category', { channel: 'whatsapp', sender: 'W', template: 'utility' }, 2360, 'template'],
    ['neither a code nor a length is given', { code_length: undefined }, 1629, 'code'],
    ['both a code and a length are given', { code: '1234' }, 1629, 'code'],
    ['the length is too small', { code_length: 3 }, 1623, 'code_length'],
    ['the length is too large', { code_length: '9' }, 1623, 'code_length'],
    ['the length is not a number', { code_length: 'six' }, 1623, 'code_length'],
    ['the code is too short', { code_length: undefined, code: '123' }, 1631, 'code'],
    ['the code is too long', { code_length: undefined, code: '123456789' }, 1631, 'code'],
    ['the code has letters', { code_length: undefined, code: '12a4' }, 1632, 'code'],
    [
      'the time to live is not a number',
      { channel: 'viber', sender: 'V', template: 'viber', ttl_in_seconds: 'long' },
      1640,
      'ttl_in_seconds',
    ],
    ['a voice call has a time to live', { channel: 'VOICE', ttl_in_seconds: 60 }, 1641, 'ttl_in_seconds'],
    ['an SMS has a time to live', { ttl_in_seconds: 60 }, 1642, 'ttl_in_seconds'],
    [
      'a WhatsApp message has one',
      { channel: 'WHATSAPP', sender: 'W', template: 'whatsapp', ttl_in_seconds: 60 },
      1643,
      'ttl_in_seconds',
    ],
    [
      'it is too short for Viber',
      { channel: 'viber', sender: 'V', template: 'viber', ttl_in_seconds: 29 },
      1644,
      'ttl_in_seconds',
    ],
    [
      'it is too long for Viber',
      { channel: 'viber', sender: 'V', template: 'viber', ttl_in_seconds: '61' },
      1645,
      'ttl_in_seconds',
    ],
    ['the channel has no time to live', { channel: 'g_rcs', ttl_in_seconds: 60 }, 1646, 'ttl_in_seconds'],
    ['it is too short for Telegram', { channel: 'telegram', ttl_in_seconds: 59 }, 1647, 'ttl_in_seconds'],
    ['it is too long for Telegram', { channel: 'telegram', ttl_in_seconds: 86_401 }, 1649, 'ttl_in_seconds'],
    ['the list of fallbacks is empty', { fallback: [] }, 1634, 'fallback'],
    ['it has six fallbacks', { fallback: Array(6).fill(step()) }, 1634, 'fallback'],
    ['a fallback has no template', { fallback: [step({ template: undefined })] }, 1635, 'fallback.0.template'],
    ['a fallback has the main channel', { fallback: [step({ channel: 'sms' })] }, 1636, 'fallback.0.channel'],
    ['a fallback is repeated', { fallback: [step(), step()] }, 1637, 'fallback.1.channel'],
    ['a threshold is too short', { fallback: [step({ threshold: 119 })] }, 1638, 'fallback.0.threshold'],
    ['a threshold is too long', { fallback: [step({ threshold: 301 })] }, 1638, 'fallback.0.threshold'],
    ['a fallback has no sender', { fallback: [step({ sender: undefined })] }, 1639, 'fallback.0.sender'],
    [
      'a fallback cannot send codes here',
      { fallback: [{ channel: 'telegram', threshold: 120 }] },
      1515,
      'fallback.0.channel',
    ],
    ['the sender of a fallback is unknown', { fallback: [step({ sender: 'Nobody' })] }, 1505, 'fallback.0.sender'],
    ['a fallback is not an object', { fallback: ['sms'] }, 1705, 'fallback'],
    ['a field is unknown', { speed: 1 }, 1705, 'speed'],
    ['the IP address is not valid', { ip_address: '300.1.1.1' }, 2365, 'ip_address'],
  ])('%s', async (_, fields, code, field) => {
    const { body } = await send(resolve(fields));
    const found = body.errors?.find((error: { code: number }) => error.code === code);
    expect(found && [found.code, found.field]).toEqual([code, field]);
    await gate.expectNoMessages();
  });

  test('the sender is blocked', async () => {
    const { sender_id } = await makeSender(gate.world.kernel, gate.company.account_id, { status: 'canceled' });
    const { status, body } = await send({ sender: sender_id });
    expect([status, body.errors[0].code, body.errors[0].field]).toEqual([403, 1625, 'sender']);
  });

  test('the body is not wrapped', async () => {
    const body = JSON.stringify(sms());
    const reply = await gate.api.raw('/v1/verifications', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.body.errors[0].code).toBe(1007);
  });
});

test('a code is sent by SMS without a channel, and the response has the old field names and no code', async () => {
  const { status, body } = await send({ channel: null, code_length: '4' });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ phone, channel: 'SMS', country: 'GB', status: 'pending', attempts: 0 });
  const seconds = (Date.parse(`${body.data.expire_date}Z`) - Date.parse(`${body.data.create_date}Z`)) / 1_000;
  expect(seconds).toBe(600);
  const code = await codeTo(phone);
  expect(code).toMatch(/^\d{4}$/);
  expect(JSON.stringify(body)).not.toContain(`"${code}"`);
  const message = (await gate.api.get(`/v1/messages/${body.data.message_id}`)).body.data;
  expect(message).toMatchObject({ source: 'verification', verification_status: 'pending', price_micros: PRICE });
  expect(message.text).toMatch(/^\*{4} is your Company \w+ verification code\.$/);
  await gate.expectSound();
});

test('a code is accepted only once', async () => {
  const { body } = await send();
  const code = await codeTo(phone);
  expect((await check(phone, wrong(code))).body.data).toEqual([]);
  const right = await check(`%2B${phone}`, code);
  expect([right.status, right.body.data.length]).toEqual([200, 1]);
  expect(right.body.data[0]).toMatchObject({ id: body.data.id, status: 'verified', attempts: 2 });
  expect((await check(phone, code)).body.data).toEqual([]);
  const log = await gate.api.get('/v1/messages?filter[verification_statuses]=verified');
  expect(log.body.data.map(({ id }: { id: string }) => id)).toEqual([body.data.message_id]);
  const { count } = await gate.world.kernel.db.one<{ count: number }>(sql`
    select count(*)::int as count from events
    where account_id = ${gate.company.account_id} and type = 'verification.changed'`);
  expect(count).toBe(1);
});

test('exactly one of 32 simultaneous checks succeeds', async () => {
  await send();
  const code = await codeTo(phone);
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, at) =>
      at % 2 === 0 ? check(phone, code) : gate.api.post('/v1/verification_checks', { phone, code }),
    ),
  );
  const successes = replies.filter(({ body }) => (body.pagination ? body.data.length > 0 : body.data.verified));
  expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  expect(successes.length).toBe(1);
});

test('a code is void after five wrong attempts, even if they arrive at the same time', async () => {
  await send();
  const code = await codeTo(phone);
  await Promise.all(Array.from({ length: 5 }, () => check(phone, wrong(code))));
  expect((await check(phone, code)).body.data).toEqual([]);
  const { body } = await gate.api.get('/v1/verifications/log');
  expect(body.data[0]).toMatchObject({ status: 'failed', attempts: 5 });
});

test('a code is rejected after it expires', async () => {
  const [first, second] = [testNumber(next++), testNumber(next++)];
  await send({ phone: first });
  await send({ phone: second });
  const code = await codeTo(first);
  await gate.world.kernel.db.run(sql`
    update sent_codes set expire_date = now() - interval '1 second' where account_id = ${gate.company.account_id}`);
  expect((await check(first, code)).body.data).toEqual([]);
  await expireAll(gate.world.kernel.db);
  const { body } = await gate.api.get('/v1/verifications/log?filter[statuses]=expired');
  expect(body.data.map((row: { phone: string }) => row.phone).sort()).toEqual([first, second].sort());
  expect((await gate.api.get('/v1/messages?filter[verification_statuses]=expired')).body.data.length).toBe(2);
});

test('your own code is checked like any other', async () => {
  await send({ code_length: undefined, code: 4321 });
  expect((await textTo(gate.world.kernel, phone)).text).toContain('4321');
  expect((await check(phone, '4321')).body.data.length).toBe(1);
});

test('a code belongs to its account', async () => {
  await send();
  const stranger = gate.world.as((await makeCompany(gate.world.kernel)).token);
  const code = await codeTo(phone);
  expect((await stranger.get(`/v1/verifications?phone=${phone}&code=${code}`)).body.data).toEqual([]);
  expect((await stranger.get('/v1/verifications/log')).body.data).toEqual([]);
  expect((await check(phone, code)).body.data.length).toBe(1);
});

test('a check requires a phone number and a code', async () => {
  expect((await gate.api.get('/v1/verifications?code=1234')).body.errors[0].code).toBe(1621);
  expect((await gate.api.get(`/v1/verifications?phone=${phone}`)).body.errors[0].code).toBe(2363);
});

test('the standard text has the brand and the language of the request', async () => {
  await send({ brand: 'Harbour', locale: 'de-AT' });
  expect((await textTo(gate.world.kernel, phone)).text).toMatch(/^\d{6} ist dein Bestätigungscode für Harbour\.$/);
});

test('codes on every channel are priced by their purpose and stored masked', async () => {
  const [first, second] = [testNumber(next++), testNumber(next++)];
  const wa = await send(resolve({ channel: 'whatsapp', sender: 'W', template: 'whatsapp', phone: first }));
  const vi = await send(
    resolve({
      channel: 'viber',
      sender: 'V',
      template: 'viber',
      phone: second,
      ttl_in_seconds: '30',
      code: '9876',
      code_length: undefined,
    }),
  );
  expect([wa.status, vi.status]).toEqual([201, 201]);
  const read = async (id: string) => (await gate.api.get(`/v1/messages/${id}`)).body.data;
  const [whatsapp_message, viber_message] = [await read(wa.body.data.message_id), await read(vi.body.data.message_id)];
  expect(whatsapp_message).toMatchObject({ price_micros: CHAT_PRICES.WHATSAPP.authentication, variables: ['******'] });
  expect(viber_message).toMatchObject({ price_micros: CHAT_PRICES.VIBER.transactional, text: 'Code ****' });
  const rows = await gate.world.kernel.db.rows<{ row: string }>(sql`
    select to_jsonb(m)::text || to_jsonb(d)::text as row from messages m join dispatch d using (account_id)
    where m.account_id = ${gate.company.account_id}`);
  expect(rows.filter(({ row }) => row.includes('"9876"'))).toEqual([]);
  await gate.expectSound();
});

describe('limits', () => {
  test('a second code must wait, and the first stays valid', async () => {
    await send();
    const code = await codeTo(phone);
    const { status, body, headers } = await send();
    expect([status, body.errors[0].code]).toEqual([409, 1167]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(20);
    expect((await check(phone, code)).body.data.length).toBe(1);
  });

  test('a later code replaces the first', async () => {
    const first = (await send()).body.data;
    const code = await codeTo(phone);
    await age(60);
    expect((await send()).status).toBe(201);
    expect((await check(phone, code)).body.data).toEqual([]);
    const message = (await gate.api.get(`/v1/messages/${first.message_id}`)).body.data;
    expect(message.verification_status).toBe('replaced');
  });

  test('a phone gets at most five codes per hour', async () => {
    for (let sent = 0; sent < 5; sent++) {
      expect((await send()).status).toBe(201);
      await age(300);
    }
    const { status, body } = await send();
    expect([status, body.errors[0].code]).toEqual([429, 2361]);
  });

  test('one IP address cannot request codes for many phones', async () => {
    const limit = gate.world.kernel.config.PHONE_CODES_ADDRESS_HOUR;
    const ip_address = '203.0.113.7';
    await send({ ip_address });
    await copyCode(limit);
    expect((await send({ phone: testNumber(next++), ip_address })).body.errors[0].code).toBe(2361);
    expect((await send({ phone: testNumber(next++), ip_address: '198.51.100.7' })).status).toBe(201);
  });

  const age = (seconds: number) =>
    gate.world.kernel.db.run(sql`
      update sent_codes set create_date = create_date - make_interval(secs => ${seconds})
      where account_id = ${gate.company.account_id}`);
  const copyCode = (times: number) =>
    gate.world.kernel.db.run(sql`
      insert into sent_codes (account_id, id, message_id, channel, phone, country, range, neighbors, code_hash,
                              own_code, address, network, status, create_date, expire_date)
      select account_id, gen_random_uuid(), message_id, channel, phone || n, country, range, neighbors || n, code_hash,
             own_code, address, network, 'expired', create_date, expire_date
      from sent_codes, generate_series(1, ${times}::int) n where account_id = ${gate.company.account_id}`);
});

describe('stops', () => {
  const count = (kind: string, place: string, sent: number, verified: number) =>
    gate.world.kernel.db.run(sql`
      insert into code_counts (account_id, kind, place, hour, channel, sent, verified)
      values (${gate.company.account_id}, ${kind}, ${place}, date_trunc('hour', now(), 'UTC'), 'SMS', ${sent},
              ${verified})`);

  test('a surge of unused codes stops a number range until a user allows it', async () => {
    const range = phone.slice(0, -6);
    await count('range', range, gate.world.kernel.config.PHONE_CODES_RANGE_STOP, 0);
    expect((await send()).status).toBe(201);
    const neighbor = `${range}123456`;
    const refused = await send({ phone: neighbor });
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 2362]);
    const [stop] = (await gate.api.get('/v1/verifications/stops')).body.data;
    expect(stop).toMatchObject({ kind: 'range', place: range, country: 'GB', usual: 0 });
    const stranger = gate.world.as((await makeCompany(gate.world.kernel)).token);
    expect((await stranger.delete(`/v1/verifications/stops/${stop.id}`)).body.errors[0].code).toBe(2364);
    expect((await gate.api.delete(`/v1/verifications/stops/${stop.id}`)).status).toBe(204);
    expect((await gate.api.delete(`/v1/verifications/stops/${stop.id}`)).status).toBe(404);
    expect((await send({ phone: neighbor })).status).toBe(201);
    expect((await gate.api.get('/v1/verifications/stops')).body.data).toEqual([]);
  });

  test('codes that people enter do not stop a country', async () => {
    await count('country', 'GB', 1_000, 700);
    await send();
    expect((await gate.api.get('/v1/verifications/stops')).body.data).toEqual([]);
  });

  test('a stop of another account has no effect', async () => {
    const other = gate.company.account_id;
    await count('country', 'GB', 1_000, 0);
    await send();
    await gate.renew();
    expect((await send()).status).toBe(201);
    await gate.world.kernel.db.run(sql`delete from account_code_stops where account_id = ${other}`);
  });
});

test('the conversion counts codes that were sent and entered, by day, country, and channel', async () => {
  await send();
  await check(phone, await codeTo(phone));
  await send({ phone: testNumber(next++) });
  const { body } = await gate.api.get('/v1/verifications/conversion?days=7');
  expect(body.data.total).toEqual({ sent: 2, verified: 1 });
  expect(body.data.by_day.length).toBe(7);
  expect(body.data.by_day.at(-1)).toMatchObject({ sent: 2, verified: 1 });
  expect(body.data.by_country).toEqual([{ country: 'GB', sent: 2, verified: 1 }]);
  expect(body.data.by_channel).toEqual([{ channel: 'SMS', sent: 2, verified: 1 }]);
});

test('a repeated request with the same key sends one code', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const [first, second] = [
    await gate.api.post('/v1/verifications', sms(), headers),
    await gate.api.post('/v1/verifications', sms(), headers),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.data.id).toBe(first.body.data.id);
  expect(await gate.count('messages')).toBe(1);
});
