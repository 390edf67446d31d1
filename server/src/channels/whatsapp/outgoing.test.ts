import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../channel.ts';
import { failureStatus, refusedBy } from './errors.ts';
import { buildBody, type MediaPlace } from './outgoing.ts';
import { call, link, media, message, reply, template, templateReference } from './samples.ts';
import { readAnswer } from './whatsapp.ts';

describe('the body of a WhatsApp message', () => {
  test('is built for a plain text', () => {
    expect(buildBody(message('Your table is ready'), null)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '447700900123',
      type: 'text',
      text: { body: 'Your table is ready', preview_url: false },
      biz_opaque_callback_data: '4711',
    });
  });

  test('has `recipient` instead of `to` for a person without a number', () => {
    const body = buildBody(message('Hello', null, 'GB.91807060504030'), null);
    expect(body).toMatchObject({ recipient: 'GB.91807060504030' });
    expect(body).not.toHaveProperty('to');
  });

  type Row = [string, Outgoing, MediaPlace | null, object];
  test.each<Row>([
    [
      'a text with a URL, which is shown with a preview',
      message('See https://harbour.example'),
      null,
      { type: 'text', text: { body: 'See https://harbour.example', preview_url: true } },
    ],
    [
      'an uploaded picture with a caption',
      message('Today', { media: media('image') }),
      { id: '901' },
      { type: 'image', image: { id: '901', caption: 'Today' } },
    ],
    [
      'a linked video without a caption',
      message('', { media: media('video') }),
      { link: 'https://files.example/a.mp4' },
      { type: 'video', video: { link: 'https://files.example/a.mp4' } },
    ],
    [
      'a document with a file name',
      message('Our menu', { media: media('document') }),
      { id: '902' },
      { type: 'document', document: { id: '902', filename: 'menu.pdf', caption: 'Our menu' } },
    ],
    [
      'a text with a header and a footer but without buttons',
      message('Text', { header: 'Above', footer: 'Below' }),
      null,
      { type: 'text', text: { body: 'Above\n\nText\n\nBelow', preview_url: false } },
    ],
    [
      'quick replies with their payloads',
      message('Coming?', {
        buttons: [reply('Yes', 'confirm-7'), reply('No')],
        header: 'Tonight',
        footer: 'Harbour Café',
      }),
      null,
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'Tonight' },
          body: { text: 'Coming?' },
          footer: { text: 'Harbour Café' },
          action: {
            buttons: [
              { type: 'reply', reply: { id: 'confirm-7', title: 'Yes' } },
              { type: 'reply', reply: { id: 'No', title: 'No' } },
            ],
          },
        },
      },
    ],
    [
      'quick replies under a picture',
      message('Coming?', { media: media('image'), buttons: [reply('Yes')] }),
      { id: '903' },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'image', image: { id: '903' } },
          body: { text: 'Coming?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'Yes', title: 'Yes' } }] },
        },
      },
    ],
    [
      'a link',
      message('Tables are free', { buttons: [link] }),
      null,
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          body: { text: 'Tables are free' },
          action: {
            name: 'cta_url',
            parameters: { display_text: 'Book a table', url: 'https://harbour.example/book' },
          },
        },
      },
    ],
    [
      'a template without values',
      message('', { template: template() }),
      null,
      { type: 'template', template: templateReference },
    ],
    [
      'a template with values in its header and text',
      message('', { template: template({ header_values: ['Ann'], body_values: ['7 pm', 'four'] }) }),
      null,
      {
        type: 'template',
        template: {
          ...templateReference,
          components: [
            { type: 'header', parameters: [{ type: 'text', text: 'Ann' }] },
            {
              type: 'body',
              parameters: [
                { type: 'text', text: '7 pm' },
                { type: 'text', text: 'four' },
              ],
            },
          ],
        },
      },
    ],
    [
      'a template with a document as its header',
      message('', { template: template(), media: media('document') }),
      { id: '904' },
      {
        type: 'template',
        template: {
          ...templateReference,
          components: [
            { type: 'header', parameters: [{ type: 'document', document: { id: '904', filename: 'menu.pdf' } }] },
          ],
        },
      },
    ],
    [
      'a template with a single quick reply that has a payload',
      message('', { template: template(), buttons: [link, call, reply('Later'), reply('Yes', 'confirm-7')] }),
      null,
      {
        type: 'template',
        template: {
          ...templateReference,
          components: [
            {
              type: 'button',
              sub_type: 'quick_reply',
              index: '3',
              parameters: [{ type: 'payload', payload: 'confirm-7' }],
            },
          ],
        },
      },
    ],
    [
      'a one-time code in the text and the copy button',
      message('', { template: template({ body_values: ['482913'] }), purpose: 'authentication' }),
      null,
      {
        type: 'template',
        template: {
          ...templateReference,
          components: [
            { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
            { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '482913' }] },
          ],
        },
      },
    ],
  ])('is built for %s', (_, input, place, expected) => {
    const { messaging_product, recipient_type, to, biz_opaque_callback_data, ...rest } = buildBody(input, place);
    expect([messaging_product, recipient_type, to, biz_opaque_callback_data]).toEqual([
      'whatsapp',
      'individual',
      '447700900123',
      '4711',
    ]);
    expect(rest).toEqual(expected);
  });

  test.each<[string, Outgoing]>([
    ['a phone button without a template', message('Call', { buttons: [call] })],
    ['two links', message('Look', { buttons: [link, link] })],
    ['a link together with a quick reply', message('Look', { buttons: [reply('Yes'), link] })],
    ['four quick replies', message('Which?', { buttons: ['1', '2', '3', '4'].map((text) => reply(text)) })],
    ['buttons without text', message('', { buttons: [reply('Yes')] })],
  ])('cannot be built for %s', (_, input) => {
    expect(() => buildBody(input, null)).toThrow(/A message/);
  });
});

