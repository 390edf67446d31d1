/** `parley mcp`: an agent that starts its MCP server as a program. */
import type { Permissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { createWorld, until, type World } from '../world.ts';
import { makeCable, makeProgram, type Running, removeHome } from './program.ts';

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

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

interface Agent {
  key: string;
  program: Running;
  request(id: number | string, method: string, params?: object): void;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary results
  response(id: number | string): Promise<any>;
}

async function startAgent(url = world.url, permissions: Permissions = { MESSAGES: 3, SENDERS: 1 }): Promise<Agent> {
  const key = await makeKey(world.kernel, company.account_id, permissions);
  const home = await makeProgram({ PARLEY_URL: url, PARLEY_API_KEY: key });
  const program = home.start(['mcp']);
  onTestFinished(async () => {
    await program.stop('SIGKILL');
    await removeHome(home);
  });
  return {
    key,
    program,
    request(id, method, params = {}) {
      program.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    },
    async response(id) {
      const find = () => program.lines().find((line) => line.id === id);
      await until(`the response ${id} arrives`, () => find() !== undefined);
      return find();
    },
  };
}

test('an agent initializes, lists its tools, rehearses, and sends, and its requests run at the same time', async () => {
  const { program, request, response } = await startAgent();
  request('start', INITIALIZE.method, INITIALIZE.params);
  expect((await response('start')).result).toMatchObject({ protocolVersion: '2025-06-18' });
  program.child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\r\n\n');
  request(1, 'tools/list');
  const args = { channel: 'SMS', from, to: ['447410000123'], text: 'Zoë 👋\u2028' };
  request(2, 'tools/call', { name: 'send_message', arguments: args });
  request(3, 'tools/call', { name: 'send_message', arguments: { ...args, confirm: true } });
  const names = (await response(1)).result.tools.map(({ name }: { name: string }) => name);
  expect(names).toContain('send_message');
  expect(names).not.toContain('list_audiences');
  expect((await response(2)).result.structuredContent).toMatchObject({ rehearsal: true });
  expect((await response(3)).result.structuredContent.data[0]).toMatchObject({ text: args.text, status: 'enroute' });
  program.child.stdin!.end();
  expect((await program.finished).code).toBe(0);
});

test('a message above the cap of the key is sent over stdio with the token of a person, once', async () => {
  const { key, request, response } = await startAgent();
  await world.kernel.db.run(sql`
    update api_keys set approval_recipients = 0
    where account_id = ${company.account_id} and hint = ${key.slice(-4)}`);
  request('start', INITIALIZE.method, INITIALIZE.params);
  await response('start');
  const args = { channel: 'SMS', from, to: ['447410000124'], text: 'Your table is ready', confirm: true };
  const send = async (id: number, more: object) => {
    request(id, 'tools/call', { name: 'send_message', arguments: { ...args, ...more } });
    return (await response(id)).result.structuredContent;
  };
  const { approval } = await send(1, {});
  const decided = await world.as(company.token).put(`/v1/send_approvals/${approval.id}`, { status: 'approved' });
  const { token } = decided.body.data;
  expect((await send(2, { approval_token: token, text: 'Another text' })).errors[0].code).toBe(2377);
  expect((await send(3, { approval_token: token })).data[0]).toMatchObject({ status: 'enroute' });
  expect((await send(4, { approval_token: token })).errors[0].code).toBe(2377);
});

test('broken input, a lost connection, and a revoked key are errors of their request only', async () => {
  const cable = await makeCable(world.url);
  const { key, program, request, response } = await startAgent(cable.url);
  request('start', INITIALIZE.method, INITIALIZE.params);
  await response('start');
  program.child.stdin!.write('{"broken\u0000\n');
  await until('the error arrives', () => program.lines().length === 2);
  expect(program.lines()[1]).toMatchObject({ id: null, error: { code: -32700 } });
  request(1, 'tools/call', { name: 'list_senders', arguments: { filter: { search: 'a'.repeat(1_200_000) } } });
  expect((await response(1)).error.message).toContain('code 1008');
  cable.cut();
  request(2, 'tools/list');
  expect((await response(2)).error.code).toBe(-32603);
  cable.restore();
  request(3, 'tools/list');
  expect((await response(3)).result.tools.length).toBeGreaterThan(0);
  await world.kernel.db.run(sql`
    delete from api_keys where account_id = ${company.account_id} and hint = ${key.slice(-4)}`);
  request(4, 'tools/list');
  expect((await response(4)).error.message).toContain('code 1101');
  expect((await program.stop()).code).toBe(130);
});

test('a program without a login ends immediately', async () => {
  const home = await makeProgram();
  expect(await home.run(['mcp'], { input: '' })).toMatchObject({ code: 3, stdout: '' });
  await removeHome(home);
});
