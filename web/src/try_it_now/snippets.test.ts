import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SNIPPETS } from './snippets.ts';

const NASTY = `It's "fine" $HOME \`id\` \\ {first_name}\n😀`;
const request = {
  origin: 'http://localhost:4000',
  key: 'parley_test',
  body: { from: 'Harbour', to: ['4917604069077'], channel: 'SMS', text: NASTY, test: true },
};
const snippet = (language: string) => SNIPPETS.find(({ value }) => value === language)!.write(request);

test('the curl command passes the body unchanged through a shell', () => {
  const script = snippet('curl')
    .replace(/^curl /, 'set -- ')
    .replace('$(uuidgen)', 'key');
  const output = execFileSync('sh', ['-c', `${script}\nfor last; do :; done\nprintf %s "$last"`], { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual({ data: request.body });
});

test('the JavaScript snippet sends the same body', async () => {
  let call: { url: string; body: string } | undefined;
  const fetch = async (url: string, { body }: { body: string }) => {
    call = { url, body };
    return Response.json({ data: [{ id: 'm', status: 'enroute' }] });
  };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction('fetch', 'console', snippet('javascript'))(fetch, { log() {} });
  expect(call!.url).toBe('http://localhost:4000/v1/messages');
  expect(JSON.parse(call!.body)).toEqual({ data: request.body });
});
