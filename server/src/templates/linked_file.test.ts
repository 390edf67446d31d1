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

test('a linked file is uploaded like a stored file', async () => {
  const media = await readLink(answering({}), link, 'WHATSAPP');
  expect(media).toMatchObject({ key: null, content_type: 'image/png', bytes: 3, link: link.link });
  expect((await buffer(await media.open!())).toString()).toBe('png');
});

test.each([
  ['the file does not exist', answering({ status: 404 }), 'the response has status 404'],
  ['the file is too large', answering({ truncated: true }), 'larger than 5 MB'],
  [
    'the link points to a private network',
    async () => {
      throw new OutboundError('address', 'This address is not allowed');
    },
    'This address is not allowed',
  ],
])('a linked file is refused without a retry when %s', async (_, fetch, expected) => {
  await expect(readLink(fetch, link, 'WHATSAPP')).rejects.toMatchObject({
    name: 'CarrierRefusal',
    code: 'link',
    message: expect.stringContaining(expected),
  });
});

const unreachable = async () => {
  throw new OutboundError('network', 'No response');
};

test.each([
  ['its server is unavailable', answering({ status: 503 }), 'the response has status 503'],
  ['its server is unreachable', unreachable, 'No response'],
])('a linked file is requested three times and then refused when %s', async (_, fetch, expected) => {
  let requests = 0;
  const countingFetch: GuardedFetch = (...args) => {
    requests++;
    return (fetch as GuardedFetch)(...args);
  };
  await expect(readLink(countingFetch, link, 'WHATSAPP', [0, 0])).rejects.toMatchObject({
    name: 'CarrierRefusal',
    message: expected,
  });
  expect(requests).toBe(3);
});

test('a linked file is read after its server recovers', async () => {
  let requests = 0;
  const fetch = async (url: string) => (++requests < 3 ? unreachable() : answering({})(url));
  expect(await readLink(fetch, link, 'WHATSAPP', [0, 0])).toMatchObject({ bytes: 3 });
});
