import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type GuardedResponse, OutboundError } from '../kernel/outbound.ts';
import { outgoingLink } from '../media/media.ts';
import { readLink } from './linked_file.ts';

const link = outgoingLink('image', 'https://a.example/spring%20sale.png?v=2');
const answering = (change: Partial<GuardedResponse>) => async (url: string) => ({
  status: 200,
  headers: { 'content-type': 'image/png; charset=binary' },
  body: Buffer.from('png'),
  truncated: false,
  url,
  ...change,
});

test('what is behind a link is handed over as a file would be', async () => {
  const media = await readLink(answering({}), link);
  expect(media).toMatchObject({ key: null, content_type: 'image/png', bytes: 3, link: link.link });
  expect((await buffer(await media.open!())).toString()).toBe('png');
});

test.each([
  ['it is not there', answering({ status: 404 }), 'the link to the file answers 404'],
  ['it is too large', answering({ truncated: true }), 'larger than 5 MB'],
  [
    'it leads into our own network',
    async () => {
      throw new OutboundError('address', 'This address is not allowed');
    },
    'This address is not allowed',
  ],
])('refused for good: %s', async (_, fetch, words) => {
  await expect(readLink(fetch, link)).rejects.toMatchObject({
    name: 'CarrierRefusal',
    code: 'link',
    message: expect.stringContaining(words),
  });
});

test.each([
  ['it is away', answering({ status: 503 })],
  [
    'the network is',
    async () => {
      throw new OutboundError('network', 'No answer');
    },
  ],
])('tried again later: %s', async (_, fetch) => {
  await expect(readLink(fetch, link)).rejects.not.toMatchObject({ name: 'CarrierRefusal' });
});
