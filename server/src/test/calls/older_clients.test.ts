/** Tests input of existing API clients, and that the API rejects unknown input instead of dropping it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeChatSender } from '../chat.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { type Caller, createWorld, type Reply, type World } from '../world.ts';

let world: World;
let company: Company;
let owner: Caller;
let api: Caller;
let sender: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  api = world.as({ key: await makeKey(world.kernel, company.account_id) });
  await makeCarrier(world.kernel);
  sender = (await makeSender(world.kernel, company.account_id, { code: '447400999999' })).code;
});
afterAll(() => world.stop());

const problem = ({ status, body }: Reply) => [status, body.errors?.[0].code, body.errors?.[0].field];
const total = async (path: string) => (await api.get(path)).body.pagination?.total;

describe('a request body', () => {
  test('is rejected when it has fields next to data', async () => {
    const body = JSON.stringify({ data: { name: 'Regulars', channel: 'SMS' }, dry_run: true });
    const headers = { 'content-type': 'application/json' };
    const reply = await api.raw('/v1/audiences', { method: 'POST', headers, body });
    expect(problem(reply)).toEqual([400, 1705, 'dry_run']);
  });

  test('is rejected when a contact has an unknown field', async () => {
    const contacts = [{ number: '447410000123', nickname: 'vip' }];
    const reply = await api.post('/v1/audiences', { name: 'Tagged', channel: 'sms', contacts });
    expect(problem(reply)).toEqual([400, 1705, 'contacts.0.nickname']);
    expect(reply.body.errors[0].message).toBe('Unknown field: contacts.0.nickname');
  });

  test.each(['tax_rate', 'tags', 'preferences'])('is rejected when it sets %s of the account', async (field) => {
    const reply = await owner.put('/v1/accounts/self', { timezone: 'Europe/London', [field]: 1 });
    expect(problem(reply)).toEqual([400, 1705, field]);
  });

  test('is accepted when it repeats the currency of the account, and rejected when it changes it', async () => {
    expect((await owner.put('/v1/accounts/self', { currency: 'usd' })).status).toBe(200);
    expect(problem(await owner.put('/v1/accounts/self', { currency: 'EUR' }))).toEqual([400, 1107, 'currency']);
    expect(problem(await owner.put('/v1/accounts/self', { currency: 'XXX' }))).toEqual([400, 1106, 'currency']);
  });

  test('is rejected with separate problems when the channel of a template is missing or unknown', async () => {
    const template = { name: 'Note', text: 'Hi' };
    expect(problem(await api.post('/v1/templates', template))).toEqual([400, 1256, 'channel']);
    expect(problem(await api.post('/v1/templates', { ...template, channel: 'FAX' }))).toEqual([400, 1257, 'channel']);
  });

  test('is accepted when a message contains number_formatting', async () => {
    const message = { from: sender, to: ['+447410000123'], channel: 'sms', text: 'Hi', number_formatting: false };
    expect((await api.post('/v1/messages', message)).body.data[0].to).toBe('447410000123');
  });

  test('is accepted when a message has numbers instead of texts, and null in fields that it leaves out', async () => {
    const left_out = { schedule: null, payload: null, validity_seconds: null, undo_seconds: null, test: null };
    const message = { from: sender, channel: 'sms', text: 'Hi', ...left_out };
    const sent = await api.post('/v1/messages', { ...message, to: [447410000123, '447410000124'] });
    expect(sent.body.data.map(({ to, schedule }: { to: string; schedule: null }) => [to, schedule])).toEqual([
      ['447410000123', null],
      ['447410000124', null],
    ]);
    expect((await api.post('/v1/messages', { ...message, to: 447410000123 })).status).toBe(200);
    expect(problem(await api.post('/v1/messages', { ...message, to: 0 }))).toEqual([400, 1523, 'to']);
    for (const to of [-447410000123, 44741000012.3, 4.4741e11 + 0.5, 2 ** 60])
      expect([to, problem(await api.post('/v1/messages', { ...message, to }))]).toEqual([to, [400, 1523, 'to']]);
    expect(problem(await api.post('/v1/messages', { ...message, to: [true] }))).toEqual([400, 1705, 'to.0']);
  });

  test('is accepted when a message has the oldest names of its image and text', async () => {
    const { account_id } = company;
    const viber = await makeChatSender(world.kernel, account_id, 'VIBER');
    const link = 'https://shop.example/offer.png';
    const message = {
      ...{ from: viber.sender_id, to: ['447410000123'], channel: 'viber', image: link, caption: 'New offer' },
      button: { caption: 'Open', url: 'https://shop.example' },
    };
    const { body } = await api.post('/v1/messages', message);
    expect(body.data[0]).toMatchObject({ type: 'image', text: 'New offer', content: { url: link } });
    const sms = { from: sender, to: ['447410000123'], channel: 'sms', text: 'Hi' };
    expect(problem(await api.post('/v1/messages', { ...sms, image: link }))).toEqual([400, 1518, 'type']);
  });

  test('is refused when its data is null', async () => {
    for (const path of ['/v1/messages', '/v1/audiences'])
      expect(problem(await api.post(path, null))).toEqual([400, 1007, undefined]);
    expect(problem(await api.post('/v1/webhooks', null))).toEqual([400, 1203, undefined]);
  });

  test('is accepted when a contact has a number as a number, and null instead of texts', async () => {
    const { id } = (await api.post('/v1/audiences', { name: 'Nulls', channel: 'sms' })).body.data;
    const contacts = `/v1/audiences/${id}/contacts`;
    const texts = { first_name: null, last_name: null, custom1: null, custom2: null };
    const { body } = await api.post(contacts, { number: 447410000129, ...texts, first_name: 'Ann' });
    expect(body.data).toMatchObject({ number: '447410000129', first_name: 'Ann', last_name: '', custom2: '' });
    const changed = await api.put(`${contacts}/${body.data.id}`, { first_name: null, custom1: 'Gold' });
    expect(changed.body.data).toMatchObject({ first_name: '', custom1: 'Gold' });
  });

  test('is accepted when a template has its button and its file name as in messages', async () => {
    const button = { caption: 'Open', url: 'https://shop.example' };
    const whatsapp = await makeChatSender(world.kernel, company.account_id, 'WHATSAPP');
    const { code } = (await api.get(`/v1/senders/${whatsapp.sender_id}`)).body.data;
    const template = { channel: 'whatsapp', wa_category: 'utility', wa_sender_code: code, text: 'Hi' };
    const linked = await api.post('/v1/templates', { ...template, name: 'linked', button });
    expect(linked.body.data.buttons).toEqual([{ type: 'link', text: 'Open', value: 'https://shop.example' }]);
    const file = { type: 'document', url: 'https://shop.example/terms.pdf', file_name: 'Terms' };
    const stored = await api.post('/v1/templates', { ...template, name: 'terms', ...file });
    expect(stored.body.data.filename).toBe('Terms');
    expect(problem(await api.post('/v1/templates', { ...template, name: 'odd', text: 7 }))).toEqual([
      400,
      1255,
      'text',
    ]);
    expect(problem(await api.put(`/v1/templates/${linked.body.data.id}`, {}))).toEqual([400, 1253, undefined]);
  });

  test('is accepted when a webhook has no secret', async () => {
    const webhook = { url: 'https://127.0.0.1/hook', event: 'MESSAGE', secret: null, filters: null };
    const { body } = await api.post('/v1/webhooks', webhook);
    expect(body.data).toMatchObject({ event: 'message', secret: expect.stringMatching(/^whsec_/) });
    expect(problem(await api.post('/v1/webhooks', { ...webhook, event: null }))).toEqual([400, 1206, 'event']);
  });

  test('is refused when it gives a campaign a status that only Parley sets, or that does not exist', async () => {
    const { id } = (await api.post('/v1/campaigns', { name: 'Statuses', channel: 'SMS', start: false })).body.data;
    expect(problem(await api.put(`/v1/campaigns/${id}`, { status: 'Completed' }))).toEqual([409, 1611, 'status']);
    expect(problem(await api.put(`/v1/campaigns/${id}`, { status: 'done' }))).toEqual([400, 1705, 'status']);
  });

  test('is accepted when a sender has one country', async () => {
    const order = { type: 'Sender Id', channel: 'sms', code: 'Harbour', country: 'gb' };
    expect((await owner.post('/v1/senders', order)).body.data).toMatchObject({ code: 'Harbour', countries: ['GB'] });
  });
});

describe('an account', () => {
  test('is not updated without data', async () => {
    expect(problem(await owner.put('/v1/accounts/self', {}))).toEqual([400, 1103, undefined]);
  });

  test('shows its balance under /v1/payments to users, and not to keys', async () => {
    const balance = await owner.get('/v1/payments/balance');
    expect(balance.body.data).toEqual((await owner.get(`/v1/balances/${company.account_id}`)).body.data);
    expect((await api.get('/v1/payments/balance')).status).toBe(403);
  });

  test('is not signed in without a username or a password', async () => {
    const signIn = async (credentials: string) =>
      problem(
        await world.as().raw('/v1/users/self/token', {
          headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
        }),
      );
    expect([await signIn(':Secret-1234'), await signIn('ann@example.com:')]).toEqual([
      [400, 1104, 'username'],
      [400, 1105, 'password'],
    ]);
  });
});

describe('a list', () => {
  test('accepts filter values in any case', async () => {
    for (const type of ['mobile', 'MOBILE', 'Mobile Numbers', ''])
      expect([type, await total(`/v1/senders?filter[channel]=sms&filter[type]=${type}&limit=1&page=0`)]).not.toContain(
        undefined,
      );
    expect(await total('/v1/senders?filter[type]=Short%20Code')).toBe(0);
    expect(await total('/v1/templates?filter[status]=completed')).toBe(0);
    expect(await total('/v1/campaigns?filter[statuses]=COMPLETED,Canceled')).toBe(0);
    expect(await total('/v1/rates?filter[channel]=sms&rate_mode=ACCOUNT')).toBe(0);
    expect(await total('/v1/rates?filter[channel]=sms')).toBeGreaterThan(0);
  });

  test('accepts several values of a filter in the spellings of common programs', async () => {
    const [comma, ...others] = await Promise.all(
      [
        'filter[countries]=GB,DE',
        'filter[countries]=GB&filter[countries]=DE',
        'filter[countries][]=GB&filter[countries][]=DE',
        'filter%5Bcountries%5D%5B0%5D=GB&filter%5Bcountries%5D%5B1%5D=DE',
      ].map((query) => total(`/v1/messages?${query}&filter[channel]=`)),
    );
    expect(comma).toBeGreaterThan(0);
    expect(others).toEqual([comma, comma, comma]);
    expect(await total('/v1/messages?filter[countries][0]=DE')).toBe(0);
  });

  test('has the same links when its URL has a slash too many', async () => {
    for (const path of ['/v1/senders/', '//v1/senders', '/v1//senders/'])
      expect((await api.get(`${path}?page=0`)).body.pagination.links.first).toBe('/v1/senders?page_size=10&page=1');
  });

  test('is refused with the allowed methods when it is called with HEAD, OPTIONS, or PATCH', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PATCH', 'DELETE']) {
      const { status, headers } = await api.raw('/v1/messages', { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST, GET']);
    }
  });

  test('rejects unknown filter values', async () => {
    expect(problem(await api.get('/v1/senders?filter[type]=fax'))).toEqual([400, 1411, 'filter.type']);
    expect(problem(await api.get('/v1/audiences?filter[channel]=fax'))).toEqual([400, 1307, 'filter.channel.0']);
    expect(problem(await api.get('/v1/campaigns?filter[statuses]=done'))).toEqual([400, 1705, 'filter.statuses.0']);
  });

  test('names the filter when it is unknown', async () => {
    for (const [query, field] of [
      ['filter[type]=x', 'filter.type'],
      ['filter[__proto__]=x', 'filter.__proto__'],
      ['filter[a-b]=x', 'filter[a-b]'],
      ['__proto__=x', '__proto__'],
    ])
      expect(problem(await api.get(`/v1/audiences?${query}`))).toEqual([400, 1705, field]);
  });

  test('also rejects an unknown filter in exports and bulk jobs', async () => {
    const filter = { tag: 'vip' };
    const file = await owner.post('/v1/exports', { list: 'campaigns', filter });
    const job = await owner.post('/v1/bulk_jobs', { action: 'remove_campaigns', filter });
    expect([problem(file), problem(job)]).toEqual([
      [400, 1705, 'filter.tag'],
      [400, 1705, 'filter.tag'],
    ]);
  });
});

test('items link to themselves and to related calls', async () => {
  const audience = (await api.post('/v1/audiences', { name: 'Linked', channel: 'sms' })).body.data;
  const contacts = `/v1/audiences/${audience.id}/contacts`;
  const contact = (await api.post(contacts, { number: '447410000123' })).body.data;
  const template = (await api.post('/v1/templates', { name: 'Linked', channel: 'sms', text: 'Hi' })).body.data;
  const first_sender = (await api.get('/v1/senders')).body.data[0];
  const self = (await api.get('/v1/accounts/self')).body.data;
  expect(self).toMatchObject({ first_name: null, last_name: null, blocked: false });
  const account = '/v1/accounts/self';
  expect([audience, contact, template, first_sender, self].map(({ links }) => links)).toEqual([
    { self: `/v1/audiences/${audience.id}`, account, contacts },
    { self: `${contacts}/${contact.id}`, account, audience: `/v1/audiences/${audience.id}` },
    { self: `/v1/templates/${template.id}`, account },
    { self: `/v1/senders/${first_sender.id}`, account },
    { self: account },
  ]);
  for (const item of [audience, contact, template, first_sender])
    for (const link of Object.values<string>(item.links))
      expect([link, (await api.get(link)).status]).toEqual([link, 200]);
  expect((await api.get(contacts)).body.data[0].links).toEqual(contact.links);
});
