import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../channel.ts';
import type { OutgoingContent, OutgoingMedia } from '../outgoing_content.ts';
import { buildBody } from './outgoing.ts';
import { toFailure } from './statuses.ts';
import { readAnswer } from './viber.ts';
import type { VideoSize } from './video.ts';

const NO_CONTENT: OutgoingContent = {
  media: null,
  header: null,
  footer: null,
  buttons: [],
  template: null,
  purpose: null,
};
const message = (text: string, content: Partial<OutgoingContent> | null = null): Outgoing => ({
  from: '30001',
  to: '447700900123',
  text,
  content: content && { ...NO_CONTENT, ...content },
  reference: 4711,
  key: 'k4711',
  valid_seconds: 3_600,
  sent_parts: [],
});
const media = (type: OutgoingMedia['type'], changes: Partial<OutgoingMedia> = {}): OutgoingMedia => ({
  type,
  key: 'account/1',
  link: 'https://parley.example/v1/media/files/a.bin?signature=x',
  file_name: 'menu.pdf',
  content_type: null,
  bytes: 4_096,
  open: null,
  ...changes,
});
const link = { type: 'link', text: 'Book a table', value: 'https://harbour.example/book' } as const;
const { link: place } = media('image');
const td = { '#tracking_data': '4711' };

describe('the body of a Viber message', () => {
  test('is built for a plain text', () => {
    expect(buildBody(message('Summer sale', { purpose: 'promotional' }), null)).toEqual({
      service_id: 30001,
      dest: '447700900123',
      seq: 4711,
      type: 225,
      label: 'promotion',
      ttl: 3_600,
      tag: '4711',
      message: { '#txt': 'Summer sale', '#tracking_data': '4711' },
    });
  });

  const button = { '#caption': 'Book a table', '#action': 'https://harbour.example/book' };
  const picture = 'https://parley.example/thumb.webp';
  test.each<[string, string, Partial<OutgoingContent> | null, object]>([
    [
      'a text without a purpose, which is promotional',
      'Hi',
      null,
      { type: 225, label: 'promotion', message: { '#txt': 'Hi', ...td } },
    ],
    [
      'a text in a session',
      'Hi',
      { purpose: 'session' },
      { type: 306, label: 'transaction', message: { '#txt': 'Hi', ...td } },
    ],
    [
      'a transactional text',
      'Your code',
      { purpose: 'transactional' },
      { type: 206, label: 'transaction', message: { '#txt': 'Your code', ...td } },
    ],
    [
      'a text with a button',
      'Sale',
      { purpose: 'promotional', buttons: [link] },
      { type: 209, message: { '#txt': 'Sale', ...button, ...td } },
    ],
    [
      'a picture',
      '',
      { purpose: 'promotional', media: media('image') },
      { type: 207, message: { '#img': place, ...td } },
    ],
    [
      'a picture in a session',
      '',
      { purpose: 'session', media: media('image') },
      { type: 307, message: { '#img': place, ...td } },
    ],
    [
      'an animated picture',
      '',
      { purpose: 'promotional', media: media('image', { link: 'https://parley.example/a.GIF?x=1' }) },
      { type: 207, message: { '#img': 'https://parley.example/a.GIF?x=1', '#imageFormat': 'gif', ...td } },
    ],
    [
      'a picture with text and a button',
      'Sale',
      { purpose: 'promotional', media: media('image'), buttons: [link] },
      { type: 208, message: { '#txt': 'Sale', '#img': place, ...button, ...td } },
    ],
    [
      'a picture with text and an empty button',
      'Sale',
      { purpose: 'promotional', media: media('image') },
      { type: 208, message: { '#txt': 'Sale', '#img': place, '#caption': '', '#action': '', ...td } },
    ],
    [
      'a video',
      '',
      { purpose: 'promotional', media: media('video', { picture }) },
      { type: 230, file_size: 4_096, duration: 12, message: { '#action': place, '#thumbnail': picture, ...td } },
    ],
    [
      'a video with text in a session',
      'Look',
      { purpose: 'session', media: media('video', { picture }) },
      {
        type: 231,
        file_size: 4_096,
        duration: 12,
        message: { '#txt': 'Look', '#action': place, '#thumbnail': picture, ...td },
      },
    ],
    [
      'a video with text and a button',
      'Look',
      { media: media('video', { picture }), buttons: [link] },
      { type: 233, message: { '#txt': 'Look', '#media': place, '#thumbnail': picture, ...button, ...td } },
    ],
    [
      'a document',
      '',
      { purpose: 'transactional', media: media('document') },
      {
        type: 220,
        label: 'transaction',
        file_type: 'pdf',
        message: { '#action': place, '#fileName': 'menu.pdf', ...td },
      },
    ],
    [
      'a document with a long name in a session',
      '',
      { purpose: 'session', media: media('document', { file_name: `${'a'.repeat(40)}.XLSX` }) },
      { type: 221, file_type: 'xlsx', message: { '#action': place, '#fileName': `${'a'.repeat(20)}.xlsx` } },
    ],
    [
      'a document without a file extension',
      '',
      { media: media('document', { file_name: 'menu' }) },
      {
        type: 220,
        label: 'transaction',
        file_type: 'pdf',
        message: { '#action': place, '#fileName': 'menu.pdf', ...td },
      },
    ],
  ])('is built for %s', (_, text, content, expected) => {
    const body = buildBody(message(text, content), { bytes: 4_096, seconds: 12.4 });
    expect(body).toMatchObject(expected);
    // Viber refuses a message with an unexpected member.
    expect(body.message).toEqual((expected as { message: object }).message);
    const about = ['file_size', 'file_type', 'duration'].filter((name) => name in body);
    const kind = content?.media?.type;
    expect(about).toEqual(kind === 'video' ? ['file_size', 'duration'] : kind === 'document' ? ['file_type'] : []);
  });

  const stored = {
    name: 'order_shipped',
    language: 'en_GB',
    header_values: [],
    body_values: ['Ann', '7', 'Ann'],
    body_names: ['name', 'number', 'name'],
  };
  test('has the id and named values of a Viber template instead of its text', () => {
    const template = { ...stored, external_id: 'order-shipped' };
    expect(buildBody(message('Order 7 of Ann', { purpose: 'transactional', template }), null)).toEqual({
      service_id: 30001,
      dest: '447700900123',
      seq: 4711,
      type: 1702,
      label: 'transaction',
      ttl: 3_600,
      tag: '4711',
      templateId: 'order-shipped',
      templateLang: 'en',
      templateParams: { name: 'Ann', number: '7' },
    });
    expect(buildBody(message('Order', { purpose: 'promotional', template }), null)).toMatchObject({ type: 225 });
    expect(
      buildBody(message('Order', { purpose: 'transactional', template: { ...stored, external_id: null } }), null),
    ).toMatchObject({ type: 206, message: { '#txt': 'Order' } });
    const withoutValues = { ...template, body_values: [], body_names: undefined };
    expect(
      buildBody(message('Thanks', { purpose: 'transactional', template: withoutValues }), null).templateParams,
    ).toEqual({});
  });

  test.each([
    [1, 30],
    [86_400, 86_400],
    [5_000_000, 1_209_600],
  ])('turns a validity of %i seconds into a TTL of %i seconds', (valid_seconds, ttl) => {
    expect(buildBody({ ...message('Hi'), valid_seconds }, null).ttl).toBe(ttl);
  });

  const video = media('video', { picture });
  test.each<[string, Outgoing, VideoSize | null]>([
    ['a sender without a service ID', { ...message('Hi'), from: 'Harbour' }, null],
    ['a call button', message('Hi', { buttons: [{ type: 'phone_call', text: 'Call', value: '1' }] }), null],
    ['two buttons', message('Hi', { buttons: [link, link] }), null],
    ['an empty message', message(''), null],
    ['a picture with a button and no text', message('', { media: media('image'), buttons: [link] }), null],
    ['a video with a button and no text', message('', { media: video, buttons: [link] }), { bytes: 1, seconds: 3 }],
    ['a video of unknown size', message('', { media: video }), null],
    ['a video without a picture', message('', { media: media('video') }), { bytes: 1, seconds: 3 }],
    ['a document with text', message('Bill', { media: media('document') }), null],
    ['a document with a button', message('', { media: media('document'), buttons: [link] }), null],
  ])('cannot be built for %s', (_, invalid, size) => {
    expect(() => buildBody(invalid, size)).toThrow(/Viber|text/);
  });
});

