import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../../test/world.ts';

let world: World;
let owner: Caller;
let stranger: Caller;
let account_id: string;
let next = 1;

beforeAll(async () => {
  world = await createWorld({ role: 'all' });
  const company = await makeCompany(world.kernel);
  ({ account_id } = company);
  owner = world.as(company.token);
  stranger = world.as((await makeCompany(world.kernel)).token);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

const newWhatsappId = () => `GB.134912086553027${next++}`;
const newViberId = () => `0123456789${next++}+=`;
const newNumber = () => testNumber(70_000 + next++);
const code = ({ status, body }: Reply) => [status, body?.errors?.[0]?.code, body?.errors?.[0]?.field];
const add = (body: object, caller = owner) => caller.post('/v1/people', body);
const person = async (key: string) => (await owner.get(`/v1/people/${encodeURIComponent(key)}`)).body.data;
const makeAudience = async (contacts: object[] = []) =>
  (await owner.post('/v1/audiences', { name: `List ${next++}`, channel: 'WHATSAPP', contacts })).body.data.id as string;

test('a person has an ID on each channel and is found by it', async () => {
  const [number, whatsapp, viber] = [newNumber(), newWhatsappId(), newViberId()];
  const created = await add({ number: `+${number}`, channel_ids: { whatsapp, VIBER: ` ${viber} ` } });
  expect(created.body.data).toMatchObject({ number, channel_ids: { WHATSAPP: whatsapp, VIBER: viber } });
  const { id } = created.body.data;
  expect([(await person(whatsapp)).id, (await person(viber)).id, (await person(`+${number}`)).id]).toEqual([
    id,
    id,
    id,
  ]);
  expect((await person(viber)).other_numbers).toEqual([]);
  expect((await stranger.get(`/v1/people/${whatsapp}`)).status).toBe(404);
  const changed = newWhatsappId();
  const saved = await owner.put(`/v1/people/${id}`, { channel_ids: { WHATSAPP: changed, VIBER: null } });
  expect(saved.body.data.channel_ids).toEqual({ WHATSAPP: changed });
  expect(await person(whatsapp)).toBeUndefined();
});

test('an ID belongs to one person of the account', async () => {
  const whatsapp = newWhatsappId();
  await add({ number: newNumber(), channel_ids: { WHATSAPP: whatsapp } });
  const taken = [409, 2680, 'channel_ids.WHATSAPP'];
  expect(code(await add({ number: newNumber(), channel_ids: { WHATSAPP: whatsapp } }))).toEqual(taken);
  const other = (await add({ number: newNumber() })).body.data.id;
  expect(code(await owner.put(`/v1/people/${other}`, { channel_ids: { WHATSAPP: whatsapp } }))).toEqual(taken);
  const audience = await makeAudience();
  const contact = { number: newNumber(), channel_ids: { WHATSAPP: whatsapp } };
  expect(code(await owner.post(`/v1/audiences/${audience}/contacts`, contact))).toEqual(taken);
  const list = { name: `List ${next++}`, channel: 'SMS', contacts: [{ number: newNumber() }, contact] };
  expect(code(await owner.post('/v1/audiences', list))).toEqual([409, 2680, 'contacts.1.channel_ids.WHATSAPP']);
  expect((await add({ number: newNumber(), channel_ids: { WHATSAPP: whatsapp } }, stranger)).status).toBe(201);
  const free = newWhatsappId();
  const both = await Promise.all([1, 2].map(() => add({ number: newNumber(), channel_ids: { WHATSAPP: free } })));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test.each([
  ['a phone number', { WHATSAPP: '447700900123' }],
  ['an ID of another channel', { VIBER: 'GB.1349120865530271' }],
  ['a channel without IDs', { SMS: 'GB.1349120865530271' }],
  ['a number in place of a text', { VIBER: 5 }],
])('%s is not an ID', async (_, channel_ids) => {
  expect(code(await add({ number: newNumber(), channel_ids })).slice(0, 2)).toEqual([400, 2681]);
});

test('a person without a number has an ID in its place', async () => {
  const viber = newViberId();
  const audience = await makeAudience();
  const path = `/v1/audiences/${audience}/contacts`;
  const contact = (await owner.post(path, { number: viber, first_name: 'Vera' })).body.data;
  expect(contact).toMatchObject({ number: viber, country: '', channel_ids: { VIBER: viber } });
  expect(code(await owner.post(path, { number: viber })).slice(0, 2)).toEqual([409, 1360]);
  expect(code(await add({ number: viber })).slice(0, 2)).toEqual([409, 2392]);
  const { id } = await person(viber);
  const change = (value: string | null) => owner.put(`/v1/people/${id}`, { channel_ids: { VIBER: value } });
  expect(code(await change(null)).slice(0, 2)).toEqual([409, 2682]);
  expect(code(await change(newViberId())).slice(0, 2)).toEqual([409, 2682]);
  await owner.delete(`${path}/${contact.id}`);
  expect(await person(viber)).toMatchObject({ id, first_name: 'Vera', audiences: [] });
});

test('a contact with the ID of a person has the number of the person', async () => {
  const [number, whatsapp] = [newNumber(), newWhatsappId()];
  await add({ number, channel_ids: { WHATSAPP: whatsapp } });
  const audience = await makeAudience([{ number: whatsapp, first_name: 'Wanda' }]);
  const { data } = (await owner.get(`/v1/audiences/${audience}/contacts`)).body;
  expect(data).toMatchObject([{ number, country: 'GB', channel_ids: { WHATSAPP: whatsapp } }]);
});

test('a merge takes over IDs, and its undo returns them', async () => {
  const [number, other, viber] = [newNumber(), newNumber(), newViberId()];
  const [whatsapp, theirs] = [newWhatsappId(), newWhatsappId()];
  const kept = (await add({ number, channel_ids: { WHATSAPP: whatsapp } })).body.data;
  await add({ number: other, channel_ids: { WHATSAPP: theirs, VIBER: viber } });
  const nameless = (await add({ number: newViberId() })).body.data;
  expect(code(await owner.post(`/v1/people/${nameless.id}/merges`, { person: number })).slice(0, 2)).toEqual([
    409, 2683,
  ]);
  const merge = (await owner.post(`/v1/people/${kept.id}/merges`, { person: theirs })).body.data;
  const merged = await person(theirs);
  expect(merged).toMatchObject({ id: kept.id, channel_ids: { WHATSAPP: whatsapp, VIBER: viber } });
  expect([...merged.other_numbers].sort()).toEqual([other, theirs].sort());
  await owner.delete(`/v1/person_merges/${merge.id}`);
  expect(await person(kept.id)).toMatchObject({ channel_ids: { WHATSAPP: whatsapp }, other_numbers: [] });
  expect(await person(other)).toMatchObject({ channel_ids: { WHATSAPP: theirs, VIBER: viber } });
  const joined = (await owner.post(`/v1/people/${kept.id}/merges`, { person: nameless.number })).body.data;
  expect((await person(nameless.number)).channel_ids).toEqual({ WHATSAPP: whatsapp, VIBER: nameless.number });
  await owner.delete(`/v1/person_merges/${joined.id}`);
  expect(await person(nameless.number)).toMatchObject({ number: nameless.number, channel_ids: nameless.channel_ids });
});

test('an opt-out under the ID also counts for the number', async () => {
  const [number, whatsapp] = [newNumber(), newWhatsappId()];
  await world.kernel.db.run(sql`
    insert into stop_list (account_id, id, number, reason, text)
    values (${account_id}, gen_random_uuid(), ${whatsapp}, 'keyword', 'STOP')`);
  await add({ number, channel_ids: { WHATSAPP: whatsapp } });
  const { data } = (await owner.get(`/v1/stop_list?filter[search]=${number}`)).body;
  expect(data).toMatchObject([{ number }]);
});

test('the file of a person and an erasure cover the IDs', async () => {
  const [number, whatsapp, viber] = [newNumber(), newWhatsappId(), newViberId()];
  await add({ number, first_name: 'Zoe', channel_ids: { WHATSAPP: whatsapp, VIBER: viber } });
  await owner.post('/v1/stop_list', { number });
  const records = (await owner.get(`/v1/people/${whatsapp}/records`)).body.data as { name: string; value: string }[];
  const values = Object.fromEntries(records.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({ number: `+${number}`, whatsapp_id: whatsapp, viber_id: viber, first_name: 'Zoe' });
  expect((await owner.post(`/v1/people/${number}/erasure`, { number })).status).toBe(202);
  await until('everything is erased', async () => {
    const rows = await world.kernel.db.rows<{ status: string }>(sql`
      select status from person_erasures
      where account_id = ${account_id} and number = any(${[number, whatsapp, viber]}::text[])`);
    return rows.length === 3 && rows.every(({ status }) => status === 'completed');
  });
  expect([await person(number), await person(whatsapp)]).toEqual([undefined, undefined]);
  expect(
    await world.kernel.db.rows(sql`select number from person_numbers where number in (${whatsapp}, ${viber})`),
  ).toEqual([]);
});

test('a person with only an ID can be opened, exported, and erased', async () => {
  const viber = newViberId();
  await add({ number: viber, first_name: 'Vera' });
  const path = `/v1/people/${encodeURIComponent(viber)}`;
  expect((await owner.get(`${path}/records`)).body.data[0]).toMatchObject({ name: 'viber_id', value: viber });
  expect((await owner.post(`${path}/erasure`, { number: viber })).status).toBe(202);
  await until('the person is erased', async () => (await person(viber)) === undefined);
});
