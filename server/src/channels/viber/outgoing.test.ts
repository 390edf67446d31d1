import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Outgoing, OutgoingContent, OutgoingMedia } from '../channel.ts';
import { bodyOf } from './outgoing.ts';
import { failureOf } from './statuses.ts';
import { readAnswer } from './viber.ts';
import { secondsOf, type VideoSize, VideoSizes } from './video.ts';

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

describe('a message as Viber reads it', () => {
  test('all of a plain text', () => {
    expect(bodyOf(message('Summer sale', { purpose: 'promotional' }), null)).toEqual({
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
      'a text without a purpose is promotion',
      'Hi',
      null,
      { type: 225, label: 'promotion', message: { '#txt': 'Hi', ...td } },
    ],
    [
      'a text in a conversation',
      'Hi',
      { purpose: 'session' },
      { type: 306, label: 'transaction', message: { '#txt': 'Hi', ...td } },
    ],
    [
      'a transaction',
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
      'a picture in a conversation',
      '',
      { purpose: 'session', media: media('image') },
      { type: 307, message: { '#img': place, ...td } },
    ],
    [
      'a picture that moves',
      '',
      { purpose: 'promotional', media: media('image', { link: 'https://parley.example/a.GIF?x=1' }) },
      { type: 207, message: { '#img': 'https://parley.example/a.GIF?x=1', '#imageFormat': 'gif', ...td } },
    ],
    [
      'a picture with text and button',
      'Sale',
      { purpose: 'promotional', media: media('image'), buttons: [link] },
      { type: 208, message: { '#txt': 'Sale', '#img': place, ...button, ...td } },
    ],
    [
      'a picture with text: the button is there, and empty',
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
      'a video with a text, in a conversation',
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
      'a video with text and button',
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
      'a document in a conversation, with a long name',
      '',
      { purpose: 'session', media: media('document', { file_name: `${'a'.repeat(40)}.XLSX` }) },
      { type: 221, file_type: 'xlsx', message: { '#action': place, '#fileName': `${'a'.repeat(20)}.xlsx` } },
    ],
    [
      'a document whose name says nothing',
      '',
      { media: media('document', { file_name: 'menu' }) },
      {
        type: 220,
        label: 'promotion',
        file_type: 'pdf',
        message: { '#action': place, '#fileName': 'menu.pdf', ...td },
      },
    ],
  ])('%s', (_, text, content, expected) => {
    const body = bodyOf(message(text, content), { bytes: 4_096, seconds: 12.4 });
    expect(body).toMatchObject(expected);
    // Viber refuses a member too many.
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
  test('a transaction that the provider has a template for: its id and the values by name, no text', () => {
    const template = { ...stored, external_id: 'order-shipped' };
    expect(bodyOf(message('Order 7 of Ann', { purpose: 'transactional', template }), null)).toEqual({
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
    expect(bodyOf(message('Order', { purpose: 'promotional', template }), null)).toMatchObject({ type: 225 });
    expect(
      bodyOf(message('Order', { purpose: 'transactional', template: { ...stored, external_id: null } }), null),
    ).toMatchObject({ type: 206, message: { '#txt': 'Order' } });
    const without = { ...template, body_values: [], body_names: undefined };
    expect(bodyOf(message('Thanks', { purpose: 'transactional', template: without }), null).templateParams).toEqual({});
  });

  test.each([
    [1, 30],
    [86_400, 86_400],
    [5_000_000, 1_209_600],
  ])('%i seconds of validity are %i', (valid_seconds, ttl) => {
    expect(bodyOf({ ...message('Hi'), valid_seconds }, null).ttl).toBe(ttl);
  });

  const video = media('video', { picture });
  test.each<[string, Outgoing, VideoSize | null]>([
    ['a sender that is no service', { ...message('Hi'), from: 'Harbour' }, null],
    ['a button that calls', message('Hi', { buttons: [{ type: 'phone_call', text: 'Call', value: '1' }] }), null],
    ['two buttons', message('Hi', { buttons: [link, link] }), null],
    ['nothing', message(''), null],
    ['a picture with a button and no text', message('', { media: media('image'), buttons: [link] }), null],
    ['a video with a button and no text', message('', { media: video, buttons: [link] }), { bytes: 1, seconds: 3 }],
    ['a video of unknown size', message('', { media: video }), null],
    ['a video without a picture', message('', { media: media('video') }), { bytes: 1, seconds: 3 }],
    ['a document with words', message('Bill', { media: media('document') }), null],
    ['a document with a button', message('', { media: media('document'), buttons: [link] }), null],
  ])('%s has no shape', (_, given, size) => {
    expect(() => bodyOf(given, size)).toThrow(/Viber|text/);
  });
});

describe('answers', () => {
  test('taken: the token keeps every digit', () => {
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
    [13, 'config', false],
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
  ])('status %i is %s', (status, kind, limited) => {
    const { accepted, failure, detail } = readAnswer(200, JSON.stringify({ status, seq: 4711 }));
    expect([accepted, failure!.kind, failure!.limited ?? false, failure!.code]).toEqual([
      [],
      kind,
      limited,
      String(status),
    ]);
    expect(detail).toEqual({ status });
    expect(failureOf(0)).toBeNull();
  });

  test.each<[string, number, string, string]>([
    ['a page of some proxy', 502, '<html>', 'unknown'],
    ['no token', 200, '{"status":0}', 'unknown'],
    ['a token that is none', 200, '{"status":0,"message_token":"x"}', 'unknown'],
    ['a status that is none', 200, '{"status":"0"}', 'unknown'],
    ['another place', 404, 'not here', 'connection'],
    ['too fast', 429, '', 'throttled'],
  ])('%s', (_, http, body, kind) => {
    expect(readAnswer(http, body)).toMatchObject({ accepted: [], failure: { kind } });
  });
});

describe('how long a video lasts', () => {
  const box = (type: string, ...inside: Buffer[]): Buffer => {
    const body = Buffer.concat(inside);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const header = (version: 0 | 1, units: number, length: number): Buffer => {
    const body = Buffer.alloc(version === 1 ? 112 : 100);
    body[0] = version;
    body.writeUInt32BE(units, version === 1 ? 20 : 12);
    if (version === 1) body.writeBigUInt64BE(BigInt(length), 24);
    else body.writeUInt32BE(length, 16);
    return box('mvhd', body);
  };
  const start = box('ftyp', Buffer.from('isom0000'));
  const data = box('mdat', Buffer.alloc(100_000));
  const long = Buffer.concat([
    Buffer.from('00000001', 'hex'),
    Buffer.from('mdat'),
    Buffer.from('0000000000000400', 'hex'),
    Buffer.alloc(1_008),
  ]);
  const drip = (octets: Buffer) => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < octets.length; at += 7) pieces.push(octets.subarray(at, at + 7));
    return Readable.from(pieces);
  };

  const files: [string, Buffer[], number | null][] = [
    ['at the beginning', [start, box('moov', header(0, 1_000, 12_400)), data], 12.4],
    ['at the end', [start, data, box('moov', box('udta', Buffer.alloc(9)), header(0, 600, 1_800))], 3],
    ['after a box with a long size, and in 64 bits', [start, long, box('moov', header(1, 90_000, 900_000))], 10],
    ['not said', [start, box('moov', header(0, 1_000, 0)), data], null],
    ['no units', [start, box('moov', header(0, 0, 9))], null],
    ['no such box', [start, data], null],
    ['an empty box', [start, box('moov')], null],
    ['a box in it that says it is nothing', [start, box('moov', Buffer.alloc(40))], null],
    ['cut off', [start, box('moov', header(0, 1_000, 5)).subarray(0, 40)], null],
    ['no video', [Buffer.from('GIF89a, and more of the same')], null],
    ['nothing', [], null],
    ['a box to the end of the file', [start, Buffer.from('00000000', 'hex'), Buffer.from('mdat')], null],
    ['a box that is too large to look into', [start, Buffer.from('7fffffff', 'hex'), Buffer.from('moov')], null],
  ];
  test.each(files)('%s', async (_, boxes, seconds) => {
    const octets = Buffer.concat(boxes);
    expect(await secondsOf(octets.length === 0 ? Readable.from([]) : Readable.from([octets]))).toBe(seconds);
    expect(await secondsOf(drip(octets))).toBe(seconds);
  });

  const behind = (octets: Buffer) => {
    const asked: number[] = [];
    const stretch = async (from: number, bytes: number) => {
      asked.push(from);
      return { octets: octets.subarray(from, from + bytes), total: octets.length };
    };
    return {
      asked,
      media: media('video', { key: null, bytes: null, link: `https://a.example/${octets.length}.mp4`, stretch }),
    };
  };
  test.each(files)('the same of a file behind a link: %s', async (_, boxes, seconds) => {
    const octets = Buffer.concat(boxes);
    const { media: video } = behind(octets);
    expect(await new VideoSizes().of(video)).toEqual(seconds === null ? null : { bytes: octets.length, seconds });
  });

  test('of a large file behind a link little is read, and once', async () => {
    const large = Buffer.concat([
      start,
      box('mdat', Buffer.alloc(3_000_000)),
      box('moov', header(0, 600, 1_800), Buffer.alloc(200_000)),
    ]);
    const { asked, media: video } = behind(large);
    const sizes = new VideoSizes();
    expect(await Promise.all([sizes.of(video), sizes.of(video)])).toEqual([
      { bytes: large.length, seconds: 3 },
      { bytes: large.length, seconds: 3 },
    ]);
    expect(asked).toEqual([0, 3_000_024]);
    const straddling = Buffer.concat([start, box('free', Buffer.alloc(65_500)), box('moov', header(0, 600, 1_800))]);
    const other = behind(straddling);
    expect(await sizes.of(other.media)).toEqual({ bytes: straddling.length, seconds: 3 });
    expect(other.asked.length).toBe(2);
    const silent = media('video', {
      key: null,
      link: 'https://a.example/x.mp4',
      bytes: null,
      stretch: async () => null,
    });
    expect(await sizes.of(silent)).toBeNull();
    let tries = 0;
    const broken = media('video', {
      key: null,
      link: 'https://a.example/y.mp4',
      bytes: null,
      stretch: async () => {
        tries++;
        throw new Error('away');
      },
    });
    for (let n = 0; n < 2; n++) await expect(sizes.of(broken)).rejects.toThrow('away');
    expect(tries).toBe(2);
  });

  test('no further than it must, and a file that breaks is told', async () => {
    let read = 0;
    const endless = Readable.from(
      (function* () {
        yield Buffer.concat([start, box('moov', header(0, 1_000, 2_000))]);
        for (;;) {
          read++;
          yield Buffer.alloc(1_000);
        }
      })(),
    );
    expect(await secondsOf(endless)).toBe(2);
    expect(read).toBeLessThan(100);
    const broken = new Readable({ read: () => {} });
    queueMicrotask(() => broken.destroy(new Error('gone')));
    await expect(secondsOf(broken)).rejects.toThrow('gone');
  });
});