describe('a response', () => {
  test('includes every digit of the token when it reports success', () => {
    const body = '{"status":0,"message_token":5001795871586400127,"seq":4711,"session_id":7001795871586400017}';
    expect(readAnswer(200, body)).toEqual({
      parts: 1,
      accepted: [{ part: 1, external_id: '5001795871586400127' }],
      failure: null,
      detail: { ids: ['5001795871586400127'] },
    });
    expect(readAnswer(200, '{"status":0,"message_token":42}').accepted).toEqual([{ part: 1, external_id: '42' }]);
  });

  test.each<[number, string, boolean]>([
    [1, 'connection', true],
    [7, 'connection', true],
    [401, 'connection', false],
    [2, 'config', false],
    [13, 'connection', false],
    [38, 'config', false],
    [43, 'config', false],
    [3, 'invalid', false],
    [5, 'invalid', false],
    [6, 'invalid', false],
    [18, 'invalid', false],
    [20, 'invalid', false],
    [28, 'invalid', false],
    [29, 'invalid', false],
    [30, 'invalid', false],
    [31, 'invalid', false],
    [32, 'invalid', false],
    [8, 'opted_out', false],
    [9, 'rejected', false],
    [10, 'rejected', false],
    [21, 'rejected', false],
    [27, 'rejected', false],
    [9_999, 'rejected', false],
  ])('with status %i is classified as "%s"', (status, kind, limited) => {
    const { accepted, failure, detail } = readAnswer(200, JSON.stringify({ status, seq: 4711 }));
    expect([accepted, failure!.kind, failure!.limited ?? false, failure!.code]).toEqual([
      [],
      kind,
      limited,
      String(status),
    ]);
    expect(detail).toEqual({ status });
    expect(toFailure(0)).toBeNull();
  });

  test.each<[string, number, string, string]>([
    ['a proxy’s HTML page', 502, '<html>', 'unknown'],
    ['a missing token', 200, '{"status":0}', 'unknown'],
    ['an invalid token', 200, '{"status":0,"message_token":"x"}', 'unknown'],
    ['an invalid status', 200, '{"status":"0"}', 'unknown'],
    ['a wrong URL', 404, 'not here', 'connection'],
    ['throttling', 429, '', 'throttled'],
  ])('with %s is treated as a failure', (_, http, body, kind) => {
    expect(readAnswer(http, body)).toMatchObject({ accepted: [], failure: { kind } });
  });
});
