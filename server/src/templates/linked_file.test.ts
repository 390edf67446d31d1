import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type GuardedFetch, type GuardedResponse, OutboundError } from '../kernel/http/outbound.ts';
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

test('a linked file is uploaded like a file of ours', async () => {
  const media = await readLink(answering({}), link, 'WHATSAPP');
  expect(media).toMatchObject({ key: null, content_type: 'image/png', bytes: 3, link: link.link });
  expect((await buffer(await media.open!())).toString()).toBe('png');
});

test.each([
  ['it is not there', answering({ status: 404 }), 'the response has status 404'],
  ['it is too large', answering({ truncated: true }), 'larger than 5 MB'],
  [
    'it leads into our own network',
    async () => {
      throw new OutboundError('address', 'This address is not allowed');
    },
    'This address is not allowed',
  ],
])('refused for good: %s', async (_, fetch, words) => {
  await expect(readLink(fetch, link, 'WHATSAPP')).rejects.toMatchObject({
    name: 'CarrierRefusal',
    code: 'link',
    message: expect.stringContaining(words),
  });
});

const away = async () => {
  throw new OutboundError('network', 'No answer');
};

test.each([
  ['a server that is away', answering({ status: 503 }), 'the response has status 503'],
  ['nobody there', away, 'No answer'],
])('asked again, and then refused: %s', async (_, fetch, words) => {
  let asked = 0;
  const counted: GuardedFetch = (...given) => {
    asked++;
    return (fetch as GuardedFetch)(...given);
  };
  await expect(readLink(counted, link, 'WHATSAPP', [0, 0])).rejects.toMatchObject({
    name: 'CarrierRefusal',
    message: words,
  });
  expect(asked).toBe(3);
});

test('a server that recovers is read', async () => {
  let asked = 0;
  const fetch = async (url: string) => (++asked < 3 ? away() : answering({})(url));
  expect(await readLink(fetch, link, 'WHATSAPP', [0, 0])).toMatchObject({ bytes: 3 });
});