describe('a response', () => {
  test.each<[string, number, string, object]>([
    [
      'the message is accepted',
      200,
      '{"messaging_product":"whatsapp","contacts":[{"input":"447700900123","wa_id":"447700900123"}],' +
        '"messages":[{"id":"wamid.A1"}]}',
      { accepted: [{ part: 1, external_id: 'wamid.A1' }], failure: null, detail: { ids: ['wamid.A1'] } },
    ],
    [
      'the message is accepted but held until WhatsApp has checked the template',
      200,
      '{"messages":[{"id":"wamid.A2","message_status":"held_for_quality_assessment"}]}',
      { failure: null, detail: { message_status: 'held_for_quality_assessment' } },
    ],
    ['it is empty', 200, '{}', { failure: { kind: 'unknown' } }],
    ['it is a proxy’s HTML page', 502, '<html>Bad gateway</html>', { failure: { kind: 'unknown', code: 'HTTP 502' } }],
    ['it is a server error', 503, '', { failure: { kind: 'connection', code: 'HTTP 503' } }],
    ['the carrier throttles', 429, '', { failure: { kind: 'throttled' } }],
    ['the URL is wrong', 404, 'not here', { failure: { kind: 'connection', limited: true } }],
    ['it is a list instead of an object', 200, '[[["x"]]]', { failure: { kind: 'unknown' } }],
    [
      'the session is closed',
      400,
      '{"error":{"message":"(#131047) Re-engagement message","code":131047,' +
        '"error_data":{"details":"Call 447700900123"}}}',
      { accepted: [], failure: { kind: 'rejected', code: '131047' }, detail: { said: 'Call …' }, narrow: false },
    ],
    [
      'messages to this person are throttled',
      400,
      '{"error":{"code":131056,"message":"pair"}}',
      { failure: { kind: 'throttled' }, narrow: true },
    ],
  ])('is classified when %s', (_, status, body, expected) => {
    expect(readAnswer(status, body)).toMatchObject(expected);
  });

  // Columns: code, kind of failure, whether it is retried only a few times, whether it concerns only this recipient or
  // sender, and the status when it is reported later.
  test.each<[number, string, boolean, boolean, string]>([
    [0, 'connection', false, false, 'failed'],
    [190, 'connection', false, false, 'failed'],
    [10, 'connection', true, false, 'failed'],
    [200, 'connection', true, false, 'failed'],
    [131005, 'connection', true, false, 'failed'],
    [4, 'throttled', false, false, 'failed'],
    [80007, 'throttled', false, false, 'failed'],
    [130429, 'throttled', false, false, 'failed'],
    [131048, 'throttled', false, true, 'failed'],
    [131056, 'throttled', false, true, 'failed'],
    [131064, 'throttled', false, true, 'failed'],
    [1, 'connection', true, false, 'failed'],
    [131000, 'connection', true, false, 'failed'],
    [2, 'connection', false, false, 'failed'],
    [131016, 'connection', false, false, 'failed'],
    [131042, 'connection', false, false, 'failed'],
    [368, 'config', false, false, 'failed'],
    [131031, 'config', false, false, 'failed'],
    [131037, 'config', false, false, 'failed'],
    [131045, 'config', false, false, 'failed'],
    [133010, 'config', false, false, 'failed'],
    [132001, 'config', false, false, 'failed'],
    [132015, 'config', false, false, 'failed'],
    [100, 'invalid', false, false, 'failed'],
    [131009, 'invalid', false, false, 'failed'],
    [131051, 'invalid', false, false, 'failed'],
    [131053, 'invalid', false, false, 'failed'],
    [132000, 'invalid', false, false, 'failed'],
    [132012, 'invalid', false, false, 'failed'],
    [130497, 'rejected', false, false, 'rejected'],
    [131021, 'rejected', false, false, 'rejected'],
    [131026, 'rejected', false, false, 'failed'],
    [131030, 'rejected', false, false, 'rejected'],
    [131047, 'rejected', false, false, 'rejected'],
    [131049, 'rejected', false, false, 'failed'],
    [130472, 'rejected', false, false, 'failed'],
    [131050, 'opted_out', false, false, 'unsubscribed'],
    [132007, 'rejected', false, false, 'rejected'],
    [987654, 'rejected', false, false, 'rejected'],
  ])('with code %i is classified as "%s"', (code, kind, limited, narrow, status) => {
    const refusal = refusedBy({ code, message: 'x' })!;
    expect([refusal.failure.kind, refusal.failure.limited ?? false, refusal.narrow, refusal.failure.code]).toEqual([
      kind,
      limited,
      narrow,
      String(code),
    ]);
    expect(refusal.failure.text.length).toBeGreaterThan(10);
    expect(failureStatus([{ code }]).status).toBe(status);
  });

  test('about an unknown sender is a configuration failure instead of an invalid message', () => {
    expect(refusedBy({ code: 100, error_subcode: 33, message: 'x' })!.failure).toMatchObject({
      kind: 'config',
      code: '100',
    });
    expect(refusedBy({ code: 100, error_subcode: 2494010, message: 'x' })!.failure.kind).toBe('invalid');
  });

  test('is read without its errors when their format is unknown', () => {
    for (const error of [undefined, null, {}, [], 'no', { code: 'x' }, { code: {} }])
      expect(refusedBy(error)).toBeNull();
    expect(failureStatus([])).toMatchObject({ status: 'failed' });
  });
});
