import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '../test/make.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { storeClicks } from './clicks.ts';
import { verifyLinkDomain } from './domains.ts';

let world: World;
let account_id: string;
let company: Caller;
let stranger: Caller;
beforeAll(async () => {
  world = await createWorld({ role: 'api', settings: { LINK_BLOCKED_DOMAINS: 'blocked.example' } });
  const made = await makeCompany(world.kernel);
  account_id = made.account_id;
  company = world.as(made.token);
  stranger = world.as((await makeCompany(world.kernel)).token);
  await makeCarrier(world.kernel);
});
afterAll(() => world.stop());

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';

const open = (short_url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(world.url + new URL(short_url).pathname, {
    method,
    redirect: 'manual',
    // Each link is opened by another phone, because bots open several links at once.
    headers: { 'user-agent': `${PHONE} ${short_url}`, ...headers },
  });

const create = async (body: object) => (await company.post('/v1/short_urls', body)).body.data;
/** Stores the recorded clicks first, which is the work of a worker. */
const read = async (id: string) => {
  await storeClicks(world.kernel.db);
  return (await company.get(`/v1/short_urls/${id}`)).body.data;
};

describe('a short link', () => {
  test('redirects without a referrer and counts people, not bots', async () => {
    const link = await create({ url: 'https://example.com/sale?a=1#top', name: 'Sale', tags: ['summer', 'summer'] });
    expect(link).toMatchObject({ source: 'manual', tags: ['summer'], clicks: 0, recipients: 0, domain: null });
    const response = await open(link.short_url, { referer: 'https://news.example/today?user=1' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://example.com/sale?a=1#top');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    await open(link.short_url);
    await open(link.short_url, { 'user-agent': 'WhatsApp/2.24 A' });
    await open(link.short_url, { 'user-agent': 'curl/8.0' });
    await open(link.short_url, {}, 'HEAD');
    await open(link.short_url, { 'sec-purpose': 'prefetch' });
    expect(await read(link.id)).toMatchObject({ clicks: 2, unique_clicks: 1, bot_clicks: 4 });
    const { body } = await company.get(`/v1/short_urls/stat?filter[id]=${link.id}`);
    expect(body.data).toMatchObject({
      ...{ clicks: 2, unique_clicks: 1, bot_clicks: 4, devices: [{ name: 'phone', clicks: 2 }] },
      referrers: [
        { name: '', clicks: 1 },
        { name: 'news.example', clicks: 1 },
      ],
      days: [{ clicks: 2, unique_clicks: 1, bot_clicks: 4 }],
    });
    const events = await world.kernel.db.rows<{ payload: object[] }>(
      sql`select payload from events where account_id = ${account_id} and type = 'link.clicked' order by id`,
    );
    expect(events.flatMap(({ payload }) => payload)).toMatchObject([{ is_unique: true }, { is_unique: false }]);
  });

  test.each([
    [
      'https://example.com/цены?q=€#конец',
      'https://example.com/%D1%86%D0%B5%D0%BD%D1%8B?q=%E2%82%AC#%D0%BA%D0%BE%D0%BD%D0%B5%D1%86',
    ],
    ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
    ['https://example.com\\\\sale', 'https://example.com//sale'],
  ])('redirects to a destination that contains characters outside ASCII or backslashes: %s', async (url, location) => {
    const link = await create({ url, name: 'Words' });
    const response = await open(link.short_url);
    expect([response.status, response.headers.get('location')]).toEqual([302, location]);
  });

  test('is found by search, changed, archived, and deleted by its own company only', async () => {
    const link = await create({ url: 'https://example.com/autumn', name: 'Autumn' });
    expect((await company.get('/v1/short_urls?filter[search]=autumn')).body.data).toMatchObject([{ id: link.id }]);
    for (const reply of [
      await stranger.get(`/v1/short_urls/${link.id}`),
      await stranger.put(`/v1/short_urls/${link.id}`, { name: 'Mine' }),
      await stranger.delete(`/v1/short_urls/${link.id}`),
      await stranger.get(`/v1/short_urls/stat?filter[id]=${link.id}`),
    ])
      expect([reply.status, reply.body.errors[0].code]).toEqual([404, 2100]);
    const changed = await company.put(`/v1/short_urls/${link.id}`, { url: 'https://example.com/winter' });
    expect(changed.body.data.url).toBe('https://example.com/winter');
    expect((await open(link.short_url)).headers.get('location')).toBe('https://example.com/winter');
    await company.put(`/v1/short_urls/${link.id}`, { archived: true });
    expect((await open(link.short_url)).status).toBe(410);
    expect((await company.get('/v1/short_urls?filter[search]=winter')).body.data).toEqual([]);
    expect((await company.delete(`/v1/short_urls/${link.id}`)).status).toBe(204);
    expect((await open(link.short_url)).status).toBe(404);
  });

  test('asks for its password, and counts the click after the right one', async () => {
    const enter = (short_url: string, password: string) =>
      fetch(world.url + new URL(short_url).pathname, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'user-agent': PHONE, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password }).toString(),
      });
    const short = await company.post('/v1/short_urls', { url: 'https://example.com', password: '12345' });
    expect(short.body.errors[0]).toMatchObject({ code: 2387, field: 'password' });
    const link = await create({ url: 'https://example.com/list', password: 'пароль 😀', max_clicks: 1 });
    expect(link).toMatchObject({ has_password: true });
    expect(JSON.stringify(link)).not.toContain('пароль');
    const asked = await open(link.short_url);
    expect([asked.status, asked.headers.get('location')]).toEqual([200, null]);
    expect(await asked.text()).toContain('type="password"');
    const wrong = await enter(link.short_url, 'пароль');
    expect([wrong.status, (await wrong.text()).includes('Wrong password')]).toEqual([403, true]);
    expect(await read(link.id)).toMatchObject({ clicks: 0, bot_clicks: 0 });
    const right = await enter(link.short_url, 'пароль 😀');
    expect([right.status, right.headers.get('location')]).toEqual([303, 'https://example.com/list']);
    expect(await read(link.id)).toMatchObject({ clicks: 1, unique_clicks: 1 });
    expect((await enter(link.short_url, 'пароль 😀')).status).toBe(410);
    const kept = await company.put(`/v1/short_urls/${link.id}`, { name: 'List', max_clicks: null });
    expect(kept.body.data.has_password).toBe(true);
    const removed = await company.put(`/v1/short_urls/${link.id}`, { password: null });
    expect(removed.body.data.has_password).toBe(false);
    expect((await open(link.short_url)).status).toBe(302);
    expect((await enter(link.short_url, 'пароль 😀')).status).toBe(404);
  });

  test('refuses an address that enters many wrong passwords', async () => {
    const link = await create({ url: 'https://example.com/secret', password: 'right password' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const response = await fetch(world.url + new URL(link.short_url).pathname, {
        method: 'POST',
        headers: { 'user-agent': PHONE, 'content-type': 'application/x-www-form-urlencoded' },
        body: `password=wrong-${attempt}`,
      });
      statuses.push(response.status);
    }
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
  });

  test('stops at its limit of clicks and at its expiry', async () => {
    const limited = await create({ url: 'https://example.com/first', max_clicks: 2 });
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await open(limited.short_url)).status));
    expect(statuses.sort()).toEqual([302, 302, 410, 410]);
    expect(await read(limited.id)).toMatchObject({ clicks: 2, unique_clicks: 1 });
    const past = await company.post('/v1/short_urls', { url: 'https://example.com', expire_date: '2020-01-01 00:00' });
    expect(past.body.errors[0].code).toBe(2106);
    const expiring = await create({ url: 'https://example.com/last', expire_date: '2099-01-01 00:00:00' });
    await world.kernel.db.run(sql`
      update links set expire_date = now() - interval '1 second'
      where account_id = ${account_id} and id = ${expiring.id}`);
    expect((await open(expiring.short_url)).status).toBe(410);
  });

  test('counts each click once when several workers store them at the same time', async () => {
    const link = await create({ url: 'https://example.com/busy' });
    // Requests in a row are separate batches.
    for (let n = 0; n < 40; n++) await open(link.short_url, { 'user-agent': `${PHONE} ${n % 30}` });
    const work = async (): Promise<number> => {
      const count = await storeClicks(world.kernel.db);
      return count === 0 ? 0 : count + (await work());
    };
    const stored = await Promise.all([work(), work(), work(), work()]);
    expect(stored.reduce((sum, count) => sum + count)).toBe(40);
    expect(await read(link.id)).toMatchObject({ clicks: 40, unique_clicks: 30, bot_clicks: 0 });
  });

  test('leaves no recorded click behind when it is deleted', async () => {
    const link = await create({ url: 'https://example.com/gone' });
    await open(link.short_url);
    await company.delete(`/v1/short_urls/${link.id}`);
    expect(await storeClicks(world.kernel.db)).toBe(1);
    expect(
      await world.kernel.db.rows(sql`
        select id from link_clicks where account_id = ${account_id} and link_id = ${link.id}
        union all select id from click_batches`),
    ).toEqual([]);
  });

  test.each([
    ['javascript:alert(1)', 1705],
    ['https://user:secret@example.com', 1705],
    ['http://127.0.0.1/admin', 1705],
    ['http://[::1]/', 1705],
    ['https://ex\u0430mple.com', 1705],
    ['https://www.blocked.example/x', 2102],
    ['', 2101],
    ['https://example.com/\u0000', 1705],
  ])('is rejected when its destination is %j', async (url, code) => {
    const reply = await company.post('/v1/short_urls', { url });
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, code]);
  });

  test('is rejected when it leads to another short link', async () => {
    const { short_url } = await create({ url: 'https://example.com/loop' });
    const host = new URL(world.kernel.config.LINK_URL).hostname;
    const reply = await company.post('/v1/short_urls', {
      url: short_url.replace(/^http:\/\/[^/]*/, `https://${host}`),
    });
    expect(reply.status).toBe(400);
  });
});

