import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heldClock } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { textTo } from '../test/mailbox.ts';
import { type Company, makeCarrier, makeCompany, makeSender, makeUser } from '../test/make.ts';
import { picture } from '../test/media_files.ts';
import { ACCESS, attachAccess, attachAll } from '../test/senders.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

const clock = heldClock(new Date());
let world: World;
let company: Company;
let owner: Caller;
let next = 100;

beforeAll(async () => {
  world = await createWorld({ clock });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  const operator = await makeCompany(world.kernel, { operator: true });
  await makeSender(world.kernel, operator.account_id, { code: '447700900999' });
  company = await makeCompany(world.kernel);
  await world.kernel.db.run(
    sql`update accounts set company_name = 'Quartz  Works.com' where id = ${company.account_id}`,
  );
  owner = world.as(company.token);
});
afterAll(() => world.stop());

const codes = (reply: Reply): unknown[] =>
  (reply.body?.errors ?? []).map(({ code, field }: { code: number; field: string }) => [code, field]);
const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const begin = async (channel: string, caller = owner): Promise<string> => {
  const { status, body, text } = await caller.post('/v1/senders', { type: 'business', channel });
  if (status !== 201) throw new Error(text);
  return body.data.id;
};
const detail = async (id: string, caller = owner) => (await caller.get(`/v1/senders/${id}`)).body.data;
const submit = (id: string, caller = owner) => caller.post(`/v1/senders/${id}/requests`, {});
// Returns numbers that are far apart, because neighboring numbers share a limit on codes.
const freshNumber = () => `4474${String(++next).padStart(4, '0')}0100`;

