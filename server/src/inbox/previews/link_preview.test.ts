import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { makeConversation } from '../../test/inbox/conversations.ts';
import { makeCompany, makeSender, makeUser, testNumber } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { readPage } from './page_texts.ts';

const PAGE = `<html><head><title> Own title </title>
  <meta content="Spring &amp; summer &#128512;&lt;script&gt;" property='og:title'>
  <meta name=description content="All\nabout\tit"></head></html>`;

let world: World;
let server: Server;
let origin: string;
let requests = 0;
let owner: Caller;
let account_id: string;
let sender_id: string;
let next = 0;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  server = createServer((request, response) => {
    requests++;
    if (request.url === '/moved') return response.writeHead(302, { location: '/page' }).end();
    if (request.url === '/inside') return response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    const type = request.url === '/file' ? 'application/pdf' : 'text/html; charset=utf-8';
    return response.writeHead(200, { 'content-type': type }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const company = await makeCompany(world.kernel);
  account_id = company.account_id;
  owner = world.as(company.token);
  ({ sender_id } = await makeSender(world.kernel, account_id));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await world.stop();
});

async function write(text: string): Promise<{ id: string; message_id: string }> {
  const id = await makeConversation(world.kernel, { account_id, sender_id, number: testNumber(next++), texts: [text] });
  return { id, message_id: (await owner.get(`/v1/conversations/${id}/messages`)).body.data[0].id };
}
const preview = ({ id, message_id }: { id: string; message_id: string }, caller = owner) =>
  caller.get(`/v1/conversations/${id}/link_preview?message_id=${message_id}`);

test('the first link of a message is fetched once, and its page becomes plain text', async () => {
  const message = await write(`See ${origin}/moved, and call`);
  const before = requests;
  expect((await preview(message)).body.data).toEqual({
    url: `${origin}/moved`,
    host: origin.slice('http://'.length),
    title: 'Spring & summer 😀<script>',
    description: 'All about it',
  });
  await Promise.all([preview(message), preview(message)]);
  expect(requests - before).toBe(2);
});

test('files, private networks, and messages without a link have no preview', async () => {
  const links = [`${origin}/file`, `${origin}/inside`, 'http://10.0.0.1/', 'no link'];
  for (const text of links) expect((await preview(await write(text))).body).toEqual({ data: null });
});

test('only users who can view the conversation get a preview, and only of its messages', async () => {
  const message = await write(`${origin}/page`);
  const other = await write('Hello');
  expect((await preview({ id: other.id, message_id: message.message_id })).body.data).toBeNull();
  expect((await preview({ id: message.id, message_id: newId() })).body.data).toBeNull();
  expect((await preview(message, world.as((await makeCompany(world.kernel)).token))).status).toBe(404);
  const agent = await makeUser(world.kernel, account_id, { permissions: { MESSAGES: 3 } });
  expect((await preview(message, world.as(agent.token))).status).toBe(403);
});

test('pages with other alphabets, unknown charsets, and broken tags are read', () => {
  const read = (html: string, type = 'text/html') => readPage(Buffer.from(html, 'latin1'), type)?.title;
  expect(read('<title>caf\u00e9</title>', 'text/html; charset=iso-8859-1')).toBe('café');
  expect(read('<title>x</title>', 'text/html; charset=none-such')).toBe('x');
  expect(read('<title>&#0;&#9999999;a&unknown;</title>')).toBe('a&unknown;');
  expect(read(`<meta property="og:title" ${'a'.repeat(50_000)}`)).toBeUndefined();
  expect(read('<title>   </title>')).toBeUndefined();
});