test('a company’s domain is supported once its DNS record is found, and only for that company', async () => {
  const refused = await company.post('/v1/short_urls', { url: 'https://example.com', domain: 'go.shop.example' });
  expect(refused.body.errors[0].code).toBe(2108);
  const { data: domain } = (await company.post('/v1/link_domains', { host: 'go.shop.example' })).body;
  expect(domain.verified).toBe(false);
  const actor = { account_id } as Parameters<typeof verifyLinkDomain>[1];
  const verify = (records: string[][]) => verifyLinkDomain(world.kernel.db, actor, domain.id, async () => records);
  await expect(verify([['something else']])).rejects.toMatchObject({ name: 'LINK_DOMAIN_RECORD_MISSING' });
  expect((await verify([[domain.record_value.slice(0, 9), domain.record_value.slice(9)]])).verified).toBe(true);
  const link = await create({ url: 'https://example.com/own', domain: 'go.shop.example' });
  expect(link.short_url).toMatch(/^https:\/\/go\.shop\.example\/[0-9A-Za-z]{9}$/);
  expect((await company.delete(`/v1/link_domains/${domain.id}`)).body.errors[0].code).toBe(2112);
  await company.delete(`/v1/short_urls/${link.id}`);
  expect((await company.delete(`/v1/link_domains/${domain.id}`)).status).toBe(204);
  // No transaction is open while the DNS is read, so the domain can change in the meantime.
  const { data: other } = (await company.post('/v1/link_domains', { host: 'gone.shop.example' })).body;
  const isGone = verifyLinkDomain(world.kernel.db, actor, other.id, async () => {
    expect((await company.delete(`/v1/link_domains/${other.id}`)).status).toBe(204);
    return [[other.record_value]];
  });
  await expect(isGone).rejects.toMatchObject({ name: 'LINK_DOMAIN_NOT_FOUND' });
});

