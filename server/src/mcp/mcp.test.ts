import type { Permissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeSender, testNumber } from '../test/make.ts';
import { type Caller, createWorld, type Reply, until, type World } from '../test/world.ts';

let world: World;
let company: Company;
let owner: Caller;
let from: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
});
afterAll(() => world?.stop());

interface Agent {
  request(method: string, params?: object): Promise<Reply>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary results
  call(name: string, args?: object): Promise<any>;
  tools(): Promise<string[]>;
}

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Speaks JSON-RPC over streamable HTTP, like the clients of agents. */
function agent(key: string, headers: Record<string, string> = {}): Agent {
  const request = async (method: string, params: object = {}): Promise<Reply> => {
    const reply = await world.as().raw('/mcp', {
      method: 'POST',
      headers: { ...ACCEPT, authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const data = /^data: (.+)$/m.exec(reply.text)?.[1];
    return data ? { ...reply, body: JSON.parse(data) } : reply;
  };
  return {
    request,
    async call(name, args = {}) {
      const { body } = await request('tools/call', { name, arguments: args });
      const { result } = body;
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
      return { ...result.structuredContent, isError: result.isError ?? false };
    },
    tools: async () => (await request('tools/list')).body.result.tools.map(({ name }: { name: string }) => name),
  };
}

const SENDER = { MESSAGES: 3, SENDERS: 1, PAYMENTS: 1 };
const makeAgent = async (permissions: Permissions = SENDER, fields: object = {}) => {
  const { id, key } = (await owner.post('/v1/keys', { name: 'Agent', permissions, ...fields })).body.data;
  return { id, key, agent: agent(key) };
};
const sms = (fields: object = {}) => ({
  channel: 'SMS',
  from,
  to: [testNumber(1)],
  text: 'Your order is ready',
  ...fields,
});
const messageCount = async () =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from messages where account_id = ${company.account_id}`,
    )
  ).count;

test('an agent connects and sees exactly the tools of its scopes', async () => {
  const { agent } = await makeAgent();
  const { body } = await agent.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  expect(body.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
  expect(await agent.tools()).toEqual([
    'send_message',
    'list_messages',
    'get_message',
    'list_conversations',
    'list_conversation_messages',
    'list_senders',
    'list_templates',
    'get_template',
    'get_balance',
    'get_verification_figures',
  ]);
  expect(await (await makeAgent({ MESSAGES: 1 })).agent.tools()).not.toContain('send_message');
  expect(await (await makeAgent({ SHORT_URLS: 3 }, { spend_limit_micros: 1 })).agent.tools()).toEqual(['get_lookup']);
  const { tools } = (await agent.request('tools/list')).body.result;
  expect(tools[0].inputSchema).toMatchObject({ type: 'object', required: ['from', 'to', 'channel'] });
  expect(tools[0].inputSchema.properties).toHaveProperty('confirm');
});

test('a rehearsal sends nothing, costs nothing, and has the price of the message', async () => {
  const { agent } = await makeAgent(SENDER, { spend_limit_micros: 1_000_000 });
  const before = [await messageCount(), await agent.call('get_balance')];
  const rehearsal = await agent.call('send_message', sms({ text: 'é'.repeat(200), confirm: 'true' }));
  expect(rehearsal).toMatchObject({ rehearsal: true, isError: false, data: { messages: [{ segments_count: 2 }] } });
  expect([await messageCount(), await agent.call('get_balance')]).toEqual(before);
  const sent = await agent.call('send_message', sms({ text: 'é'.repeat(200), confirm: true }));
  expect(sent.data[0].price_micros).toBeGreaterThan(0);
  expect(sent.data[0].price_micros).toBe(rehearsal.data.total_micros);
  expect(sent.data[0].segments_count).toBe(2);
  expect(await messageCount()).toBe((before[0] as number) + 1);
});

test('a rehearsal names the reasons for which the message would be refused', async () => {
  const { agent } = await makeAgent();
  await owner.post('/v1/stop_list', { number: testNumber(9) });
  expect(await agent.call('send_message', sms({ to: [testNumber(9)] }))).toMatchObject({
    isError: true,
    errors: [{ path: '/v1/message_rehearsals' }],
  });
  const poor = await makeAgent(SENDER, { spend_limit_micros: 1 });
  expect((await poor.agent.call('send_message', sms())).errors[0].code).toBe(2411);
});

test('a repeated call with the same idempotency key sends one message', async () => {
  const { agent } = await makeAgent();
  const args = sms({ confirm: true, idempotency_key: 'order-1' });
  const [first, second] = [await agent.call('send_message', args), await agent.call('send_message', args)];
  expect(second.data[0].id).toBe(first.data[0].id);
});

test('each call of a tool is in the request log with its key, including refused ones', async () => {
  const { id, agent } = await makeAgent({ MESSAGES: 1 });
  await agent.call('list_messages', { page_size: 20, filter: { statuses: ['sent', 'failed'] } });
  expect((await agent.call('send_message', sms({ confirm: true }))).errors[0].code).toBe(1136);
  expect((await agent.call('list_messages', { wrong: 1 })).errors[0].field).toBe('wrong');
  await until('the calls are in the log', async () => {
    const { data } = (await owner.get(`/v1/api_requests?filter[key_ids]=${id}`)).body;
    const lines = data.map(
      (row: { method: string; path: string; status: number }) =>
        `${row.method} ${row.path.split('?')[0]} ${row.status}`,
    );
    return lines.sort().join() === 'GET /v1/messages 200,GET /v1/messages 400,POST /v1/messages 403';
  });
});

test('an agent cannot reach the data of other accounts', async () => {
  const stranger = await makeCompany(world.kernel);
  const audience = await makeAudience(world.kernel, stranger.account_id, []);
  const { agent } = await makeAgent({ AUDIENCES: 15, PAYMENTS: 1 });
  const contact = { number: testNumber(2), first_name: 'Zoë 👋' };
  expect((await agent.call('create_contact', { audience_id: audience, ...contact })).errors[0].code).toBe(1301);
  expect((await agent.call('get_audience', { audience_id: '../balances' })).isError).toBe(true);
  expect((await agent.call('get_balance', { id: stranger.account_id })).isError).toBe(true);
  const own = await makeAudience(world.kernel, company.account_id, []);
  expect((await agent.call('create_contact', { audience_id: own, ...contact })).data.first_name).toBe('Zoë 👋');
});

test('a test key works on test messages and refuses live data', async () => {
  const { agent } = await makeAgent({ MESSAGES: 3, CAMPAIGNS: 1 }, { test: true });
  const tools = await agent.tools();
  expect(tools).toContain('list_campaigns');
  expect((await agent.call('list_campaigns')).data).toEqual([]);
  expect(tools).not.toContain('list_conversations');
  expect((await agent.call('list_conversations')).errors[0].code).toBe(2409);
  expect((await agent.call('send_message', sms())).data.total_micros).toBeOneOf([0, null]);
  expect((await agent.call('send_message', sms({ confirm: true }))).data[0].test).toBe(true);
});

test('a key that is deleted stops working at the next call', async () => {
  const { id, agent } = await makeAgent();
  expect((await agent.call('list_senders')).isError).toBe(false);
  await owner.delete(`/v1/keys/${id}`);
  const refused = await agent.request('tools/call', { name: 'list_senders', arguments: {} });
  expect([refused.status, refused.body.errors[0].code]).toEqual([401, 1101]);
});

test('requests without a key, from other hosts, with bad JSON, or too large are refused', async () => {
  const { key, agent: good } = await makeAgent();
  const status = async (promise: Promise<Reply>) => (await promise).status;
  expect(await status(world.as().raw('/mcp', { method: 'POST', headers: ACCEPT, body: '{}' }))).toBe(401);
  expect(await status(agent(company.token).request('tools/list'))).toBe(401);
  expect(await status(agent(key, { origin: 'https://evil.example' }).request('tools/list'))).toBe(403);
  const inject = (host: string) =>
    world.app!.api!.http.inject({ method: 'POST', url: '/mcp', headers: { host, 'x-api-key': key }, payload: {} });
  expect((await inject('evil.example')).statusCode).toBe(403);
  expect((await inject('localhost:4000')).statusCode).not.toBe(403);
  expect(
    await status(good.request('tools/call', { name: 'send_message', arguments: { text: 'a'.repeat(1_100_000) } })),
  ).toBe(413);
  expect(await status(world.as({ key }).raw('/mcp', { method: 'POST', headers: ACCEPT, body: '{' }))).toBe(400);
  expect((await good.call('send_message', sms({ text: 'a\0b' }))).errors[0].code).toBe(1705);
  expect((await good.call('launch_rockets')).isError).toBe(true);
  expect(await status(world.as({ key }).raw('/mcp', { method: 'GET', headers: ACCEPT }))).toBe(405);
});

test('a message above the cap of its key needs a token of a person, once, for exactly this message', async () => {
  const { id, key, agent } = await makeAgent(SENDER, { approval_recipients: 1 });
  const other = await makeAgent(SENDER, { approval_recipients: 0 });
  const args = sms({ to: [testNumber(11), testNumber(12)], confirm: true });
  expect((await agent.call('send_message', { ...args, confirm: false })).data.needs_approval).toBe(true);
  expect((await agent.call('send_message', sms())).data.needs_approval).toBe(false);
  const before = await messageCount();
  const asked = await agent.call('send_message', args);
  expect(asked.isError).toBe(true);
  expect(asked.approval.url).toBe(`${world.kernel.config.PUBLIC_URL}/apis/approvals?open=${asked.approval.id}`);
  expect((await agent.call('send_message', args)).approval.id).toBe(asked.approval.id);
  const path = `/v1/send_approvals/${asked.approval.id}`;
  expect((await owner.get(path)).body.data).toMatchObject({ status: 'pending', key_id: id, token: null });
  expect((await world.as({ key }).put(path, { status: 'approved' })).status).toBe(403);
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect((await stranger.put(path, { status: 'approved' })).body.errors[0].code).toBe(2378);
  const { token } = (await owner.put(path, { status: 'approved' })).body.data;
  expect((await owner.put(path, { status: 'declined' })).body.errors[0].code).toBe(2379);
  expect((await owner.get(path)).body.data.token).toBe(null);
  const code = async (who: Agent, fields: object) =>
    (await who.call('send_message', { ...args, ...fields })).errors[0].code;
  expect(await code(agent, { text: 'Another text', approval_token: token })).toBe(2377);
  expect(await code(other.agent, { approval_token: token })).toBe(2377);
  expect(await code(agent, { approval_token: 'wrong' })).toBe(2377);
  expect(await messageCount()).toBe(before);
  const tries = await Promise.all([1, 2, 3].map(() => agent.call('send_message', { ...args, approval_token: token })));
  expect(tries.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(await messageCount()).toBe(before + 2);
  expect((await owner.get(path)).body.data.status).toBe('used');
});

test('a declined or expired approval sends nothing, and a key needs no approval up to its cap', async () => {
  const { agent } = await makeAgent(SENDER, { approval_recipients: 2 });
  for (const n of [21, 22])
    expect((await agent.call('send_message', sms({ to: [testNumber(n)], confirm: true }))).isError).toBe(false);
  const args = sms({ to: [testNumber(23)], confirm: true });
  const { approval } = await agent.call('send_message', args);
  expect((await owner.put(`/v1/send_approvals/${approval.id}`, { status: 'declined' })).body.data.token).toBe(null);
  const again = await agent.call('send_message', args);
  expect(again.approval.id).not.toBe(approval.id);
  const { token } = (await owner.put(`/v1/send_approvals/${again.approval.id}`, { status: 'approved' })).body.data;
  await world.kernel.db.run(sql`
    update send_approvals set expire_date = now() - interval '1 second' where id = ${again.approval.id}`);
  expect((await agent.call('send_message', { ...args, approval_token: token })).errors[0].code).toBe(2377);
  expect((await owner.get('/v1/send_approvals')).body.data[0]).toMatchObject({ status: 'expired', key_name: 'Agent' });
});

test('an agent reads the conversations that the scopes of its key cover, and their messages', async () => {
  const { sender_id } = await makeSender(world.kernel, company.account_id);
  const ids = [newId(), newId()] as const;
  for (const [index, id] of ids.entries())
    await world.kernel.db.run(sql`
      insert into conversations (account_id, id, channel, sender_id, number, timestamp, assignee_id)
      values (${company.account_id}, ${id}, 'SMS', ${sender_id}, ${testNumber(40 + index)}, now(),
              ${index === 0 ? null : company.user_id})`);
  const listed = async (permissions: Permissions) => {
    const { agent } = await makeAgent(permissions);
    const { data, isError } = await agent.call('list_conversations', { page_size: 20 });
    return { agent, isError, ids: (data ?? []).map((row: { id: string }) => row.id).toSorted() };
  };
  // A key has no conversations of its own, so MESSAGES view alone covers none.
  expect(await listed({ MESSAGES: 1 })).toMatchObject({ isError: false, ids: [] });
  const unassigned = await listed({ CONVERSATIONS: 1 });
  expect(unassigned.ids).toEqual([ids[0]]);
  expect((await listed({ CONVERSATIONS: 3 })).ids).toEqual(ids.toSorted());
  expect((await (await makeAgent({ SENDERS: 1 })).agent.call('list_conversations')).errors[0].code).toBe(1136);
  const messages = (conversation_id: string) =>
    unassigned.agent.call('list_conversation_messages', { conversation_id });
  expect(await messages(ids[0])).toMatchObject({ isError: false, data: [] });
  expect((await messages(ids[1])).errors[0].code).toBe(1653);
  const stranger = await makeCompany(world.kernel);
  const { key } = (await world.as(stranger.token).post('/v1/keys', { name: 'A', permissions: { CONVERSATIONS: 3 } }))
    .body.data;
  expect((await agent(key).call('list_conversation_messages', { conversation_id: ids[0] })).errors[0].code).toBe(1651);
});
