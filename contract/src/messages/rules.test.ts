import { describe, expect, test } from 'vitest';
import type { ChannelName } from '../channels/names.ts';
import { purposes } from '../channels/viber/purposes.ts';
import type { MessageBody } from './messages.ts';
import { freeContent, readMessage } from './rules.ts';

const ID = '0192f0c1-2b3c-7def-8a12-345678901234';
const codes = (channel: ChannelName, body: MessageBody) =>
  readMessage(channel, body).findings.map(({ code, field }) => `${code} ${field}`);
const link = 'https://example.com/a.jpg';

describe('a message reads the same however it is written', () => {
  const button = { type: 'link', text: 'Shop', value: 'https://example.com/s' } as const;
  test.each<[string, MessageBody]>([
    ['nested', { button: { text: 'Shop', value: 'https://example.com/s' } }],
    ['nested, with older names', { button: { caption: 'Shop', url: 'https://example.com/s' } }],
    ['in a list', { buttons: [{ type: 'LINK', text: 'Shop', value: 'https://example.com/s' }] }],
    ['in three fields', { button_type: 'call_to_action', button_text: 'Shop', button_value: 'https://example.com/s' }],
  ])('a button %s', (_, body) => {
    const { draft, findings } = readMessage('VIBER', { type: 'IMAGE', text: 'Sale', url: link, ...body });
    expect(findings).toEqual([]);
    expect(draft).toMatchObject({ type: 'image', buttons: [button] });
  });

  test('a quick reply needs no value, and digits make a phone call', () => {
    expect(
      readMessage('WHATSAPP', { text: 'Well?', button_type: 'quick_reply', button_text: 'Yes' }).draft.buttons,
    ).toEqual([{ type: 'quick_reply', text: 'Yes', value: '' }]);
    expect(readMessage('WHATSAPP', { text: 'Well?', button: { text: 'Yes' } }).draft.buttons[0]?.type).toBe(
      'quick_reply',
    );
    expect(
      readMessage('WHATSAPP', { text: 'x', button: { type: 'CALL_TO_ACTION', text: 'Call', value: '+4420' } }).draft
        .buttons[0],
    ).toEqual({ type: 'phone_call', text: 'Call', value: '+4420' });
  });

  test('a document has two names for its file name, and a purpose can be an older type', () => {
    const url = 'https://example.com/bill.pdf';
    for (const name of [{ file_name: 'Bill_1' }, { filename: 'Bill_1' }])
      expect(readMessage('WHATSAPP', { type: 'document', url, ...name })).toMatchObject({
        findings: [],
        draft: { file_name: 'Bill_1' },
      });
    for (const asked of [{ purpose: 'TRANSACTIONAL' }, { type: 'TRANSACTIONAL' }])
      expect(readMessage('VIBER', { template: ID, ...asked })).toMatchObject({
        findings: [],
        draft: { purpose: 'transactional', type: 'text', template: ID },
      });
  });
});