describe('a message', () => {
  const createdText = async (caller: Caller, from: string, to: string[], text: string) =>
    caller.post('/v1/messages', { channel: 'SMS', from, to, text });

  test('has a unique link for each recipient, and its segments count the short URLs', async () => {
    const { code } = await makeSender(world.kernel, account_id);
    const key = world.as({ key: await makeKey(world.kernel, account_id) });
    const long = `https://example.com/${'x'.repeat(180)}`;
    const text = `Hi, ${'a'.repeat(100)} {url=${long}}`;
    const { body } = await createdText(key, code, [testNumber(1), testNumber(2)], text);
    const [one, two] = body.data;
    expect(one.text).not.toBe(two.text);
    expect(one.text).toHaveLength(withSampleLinks(text, world.kernel.config.LINK_URL).length);
    expect([one.segments_count, two.segments_count]).toEqual([1, 1]);
    const urls = [one, two].map((message) => message.text.split(' ').at(-1));
    const { data } = (await company.get('/v1/short_urls?filter[sources]=message')).body;
    expect(data).toMatchObject([{ url: long, recipients: 2, short_url: null, clicks: 0 }]);
    // Opened right after sending, so it is a preview.
    expect((await open(urls[0])).headers.get('location')).toBe(long);
    expect(await read(data[0].id)).toMatchObject({ clicks: 0, bot_clicks: 1 });
    const old = '00000000-0000-7000-8000-000000000001';
    await world.kernel.db.run(sql`update link_codes set message_id = ${old} where number = ${testNumber(2)}`);
    await open(urls[1]);
    await open(urls[1], { 'user-agent': `${PHONE} Other` });
    expect(await read(data[0].id)).toMatchObject({ clicks: 2, unique_clicks: 1 });
    const stat = await company.get(`/v1/short_urls/stat?filter[id]=${data[0].id}`);
    expect(stat.body.data.countries).toEqual([{ name: 'GB', clicks: 2 }]);
  });

  test('is rejected when it has six links or a link that cannot be used', async () => {
    const { code } = await makeSender(world.kernel, account_id);
    const six = await createdText(company, code, [testNumber(3)], '{url=https://example.com}'.repeat(6));
    expect(six.body.errors[0].code).toBe(2104);
    for (const link of [
      '{url=javascript:alert(1)}',
      '{url=https://example.com/{first_name}}',
      '{url=https://a.example',
    ])
      expect((await createdText(company, code, [testNumber(3)], link)).body.errors[0].code).toBe(2102);
    const blocked = await createdText(company, code, [testNumber(3)], '{url=https://blocked.example/}');
    expect(blocked.body.errors[0]).toMatchObject({ code: 2102, field: 'text' });
  });

  test('has a link to opt out when recipients cannot reply to its sender', async () => {
    const { code, sender_id } = await makeSender(world.kernel, account_id, { code: 'Harbour', two_way: false });
    const number = testNumber(4);
    const { body } = await createdText(company, code, [number], 'News {sms_opt_out}');
    const [, url] = /^News Opt out: (\S+)$/.exec(body.data[0].text) ?? [];
    const page = await open(url!);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("form-action 'self'"),
    ]);
    expect(await page.text()).toContain('<button type="submit">Stop messages</button>');
    for (const _ of [1, 2]) {
      const done = await open(url!, { 'content-type': 'application/x-www-form-urlencoded' }, 'POST');
      expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You have opted out')]);
    }
    const { data } = (await company.get('/v1/stop_list')).body;
    expect(data).toMatchObject([{ number, sender_id, reason: 'link', message_id: body.data[0].id }]);
    expect((await createdText(company, code, [number], 'More news')).body.errors[0].code).toBe(1530);
  });

  test('asks for STOP when recipients can reply to its sender', async () => {
    const { code } = await makeSender(world.kernel, account_id);
    const { body } = await createdText(company, code, [testNumber(5)], 'News. {sms_opt_out}');
    expect(body.data[0].text).toBe('News. Reply STOP to opt out');
  });
});

test('an address that guesses codes is refused', async () => {
  const statuses = new Set<number>();
  for (let guess = 0; guess < 40; guess++)
    statuses.add((await fetch(`${world.url}/Zz${String(guess).padStart(7, '0')}`)).status);
  expect([...statuses].sort()).toEqual([404, 429]);
});
