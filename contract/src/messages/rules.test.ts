import { describe, expect, test } from 'vitest';
import type { ChannelName } from '../channels/names.ts';
import { purposes } from '../channels/viber/purposes.ts';
import type { MessageBody } from './messages.ts';
import { freeContent, readMessage } from './rules.ts';

const ID = '0192f0c1-2b3c-7def-8a12-345678901234';
const codes = (channel: ChannelName, body: MessageBody) =>
  readMessage(channel, body).findings.map(({ code, field }) => `${code} ${field}`);
const link = 'https://example.com/a.jpg';

describe('readMessage', () => {
  const button = { type: 'link', text: 'Shop', value: 'https://example.com/s' } as const;
  test.each<[string, MessageBody]>([
    ['as an object', { button: { text: 'Shop', value: 'https://example.com/s' } }],
    ['as an object with legacy field names', { button: { caption: 'Shop', url: 'https://example.com/s' } }],
    ['from a list', { buttons: [{ type: 'LINK', text: 'Shop', value: 'https://example.com/s' }] }],
    [
      'from three separate fields',
      { button_type: 'call_to_action', button_text: 'Shop', button_value: 'https://example.com/s' },
    ],
  ])('accepts a button %s', (_, body) => {
    const { draft, findings } = readMessage('VIBER', { type: 'IMAGE', text: 'Sale', url: link, ...body });
    expect(findings).toEqual([]);
    expect(draft).toMatchObject({ type: 'image', buttons: [button] });
  });

  test('accepts a quick reply without a value and reads a button with a phone number as a phone call', () => {
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

  test('accepts both document name fields and a legacy type as the purpose', () => {
    const url = 'https://example.com/bill.pdf';
    for (const name of [{ file_name: 'Bill_1' }, { filename: 'Bill_1' }])
      expect(readMessage('WHATSAPP', { type: 'document', url, ...name })).toMatchObject({
        findings: [],
        draft: { file_name: 'Bill_1' },
      });
    for (const input of [{ purpose: 'TRANSACTIONAL' }, { type: 'TRANSACTIONAL' }])
      expect(readMessage('VIBER', { template: ID, ...input })).toMatchObject({
        findings: [],
        draft: { purpose: 'transactional', type: 'text', template: ID },
      });
  });
});

describe('readMessage', () => {
  test.each<[string, ChannelName, MessageBody, string[]]>([
    ['an empty message', 'SMS', {}, ['MESSAGE_TEXT_REQUIRED text']],
    ['an image', 'SMS', { type: 'image', url: link, text: 'x' }, ['SMS_IMAGE_NOT_ALLOWED type']],
    ['a link to a file', 'SMS', { url: link, text: 'x' }, ['SMS_IMAGE_NOT_ALLOWED type']],
    ['an audio file', 'SMS', { type: 'audio', text: 'x' }, ['SMS_IMAGE_NOT_ALLOWED type']],
    ['a button', 'SMS', { text: 'x', button: { text: 'Yes' } }, ['SMS_BUTTON_NOT_ALLOWED button']],
    ['a template with text', 'SMS', { template: ID, text: 'x' }, ['MESSAGE_TEXT_INVALID text']],
    ['an empty message', 'WHATSAPP', {}, ['MESSAGE_TEXT_REQUIRED text']],
    ['a blank text', 'VIBER', { text: ' \n' }, ['MESSAGE_TEXT_REQUIRED text']],
    ['a file without a type', 'WHATSAPP', { url: link, text: 'x' }, ['MESSAGE_TYPE_REQUIRED type']],
    ['a type without a file', 'WHATSAPP', { type: 'image' }, ['MEDIA_LINK_REQUIRED url']],
    ['a document without a file', 'VIBER', { type: 'document' }, ['DOCUMENT_LINK_REQUIRED url']],
    [
      'a linked document without a name',
      'VIBER',
      { type: 'document', url: 'https://example.com/a.pdf' },
      ['DOCUMENT_LINK_REQUIRED url'],
    ],
    ['an audio file', 'WHATSAPP', { type: 'audio', text: 'x' }, ['MESSAGE_TYPE_NOT_ALLOWED type']],
    ['a text with a file', 'VIBER', { type: 'text', text: 'x', media_id: ID }, ['MESSAGE_TYPE_NOT_ALLOWED type']],
    ['a file and a link', 'VIBER', { type: 'image', url: link, media_id: ID }, ['MEDIA_LINK_INVALID url']],
    ['a link without https', 'VIBER', { type: 'image', url: 'http://example.com/a.jpg' }, ['MEDIA_LINK_INVALID url']],
    [
      'a link of 1,001 characters',
      'VIBER',
      { type: 'image', url: `https://example.com/${'a'.repeat(980)}.jpg` },
      ['MEDIA_LINK_TOO_LONG url'],
    ],
    [
      'an image with the wrong extension',
      'WHATSAPP',
      { type: 'image', url: 'https://example.com/a.gif' },
      ['WHATSAPP_IMAGE_INVALID url'],
    ],
    [
      'a video with the wrong extension',
      'WHATSAPP',
      { type: 'video', url: 'https://example.com/a.mov' },
      ['WHATSAPP_VIDEO_INVALID url'],
    ],
    [
      'a document with the wrong extension',
      'WHATSAPP',
      { type: 'document', url: 'https://example.com/a.txt', file_name: 'a' },
      ['WHATSAPP_DOCUMENT_INVALID url'],
    ],
    [
      'an image with the wrong extension',
      'VIBER',
      { type: 'image', url: 'https://example.com/a.tiff' },
      ['VIBER_IMAGE_INVALID url'],
    ],
    [
      'a video with the wrong extension',
      'VIBER',
      { type: 'video', url: 'https://example.com/a.avi' },
      ['VIBER_VIDEO_INVALID url'],
    ],
    [
      'a document with the wrong extension',
      'VIBER',
      { type: 'document', url: 'https://example.com/a.exe', file_name: 'a' },
      ['VIBER_DOCUMENT_INVALID url'],
    ],
    [
      'a file name of 26 characters',
      'VIBER',
      { type: 'document', media_id: ID, file_name: 'a'.repeat(26) },
      ['DOCUMENT_NAME_TOO_LONG file_name'],
    ],
    [
      'a file name with a dot',
      'VIBER',
      { type: 'document', media_id: ID, file_name: 'a.pdf' },
      ['DOCUMENT_NAME_INVALID file_name'],
    ],
    ['a document with text', 'WHATSAPP', { type: 'document', media_id: ID, text: 'x' }, ['MESSAGE_TEXT_INVALID text']],
    [
      'a document with a button',
      'VIBER',
      { type: 'document', media_id: ID, button: { text: 'a', value: link } },
      ['BUTTONS_NOT_ALLOWED button'],
    ],
    [
      'an image with text but no button',
      'VIBER',
      { type: 'image', url: link, text: 'Sale' },
      ['VIBER_BUTTON_REQUIRED button'],
    ],
    [
      'an image with a button but no text',
      'VIBER',
      { type: 'image', url: link, button: { text: 'a', value: link } },
      ['MESSAGE_TEXT_REQUIRED text'],
    ],
    [
      'a quick reply',
      'VIBER',
      { text: 'x', button: { type: 'quick_reply', text: 'a' } },
      ['BUTTONS_NOT_ALLOWED buttons.0.type'],
    ],
    [
      'two buttons',
      'VIBER',
      {
        text: 'x',
        buttons: [
          { text: 'a', value: link },
          { text: 'b', value: link },
        ],
      },
      ['BUTTONS_NOT_ALLOWED button'],
    ],
    [
      'a button without text',
      'WHATSAPP',
      { text: 'x', button: { value: link } },
      ['BUTTON_TEXT_REQUIRED buttons.0.text'],
    ],
    [
      'a button text of 21 characters',
      'WHATSAPP',
      { text: 'x', button: { text: 'a'.repeat(21), value: link } },
      ['BUTTON_TEXT_TOO_LONG buttons.0.text'],
    ],
    [
      'a button with an invalid link',
      'VIBER',
      { text: 'x', button: { type: 'link', text: 'a', value: 'nowhere' } },
      ['BUTTON_VALUE_INVALID buttons.0.value'],
    ],
    [
      'a phone button',
      'WHATSAPP',
      { text: 'x', button: { text: 'a', value: '+442012' } },
      ['WHATSAPP_BUTTON_NOT_ALLOWED button'],
    ],
    [
      'four quick replies',
      'WHATSAPP',
      { text: 'x', buttons: ['a', 'b', 'c', 'd'].map((text) => ({ text })) },
      ['BUTTONS_NOT_ALLOWED button'],
    ],
    [
      'a quick reply and a link button',
      'WHATSAPP',
      { text: 'x', buttons: [{ text: 'a' }, { text: 'b', value: link }] },
      ['WHATSAPP_BUTTON_NOT_ALLOWED button'],
    ],
    [
      'two link buttons',
      'WHATSAPP',
      {
        text: 'x',
        buttons: [
          { text: 'a', value: link },
          { text: 'b', value: link },
        ],
      },
      ['WHATSAPP_BUTTON_NOT_ALLOWED button'],
    ],
    [
      'a button of unknown type',
      'WHATSAPP',
      { text: 'x', button: { type: 'swipe', text: 'a' } },
      ['BUTTONS_NOT_ALLOWED button'],
    ],
    ['a template with text', 'WHATSAPP', { template: ID, text: 'x' }, ['MESSAGE_TEXT_INVALID text']],
    [
      'a template with a button',
      'WHATSAPP',
      { template: ID, button: { text: 'a' } },
      ['WHATSAPP_BUTTON_NOT_ALLOWED button'],
    ],
    [
      'a template with a button',
      'VIBER',
      { template: ID, button: { text: 'a', value: link } },
      ['BUTTONS_NOT_ALLOWED button'],
    ],
    [
      'a transactional message without a template',
      'VIBER',
      { text: 'x', purpose: 'transactional' },
      ['TRANSACTIONAL_TEMPLATE_REQUIRED template'],
    ],
    ['an unknown purpose', 'VIBER', { text: 'x', purpose: 'fun' }, ['VALUE_INVALID purpose']],
    ['a purpose', 'WHATSAPP', { text: 'x', purpose: 'promotional' }, ['VALUE_INVALID purpose']],
  ])('rejects %s on %s', (_, channel, body, expected) => {
    expect(codes(channel, body)).toEqual(expected);
  });
});

describe('readMessage', () => {
  test.each<[string, ChannelName, MessageBody]>([
    ['a text', 'SMS', { type: 'TEXT', text: 'x' }],
    ['a template', 'SMS', { template: ID, variables: ['a'] }],
    ['a template with a different file', 'WHATSAPP', { type: 'image', template: ID, url: link, variables: [] }],
    ['an image', 'WHATSAPP', { type: 'image', media_id: ID }],
    ['an image with text', 'WHATSAPP', { type: 'image', media_id: ID, text: 'x' }],
    [
      'an image with text and a quick reply',
      'WHATSAPP',
      { type: 'image', media_id: ID, text: 'x', button: { text: 'Yes' } },
    ],
    ['three quick replies', 'WHATSAPP', { text: 'x', buttons: ['a', 'b', 'c'].map((text) => ({ text })) }],
    ['a link button', 'WHATSAPP', { text: 'x', button: { text: 'a', value: link } }],
    [
      'an image with text and a button',
      'VIBER',
      { type: 'image', url: link, text: 'x', button: { text: 'a', value: link } },
    ],
    ['a linked video', 'VIBER', { type: 'video', url: 'https://example.com/a.mp4' }],
    ['a video with text', 'VIBER', { type: 'video', media_id: ID, text: 'x' }],
    ['an uploaded document with its original name', 'VIBER', { type: 'document', media_id: ID }],
  ])('accepts %s on %s', (_, channel, body) => {
    expect(codes(channel, body)).toEqual([]);
  });

  test('limits the content of Viber session and transactional messages', () => {
    const content = (body: MessageBody) => freeContent(readMessage('VIBER', body).draft);
    const text = content({ text: 'x' });
    const picture = content({ type: 'image', url: link });
    const bill = content({ type: 'document', media_id: ID });
    const shop = content({ text: 'x', button: { text: 'a', value: link } });
    expect([text, picture, bill, shop].map((content) => purposes.fitsSession(content, ''))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(purposes.fitsSession(picture, 'Sale')).toBe(false);
    expect(purposes.fitsSession(content({ type: 'video', media_id: ID }), '')).toBe(false);
    expect([text, picture, bill, shop].map((content) => purposes.refusal('transactional', content) === null)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([text, bill].map(purposes.outside)).toEqual(['promotional', 'transactional']);
  });
});
