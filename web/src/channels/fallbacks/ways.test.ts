import { createMessage } from '@parley/contract/messages/messages.ts';
import { expect, test } from 'vitest';
import { addWay, changeWay, fallbacksOf, freeChannels, mayAdd, moveWay, type Way, wayFindings } from './ways.ts';

const BEGIN = { wait: 30, unit: 'seconds' } as const;
const words = { text: 'Your order is ready' };
const full = (): Way[] => {
  const [one] = addWay('WHATSAPP', [], BEGIN);
  const ways = addWay('WHATSAPP', [one!], BEGIN);
  return ways.map((way) => ({ ...way, from: 'Harbour' }));
};
const said = (ways: readonly Way[], given = words) =>
  wayFindings('WHATSAPP', ways, given).map(({ field, message }) => `${field}: ${message}`);

test('each new way is on the best channel that is left, until none is', () => {
  const ways = full();
  expect(ways.map(({ channel }) => channel)).toEqual(['VIBER', 'SMS']);
  expect(mayAdd('WHATSAPP', ways)).toBe(false);
  expect(freeChannels('SMS', [])).toEqual(['WHATSAPP', 'VIBER']);
  expect(addWay('WHATSAPP', ways, BEGIN)).toEqual(ways);
  const moved = moveWay(ways, 1, -1);
  expect(moved.map(({ channel }) => channel)).toEqual(['SMS', 'VIBER']);
  expect(moveWay(moved, 0, -1)).toEqual(moved);
});

test('what is sent is what the API takes: words of the message, other words or a template, and a wait but for a failure', () => {
  let ways = full();
  ways = changeWay(ways, ways[0]!.key, {
    wait: 2,
    unit: 'minutes',
    trigger: 'unread',
    says: 'other',
    text: ' Ready! ',
  });
  ways = changeWay(ways, ways[1]!.key, { trigger: 'failed' });
  const fallbacks = fallbacksOf(ways, words);
  expect(fallbacks).toEqual([
    { channel: 'VIBER', from: 'Harbour', text: 'Ready!', trigger: 'unread', wait_seconds: 120 },
    { channel: 'SMS', from: 'Harbour', text: words.text, trigger: 'failed' },
  ]);
  const body = { from: 'x', to: ['4917604069077'], channel: 'WHATSAPP', text: 'x', fallbacks };
  expect(createMessage.body!.safeParse(body).success).toBe(true);
  expect(said(ways)).toEqual([]);
  const template = { template: '0197a5f0-0000-7000-8000-0000000000ac', variables: ['Ada'], text: 'Hello Ada' };
  ways = changeWay(ways, ways[1]!.key, { says: 'template', template });
  expect(fallbacksOf(ways, words)[1]).toEqual({
    ...{ channel: 'SMS', from: 'Harbour', trigger: 'failed' },
    ...{ template: template.template, variables: ['Ada'] },
  });
});

test.each<[string, (ways: Way[]) => Way[], string]>([
  ['no sender', ([one]) => [{ ...one!, from: ' ' }], 'fallbacks.0.from'],
  ['no wait', ([one]) => [{ ...one!, wait: '' }], 'fallbacks.0.wait_seconds'],
  ['too short a wait', ([one]) => [{ ...one!, wait: 29 }], 'fallbacks.0.wait_seconds'],
  ['too long a wait', ([one]) => [{ ...one!, wait: 25, unit: 'hours' }], 'fallbacks.0.wait_seconds'],
  [
    'waits longer than it is worth',
    (ways) => ways.map((way) => ({ ...way, wait: 13, unit: 'hours' })),
    'fallbacks.1.wait_seconds',
  ],
  ['the channel of the message', ([one]) => [{ ...one!, channel: 'WHATSAPP' }], 'fallbacks.0.channel'],
  ['one channel twice', ([one, two]) => [one!, { ...two!, channel: 'VIBER' }], 'fallbacks.1.channel'],
  ['unread after an SMS', ([one, two]) => [two!, { ...one!, trigger: 'unread' }], 'fallbacks.1.trigger'],
  ['no words', ([one]) => [{ ...one!, says: 'other', text: ' ' }], 'fallbacks.0.text'],
  ['too many words', ([one]) => [{ ...one!, says: 'other', text: 'a'.repeat(1_001) }], 'fallbacks.0.text'],
  ['no template', ([one]) => [{ ...one!, says: 'template' }], 'fallbacks.0.template'],
])('said at its field: %s', (_, change, field) => {
  const fields = wayFindings('WHATSAPP', change(full()), words).map((one) => one.field);
  expect(new Set(fields)).toEqual(new Set([field]));
});

test('a message that says nothing says nothing on its other ways', () => {
  expect(said(full(), { text: '' })).toHaveLength(2);
  expect(wayFindings('SMS', [], { text: '' })).toEqual([]);
});