test('unnamed drafts receive unique names, even when they are created concurrently', async () => {
  const other = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update accounts set company_name = 'Կոֆե ՍՊԸ' where id = ${other.account_id}`);
  const caller = world.as(other.token);
  const ids = await Promise.all([1, 2, 3].map(() => begin('VIBER', caller)));
  const names = await Promise.all(ids.map(async (id) => (await detail(id, caller)).name));
  expect(names.sort()).toEqual(['Կոֆե ՍՊԸ', 'Կոֆե ՍՊԸ 2', 'Կոֆե ՍՊԸ 3']);
  await world.kernel.db.run(sql`
    update senders set delete_date = now() where account_id = ${other.account_id} and name = 'Կոֆե ՍՊԸ'`);
  expect((await detail(await begin('VIBER', caller), caller)).name).toBe('Կոֆե ՍՊԸ');
});

test('a form is saved in parts, and the preflight check reports missing values', async () => {
  const id = await begin('WHATSAPP');
  expect(await detail(id)).toMatchObject({
    type: 'business',
    channel: 'WHATSAPP',
    kind: 'whatsapp',
    status: 'unregistered',
    editable: true,
    expected_days: [5, 7],
    documents: ['logo_640x640'],
    registration: { whatsapp: null, viber: null },
  });
  const putPart = (part: object) => owner.put(`/v1/senders/${id}/whatsapp`, part);
  const update = await putPart({ business_name: ' Harbour Coffee Ltd ', targeted_countries: ['de', 'DE', 'GB'] });
  expect(update.body.data.whatsapp).toEqual({ business_name: 'Harbour Coffee Ltd', targeted_countries: ['DE', 'GB'] });
  expect((await putPart({ business_industry: 7 })).body.data.whatsapp).toMatchObject({
    business_name: 'Harbour Coffee Ltd',
    business_industry: 7,
  });
  expect((await detail(id)).countries).toEqual(['DE', 'GB']);
  expect(code(await owner.put(`/v1/senders/${id}/viber`, { traffic: 'both' }))).toBe(1472);
  const findings = (await owner.get(`/v1/senders/${id}/preflight`)).body.data;
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        field: 'whatsapp.business_address',
        level: 'blocker',
        title: 'Business address is required',
      }),
      expect.objectContaining({ field: 'attachments.logo_640x640', code: 'logo_missing' }),
      expect.objectContaining({ field: 'whatsapp.business_name', code: 'name_not_company', level: 'warning' }),
    ]),
  );
  expect(code(await submit(id))).toBe(1476);
  expect((await detail(id)).status).toBe('unregistered');
});

describe('invalid values', () => {
  let id: { whatsapp: string; viber: string };
  beforeAll(async () => {
    id = { whatsapp: await begin('WHATSAPP'), viber: await begin('VIBER') };
  });
  test.each<['whatsapp' | 'viber', object, unknown[]]>([
    ['whatsapp', { business_name: '' }, [1458, 'business_name']],
    ['whatsapp', { business_name: 'x' }, [1445, 'business_name']],
    ['viber', { business_name_en: '' }, [1459, 'business_name_en']],
    ['viber', { business_name_en: 'Кофе' }, [1447, 'business_name_en']],
    ['whatsapp', { business_address: ' ' }, [1460, 'business_address']],
    ['whatsapp', { business_address: 'Kai' }, [1448, 'business_address']],
    ['viber', { business_description: '' }, [1461, 'business_description']],
    ['viber', { business_description: 'Coffee' }, [1449, 'business_description']],
    ['viber', { business_website: '' }, [1462, 'business_website']],
    ['viber', { business_website: 'harbour' }, [1450, 'business_website']],
    ['whatsapp', { business_phone: '' }, [1463, 'business_phone']],
    ['whatsapp', { business_phone: 'call us' }, [1451, 'business_phone']],
    ['whatsapp', { business_country: 'Germany' }, [1452, 'business_country']],
    ['whatsapp', { targeted_countries: [] }, [1453, 'targeted_countries']],
    ['whatsapp', { business_email: '' }, [1464, 'business_email']],
    ['whatsapp', { business_email: 'hello@' }, [1454, 'business_email']],
    ['viber', { business_industry: 38 }, [1455, 'business_industry']],
    ['viber', { business_locations: [] }, [1456, 'business_locations']],
    ['viber', { parent_name: 'x'.repeat(101) }, [1457, 'parent_name']],
    ['whatsapp', { phone_number: '12' }, [1443, 'phone_number']],
    ['whatsapp', { display_name: 'ab' }, [1705, 'display_name']],
    ['viber', { sample_messages: [] }, [1705, 'sample_messages']],
  ])('in the %s form are rejected with a specific code: %j', async (kind, part, expected) => {
    expect(codes(await owner.put(`/v1/senders/${id[kind]}/${kind}`, part))).toEqual([expected]);
  });
  test.each<[object, number]>([
    [{ type: 'business', channel: 'SMS' }, 1411],
    [{ type: 'mobile', channel: 'VIBER', code: '447700900001' }, 1411],
    [{ type: 'business', channel: 'TELEGRAM' }, 1414],
  ])('in a draft are rejected: %j', async (order, expected) => {
    expect(code(await owner.post('/v1/senders', order))).toBe(expected);
  });
});

describe('an upload', () => {
  let id: string;
  beforeAll(async () => {
    id = await begin('VIBER');
  });
  test.each<[string, string, string, () => Promise<Uint8Array>, number, string?]>([
    [
      'a logo with the wrong size',
      'logo_256x256',
      'a.png',
      () => picture('png', 255, 256),
      1907,
      'Image dimensions should be 256 x 256 pixels',
    ],
    [
      'a rotated logo',
      'logo_360x280',
      'a.png',
      () => picture('png', 280, 360),
      1907,
      'Image dimensions should be 360 x 280 pixels',
    ],
    ['a JPG file', 'logo_50x50', 'a.jpg', () => picture('jpeg', 50, 50), 1906, 'File extension should be .png'],
    ['a JPG file named as PNG', 'logo_50x50', 'a.png', () => picture('jpeg', 50, 50), 1909],
    ['a truncated image', 'logo_50x50', 'a.png', async () => (await picture('png', 50, 50)).subarray(0, -20), 1908],
    [
      'an image instead of a letter',
      'warranty_letter',
      'a.png',
      () => picture('png', 50, 50),
      1906,
      'File extension should be .pdf',
    ],
    ['a text file named as PDF', 'warranty_letter', 'a.pdf', async () => Buffer.from('hello'), 1909],
    ['an empty file named as PDF', 'warranty_letter', 'a.pdf', async () => Buffer.alloc(0), 1910],
    ['a document that only WhatsApp requires', 'logo_640x640', 'a.png', () => picture('png', 640, 640), 1705],
  ])('of %s is rejected', async (_, kind, name, bytes, expected, message) => {
    const reply = await attachAccess(owner, id, 'viber', kind, { name, bytes: await bytes() });
    expect(code(reply)).toBe(expected);
    if (message) expect(reply.body.errors[0]).toMatchObject({ field: 'file', message });
    expect((await detail(id)).attachments).toEqual([]);
  });

  test('replaces the previous file of its kind and can be removed', async () => {
    const send = async (name: string) =>
      (await attachAccess(owner, id, 'viber', 'logo_50x50', { name, bytes: await picture('png', 50, 50) })).body.data;
    const old = await send('old.png');
    const { url } = await send('new.png');
    const { attachments } = await detail(id);
    expect(attachments).toMatchObject([{ kind: 'logo_50x50', file_name: 'new.png', content_type: 'image/png' }]);
    expect((await fetch(world.url + url)).status).toBe(200);
    await expect.poll(async () => (await fetch(world.url + old.url)).status).toBe(404);
    expect((await owner.delete(`/v1/senders/${id}/required_attachments/${attachments[0].id}`)).status).toBe(204);
    expect((await detail(id)).attachments).toEqual([]);
  });

  test('of a license is required for a gambling business', async () => {
    await owner.put(`/v1/senders/${id}/viber`, { business_industry: 14 });
    expect((await detail(id)).documents).toContain('industry_letter');
  });
});

describe('a customer’s own number', () => {
  test('is verified with a code that works only once, for one sender and one user', async () => {
    const id = await begin('WHATSAPP');
    const number = freshNumber();
    const path = `/v1/senders/${id}/phone_verifications`;
    expect(codes(await owner.post(path, { phone_number: '+44 20' }))).toEqual([[1443, 'phone_number']]);
    expect(codes(await owner.post(path, { phone_number: '+44 909 8790000' }))).toEqual([[1443, 'phone_number']]);
    const verification = await owner.post(path, { phone_number: `0${number.slice(2)}`.replace(/^0/, '+44') });
    expect(verification.status).toBe(201);
    const { text } = await textTo(world.kernel, number);
    // The recipient of the text message may not know Parley, so the text names the company.
    expect(text).toMatch(
      new RegExp(
        '^\\d{6} lets Quartz Works com send messages from this number\\. Share it with them only if you agree\\. ' +
          'It expires in 10 minutes and works once\\.$',
      ),
    );
    const validCode = text.slice(0, 6);
    const invalidCode = String((Number(validCode) + 1) % 1_000_000).padStart(6, '0');
    const give = (code: string, caller = owner, sender = id) =>
      caller.put(`/v1/senders/${sender}/phone_verifications/${verification.body.data.id}`, { code });
    expect(codes(await owner.post(path, { phone_number: `+${number}` }))).toEqual([[1167, undefined]]);
    expect(code(await give(invalidCode))).toBe(1125);
    const other = await begin('WHATSAPP');
    expect(code(await give(validCode, owner, other))).toBe(1110);
    const colleague = world.as(
      (await makeUser(world.kernel, company.account_id, { permissions: { SENDERS: 15 } })).token,
    );
    expect(code(await give(validCode, colleague))).toBe(1110);
    const stranger = world.as((await makeCompany(world.kernel)).token);
    expect(code(await give(validCode, stranger))).toBe(1402);
    expect(code(await stranger.post(path, { phone_number: `+${number}` }))).toBe(1402);

    const before = (await owner.get('/v1/own_numbers')).body.data;
    expect(before).not.toContainEqual(expect.objectContaining({ number }));
    expect((await give(validCode)).body.data).toMatchObject({ number, source: 'own', sender_id: null });
    expect(code(await give(validCode))).toBe(1140);
    await owner.put(`/v1/senders/${id}/whatsapp`, { number_from: 'own', phone_number: number });
    expect((await owner.get('/v1/own_numbers')).body.data).toContainEqual(
      expect.objectContaining({ number, source: 'own', sender_id: id, verify_date: expect.any(String) }),
    );
    expect((await stranger.get('/v1/own_numbers')).body.data).toEqual([]);
    expect((await owner.get(`/v1/senders/${id}/preflight`)).body.data).not.toContainEqual(
      expect.objectContaining({ code: 'number_unverified' }),
    );
  });

  test('allows five attempts per code and a limited number of codes per hour', async () => {
    const id = await begin('WHATSAPP');
    const number = freshNumber();
    const path = `/v1/senders/${id}/phone_verifications`;
    const { body } = await owner.post(path, { phone_number: `+${number}` });
    await textTo(world.kernel, number);
    for (let count = 0; count < 5; count++)
      expect(code(await owner.put(`${path}/${body.data.id}`, { code: '000000' }))).toBe(1125);
    expect(code(await owner.put(`${path}/${body.data.id}`, { code: '000000' }))).toBe(1140);
    for (let count = 0; count < 4; count++) {
      clock.advance(200_000);
      expect((await owner.post(path, { phone_number: `+${number}` })).status).toBe(201);
    }
    clock.advance(200_000);
    expect(code(await owner.post(path, { phone_number: `+${number}` }))).toBe(1801);
  });

  test('is rejected in a form unless it is verified or is one of the account’s SMS numbers', async () => {
    const otherCompany = await makeCompany(world.kernel);
    const api = world.as(otherCompany.token);
    const number = freshNumber();
    const id = await begin('WHATSAPP', api);
    await api.put(`/v1/senders/${id}/whatsapp`, { ...ACCESS.whatsapp, phone_number: number });
    await attachAll(api, id, 'whatsapp');
    expect(codes(await submit(id, api))).toEqual([[1476, 'whatsapp.phone_number']]);
    await makeSender(world.kernel, otherCompany.account_id, { code: number });
    await api.put(`/v1/senders/${id}/whatsapp`, { number_from: 'account' });
    expect((await submit(id, api)).status).toBe(201);
  });

  test('is recognized as verified in an account with many numbers', async () => {
    const otherCompany = await makeCompany(world.kernel);
    const api = world.as(otherCompany.token);
    await world.kernel.db.run(sql`
      insert into own_numbers (account_id, number, user_id, verify_date)
      select ${otherCompany.account_id}, (447500000000 + n)::text, ${otherCompany.user_id}, now()
      from generate_series(1, 400) n`);
    const id = await begin('WHATSAPP', api);
    await api.put(`/v1/senders/${id}/whatsapp`, { ...ACCESS.whatsapp, phone_number: '447500000400' });
    await attachAll(api, id, 'whatsapp');
    expect((await submit(id, api)).status).toBe(201);
    const desk = world.as((await makeCompany(world.kernel, { operator: true })).token);
    const [request] = (await desk.get('/v1/requests?filter[kinds]=whatsapp&page_size=100')).body.data.filter(
      (item: { target_id: string }) => item.target_id === id,
    );
    const { findings } = (await desk.get(`/v1/requests/${request.id}`)).body.data;
    expect(findings.map(({ text }: { text: string }) => text)).not.toContain('The number is not verified');
  });
});
