/** The official MCP client uses the tools over both transports: streamable HTTP, and the program over stdio. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '../make.ts';
import { createWorld, type World } from '../world.ts';
import { makeProgram, removeHome } from './program.ts';

let world: World;
let company: Company;
let from: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  from = (await makeSender(world.kernel, company.account_id)).code;
});
afterAll(() => world?.stop());

const makeAgentKey = () => makeKey(world.kernel, company.account_id, { MESSAGES: 3, SENDERS: 1 });

const TRANSPORTS = {
  'streamable HTTP': async () =>
    new StreamableHTTPClientTransport(new URL('/mcp', world.url), {
      requestInit: { headers: { authorization: `Bearer ${await makeAgentKey()}` } },
    }),
  stdio: async () => {
    const program = await makeProgram({ PARLEY_URL: world.url, PARLEY_API_KEY: await makeAgentKey() });
    onTestFinished(() => removeHome(program));
    return new StdioClientTransport(program.command(['mcp']));
  },
};

test.for(Object.entries(TRANSPORTS))('an agent rehearses and sends a message over %s', async ([name, connect]) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(await connect());
  onTestFinished(() => client.close());
  expect(client.getServerVersion()?.name).toBe('parley');
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['send_message', 'list_senders']));

  const message = { channel: 'SMS', from, to: [testNumber(1)], text: `Your order is ready (${name}) 👋` };
  const rehearsal = await client.callTool({ name: 'send_message', arguments: message });
  expect(rehearsal.structuredContent).toMatchObject({ rehearsal: true });
  const sent = await client.callTool({ name: 'send_message', arguments: { ...message, confirm: true } });
  expect(sent.structuredContent).toMatchObject({ data: [{ text: message.text }] });
  const { structuredContent } = await client.callTool({ name: 'list_messages', arguments: {} });
  const texts = (structuredContent as { data: { text: string }[] }).data.map(({ text }) => text);
  expect(texts.filter((text) => text === message.text)).toHaveLength(1);

  const refused = await client.callTool({ name: 'send_message', arguments: { ...message, from: 'nobody' } });
  expect(refused.isError).toBe(true);
});