describe('a message that cannot be sent has the problem of the catalog', () => {
  test.each<[string, ChannelName, MessageBody, string[]]>([
    ['nothing by SMS', 'SMS', {}, ['1508 text']],
    ['an image by SMS', 'SMS', { type: 'image', url: link, text: 'x' }, ['1518 type']],
    ['a link as a file by SMS', 'SMS', { url: link, text: 'x' }, ['1518 type']],
    ['a sound by SMS', 'SMS', { type: 'audio', text: 'x' }, ['1518 type']],
    ['a button by SMS', 'SMS', { text: 'x', button: { text: 'Yes' } }, ['1519 button']],
    ['a template and a text by SMS', 'SMS', { template: ID, text: 'x' }, ['1509 text']],
    ['nothing by WhatsApp', 'WHATSAPP', {}, ['1508 text']],
    ['only blanks', 'VIBER', { text: ' \n' }, ['1508 text']],
    ['a file of no type', 'WHATSAPP', { url: link, text: 'x' }, ['1534 type']],
    ['a type of no file', 'WHATSAPP', { type: 'image' }, ['1532 url']],
    ['a document of no file', 'VIBER', { type: 'document' }, ['1533 url']],
    ['a document of no name', 'VIBER', { type: 'document', url: 'https://example.com/a.pdf' }, ['1533 url']],
    ['a sound', 'WHATSAPP', { type: 'audio', text: 'x' }, ['1548 type']],
    ['a text with a file', 'VIBER', { type: 'text', text: 'x', media_id: ID }, ['1548 type']],
    ['a file and a link', 'VIBER', { type: 'image', url: link, media_id: ID }, ['1266 url']],
    ['a link without https', 'VIBER', { type: 'image', url: 'http://example.com/a.jpg' }, ['1266 url']],
    ['a link of 1,001', 'VIBER', { type: 'image', url: `https://example.com/${'a'.repeat(980)}.jpg` }, ['1265 url']],
    [
      'an image of WhatsApp that is none',
      'WHATSAPP',
      { type: 'image', url: 'https://example.com/a.gif' },
      ['1275 url'],
    ],
    ['a video of WhatsApp that is none', 'WHATSAPP', { type: 'video', url: 'https://example.com/a.mov' }, ['1276 url']],
    [
      'a document of WhatsApp',
      'WHATSAPP',
      { type: 'document', url: 'https://example.com/a.txt', file_name: 'a' },
      ['1277 url'],
    ],
    ['an image of Viber that is none', 'VIBER', { type: 'image', url: 'https://example.com/a.tiff' }, ['1278 url']],
    ['a video of Viber that is none', 'VIBER', { type: 'video', url: 'https://example.com/a.avi' }, ['1279 url']],
    [
      'a document of Viber',
      'VIBER',
      { type: 'document', url: 'https://example.com/a.exe', file_name: 'a' },
      ['1280 url'],
    ],
    ['a name of 26', 'VIBER', { type: 'document', media_id: ID, file_name: 'a'.repeat(26) }, ['1268 file_name']],
    ['a name with a dot', 'VIBER', { type: 'document', media_id: ID, file_name: 'a.pdf' }, ['1269 file_name']],
    ['words under a document', 'WHATSAPP', { type: 'document', media_id: ID, text: 'x' }, ['1509 text']],
    [
      'a button under a document',
      'VIBER',
      { type: 'document', media_id: ID, button: { text: 'a', value: link } },
      ['1550 button'],
    ],
    ['a picture with words on Viber', 'VIBER', { type: 'image', url: link, text: 'Sale' }, ['1520 button']],
    [
      'a picture with a button on Viber',
      'VIBER',
      { type: 'image', url: link, button: { text: 'a', value: link } },
      ['1508 text'],
    ],
    [
      'a reply button on Viber',
      'VIBER',
      { text: 'x', button: { type: 'quick_reply', text: 'a' } },
      ['1550 buttons.0.type'],
    ],
    [
      'two buttons on Viber',
      'VIBER',
      {
        text: 'x',
        buttons: [
          { text: 'a', value: link },
          { text: 'b', value: link },
        ],
      },
      ['1550 button'],
    ],
    ['a button without words', 'WHATSAPP', { text: 'x', button: { value: link } }, ['1272 buttons.0.text']],
    [
      'a button of 21',
      'WHATSAPP',
      { text: 'x', button: { text: 'a'.repeat(21), value: link } },
      ['1274 buttons.0.text'],
    ],
    [
      'a link that is none',
      'VIBER',
      { text: 'x', button: { type: 'link', text: 'a', value: 'nowhere' } },
      ['1273 buttons.0.value'],
    ],
    ['a button that calls', 'WHATSAPP', { text: 'x', button: { text: 'a', value: '+442012' } }, ['1517 button']],
    [
      'four replies',
      'WHATSAPP',
      { text: 'x', buttons: ['a', 'b', 'c', 'd'].map((text) => ({ text })) },
      ['1550 button'],
    ],
    [
      'a reply and a link',
      'WHATSAPP',
      { text: 'x', buttons: [{ text: 'a' }, { text: 'b', value: link }] },
      ['1517 button'],
    ],
    [
      'two links',
      'WHATSAPP',
      {
        text: 'x',
        buttons: [
          { text: 'a', value: link },
          { text: 'b', value: link },
        ],
      },
      ['1517 button'],
    ],
    ['a button of no kind', 'WHATSAPP', { text: 'x', button: { type: 'swipe', text: 'a' } }, ['1550 button']],
    ['a template and a text', 'WHATSAPP', { template: ID, text: 'x' }, ['1509 text']],
    ['a template and a button', 'WHATSAPP', { template: ID, button: { text: 'a' } }, ['1517 button']],
    ['a template and a button', 'VIBER', { template: ID, button: { text: 'a', value: link } }, ['1550 button']],
    ['a transaction without a template', 'VIBER', { text: 'x', purpose: 'transactional' }, ['1539 template']],
    ['a purpose nobody knows', 'VIBER', { text: 'x', purpose: 'fun' }, ['1705 purpose']],
    ['a purpose where none is asked for', 'WHATSAPP', { text: 'x', purpose: 'promotional' }, ['1705 purpose']],
  ])('%s on %s', (_, channel, body, expected) => {
    expect(codes(channel, body)).toEqual(expected);
  });
});

describe('a message that can be sent has no problem', () => {
  test.each<[string, ChannelName, MessageBody]>([
    ['a text', 'SMS', { type: 'TEXT', text: 'x' }],
    ['a template', 'SMS', { template: ID, variables: ['a'] }],
    ['a template with another file', 'WHATSAPP', { type: 'image', template: ID, url: link, variables: [] }],
    ['a picture', 'WHATSAPP', { type: 'image', media_id: ID }],
    ['a picture with words', 'WHATSAPP', { type: 'image', media_id: ID, text: 'x' }],
    [
      'a picture with words and a reply',
      'WHATSAPP',
      { type: 'image', media_id: ID, text: 'x', button: { text: 'Yes' } },
    ],
    ['three replies', 'WHATSAPP', { text: 'x', buttons: ['a', 'b', 'c'].map((text) => ({ text })) }],
    ['a link', 'WHATSAPP', { text: 'x', button: { text: 'a', value: link } }],
    [
      'a picture, words and a button',
      'VIBER',
      { type: 'image', url: link, text: 'x', button: { text: 'a', value: link } },
    ],
    ['a video behind a link', 'VIBER', { type: 'video', url: 'https://example.com/a.mp4' }],
    ['a video with words', 'VIBER', { type: 'video', media_id: ID, text: 'x' }],
    ['a document of ours, by its own name', 'VIBER', { type: 'document', media_id: ID }],
  ])('%s on %s', (_, channel, body) => {
    expect(codes(channel, body)).toEqual([]);
  });

  test('Viber limits what a session message and a transactional message can carry', () => {
    const content = (body: MessageBody) => freeContent(readMessage('VIBER', body).draft);
    const text = content({ text: 'x' });
    const picture = content({ type: 'image', url: link });
    const bill = content({ type: 'document', media_id: ID });
    const shop = content({ text: 'x', button: { text: 'a', value: link } });
    expect([text, picture, bill, shop].map((one) => purposes.fitsSession(one, ''))).toEqual([true, true, true, false]);
    expect(purposes.fitsSession(picture, 'Sale')).toBe(false);
    expect(purposes.fitsSession(content({ type: 'video', media_id: ID }), '')).toBe(false);
    expect([text, picture, bill, shop].map((one) => purposes.refusal('transactional', one) === null)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([text, bill].map(purposes.outside)).toEqual(['promotional', 'transactional']);
  });
});
