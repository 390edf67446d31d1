import { describe, expect, test } from 'vitest';
import { request } from '../test/viber.ts';
import { parseExact, RawNumber } from './numbers.ts';
import { type Business, readRequest, readSeq } from './request.ts';
import { Refusal } from './statuses.ts';
import type { Template } from './templates.ts';
import { messageTypes } from './types.ts';

const business: Business = {
  service_id: 30001,
  name: 'Acme',
  callback_url: '',
  auth_token: 't',
  promotional: true,
  two_way: true,
  blocked: false,
  address_allowed: true,
};

const templates: Record<string, Template> = {
  order: { template_id: 'order', language: 'en', text: 'Order {{ number }} of {{name}} is on its way, {{name}}.' },
  code: { template_id: 'code', language: 'de', text: 'Ihr Code: {{pin}}' },
  plain: { template_id: 'plain', language: 'en', text: 'We are closed on Sunday.' },
};

function requestStatus(body: unknown, changes: Partial<Business> = {}): number {
  try {
    readRequest(body, {
      findBusiness: (id) => (id === 30001 ? { ...business, ...changes } : undefined),
      findTemplate: (id) => templates[id],
    });
    return 0;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

const image = 'https://cdn.example/sale.png?v=2';
const film = 'https://cdn.example/film.MP4';
const td = { '#tracking_data': '' };
const button = { '#caption': 'Open', '#action': 'https://shop.example' };
const thumbnail = { '#thumbnail': 'https://cdn.example/t.jpg' };
const size = { file_size: 1_000_000, duration: 30 };

/** A valid request for every type, without its tracking data. */
const filled = { templateId: 'order', templateLang: 'en', templateParams: { number: '7', name: 'Ann' } };
const validRequests: Record<number, { message: object; [field: string]: unknown }> = {
  1701: { message: {}, ...filled },
  1702: { message: {}, ...filled },
  206: { message: { '#txt': 'Hi' } },
  225: { message: { '#txt': 'Hi' } },
  306: { message: { '#txt': 'Hi' } },
  207: { message: { '#img': image } },
  107: { message: { '#img': image, '#imageFormat': 'gif' } },
  307: { message: { '#img': image } },
  208: { message: { '#txt': 'Hi', '#img': image, ...button } },
  108: { message: { '#txt': 'Hi', '#img': image, ...button } },
  210: { message: { '#txt': 'Hi', '#img': image, '#caption': '', '#action': '' } },
  209: { message: { '#txt': 'Hi', ...button } },
  109: { message: { '#txt': 'Hi', ...button } },
  220: { message: { '#action': 'https://cdn.example/bill', '#fileName': 'bill.pdf' }, file_type: 'pdf' },
  222: { message: { '#action': 'https://cdn.example/bill', '#fileName': 'bill.pdf' }, file_type: 'PDF' },
  221: { message: { '#action': 'https://cdn.example/bill', '#fileName': 'bill.xlsx' }, file_type: 'xlsx' },
  224: { message: { '#action': 'https://cdn.example/bill', '#fileName': 'bill.csv' }, file_type: 'csv' },
  230: { message: { '#action': film, ...thumbnail }, ...size },
  231: { message: { '#txt': 'Hi', '#action': film, ...thumbnail }, ...size },
  232: { message: { '#txt': 'Hi', '#caption': 'Play', '#action': film, ...thumbnail }, ...size },
  233: { message: { '#txt': 'Hi', ...button, '#media': film, ...thumbnail }, ...size },
  330: { message: { '#action': film, ...thumbnail }, ...size },
  331: { message: { '#txt': 'Hi', '#action': film, ...thumbnail }, ...size },
};

// The message has no default fields, because each field matters here.
const body = (type: number, message: object, fields: object = {}) => ({ ...request({ type }), ...fields, message });

describe.each([...messageTypes])('message type %i', (type, rule) => {
  const { message, ...fields } = validRequests[type]!;
  const tracked = { ...message, ...(rule.tracking !== 'forbidden' && td) };

  test('is accepted with its required fields and refused when any one of them is missing', () => {
    expect(requestStatus(body(type, tracked, fields))).toBe(0);
    for (const name of rule.required) {
      const { [name]: _, ...rest } = tracked as Record<string, unknown>;
      expect([name, requestStatus(body(type, rest, fields))]).toEqual([name, 6]);
    }
  });

  test('is refused with a field of another type', () => {
    for (const name of ['#txt', '#img', '#caption', '#media', '#fileName', '#thumbnail', '#other']) {
      if ([...rule.required, ...rule.optional].includes(name)) continue;
      expect([name, requestStatus(body(type, { ...tracked, [name]: 'x' }, fields))]).toEqual([name, 6]);
    }
  });

  test(`treats tracking data as ${rule.tracking}`, () => {
    expect(requestStatus(body(type, message, fields))).toBe(rule.tracking === 'required' ? 6 : 0);
    expect(requestStatus(body(type, { ...message, '#tracking_data': 'm-1' }, fields))).toBe(
      rule.tracking === 'forbidden' ? 6 : 0,
    );
    if (rule.tracking !== 'forbidden')
      expect(requestStatus(body(type, { ...message, '#tracking_data': 5 }, fields))).toBe(6);
  });

  test('is refused when the service lacks the right that this kind of message requires', () => {
    const missing = { promotional: { promotional: false }, session: { two_way: false }, transactional: {} }[rule.kind];
    expect(requestStatus(body(type, tracked, fields), missing)).toBe(rule.kind === 'transactional' ? 0 : 13);
  });
});

describe('a request', () => {
  const text = (text: string) => request({ message: { '#txt': text } });
  const video = (fields: object, message: object = {}) =>
    body(230, { ...validRequests[230]!.message, ...td, ...message }, { ...size, ...fields });
  const file = (fields: object, message: object = {}) =>
    body(220, { ...validRequests[220]!.message, ...td, ...message }, { file_type: 'pdf', ...fields });

  const cases: [what: string, status: number, body: unknown][] = [
    ['an array instead of an object', 3, []],
    ['a string instead of an object', 3, 'text'],
    ['an unknown service', 2, request({ service_id: 4 })],
    ['a service id as a string', 2, request({ service_id: '30001' })],
    ['an unknown type', 5, request({ type: 999 })],
    ['a type as a string', 5, request({ type: '206' })],
    ['a destination with a plus', 27, request({ dest: '+447700123456' })],
    ['a destination that is not a string', 27, request({ dest: 447700123456 })],
    ['a destination that is too short', 27, request({ dest: '44770' })],
    ['a destination that starts with zero', 27, request({ dest: '07700123456' })],
    ['no label', 18, request({ label: undefined })],
    ['an unknown label', 18, request({ label: 'session' })],
    ['a transaction labeled as a promotion', 18, request({ label: 'promotion' })],
    ['a file labeled as a promotion', 18, file({ label: 'promotion' })],
    ['a promotion labeled as a transaction', 18, body(225, { '#txt': 'Hi', ...td }, { label: 'transaction' })],
    ['any label in a session', 0, body(306, { '#txt': 'Hi', ...td }, { label: 'promotion' })],
    ['a ttl that is too short', 20, request({ ttl: 29 })],
    ['a ttl that is too long', 20, request({ ttl: 1_209_601 })],
    ['a ttl as a string', 20, request({ ttl: '60' })],
    ['the shortest ttl', 0, request({ ttl: 30 })],
    ['the longest ttl', 0, request({ ttl: 1_209_600 })],
    ['no seq', 6, request({ seq: undefined })],
    ['a tag that is not a string', 6, request({ tag: 5 })],
    ['no message', 6, { ...request(), message: undefined }],
    ['no text', 6, text('')],
    ['a text of the maximum length', 0, text('🙂'.repeat(1000))],
    ['a text that is too long', 3, text('🙂'.repeat(1001))],
    ['a NUL character in the text', 3, text('\0')],
    ['a lone surrogate in the text', 3, text('\ud83d')],
    ['a caption that is too long', 6, body(209, { '#txt': 'Hi', ...button, '#caption': 'x'.repeat(31), ...td })],
    ['a caption of the maximum length', 0, body(209, { '#txt': 'Hi', ...button, '#caption': 'x'.repeat(30), ...td })],
    ['a caption without a URL', 6, body(209, { '#txt': 'Hi', '#caption': 'Open', '#action': '', ...td })],
    ['a URL without a caption', 6, body(209, { '#txt': 'Hi', ...button, '#caption': '', ...td })],
    ['an invalid URL', 6, body(209, { '#txt': 'Hi', ...button, '#action': 'javascript:alert(1)', ...td })],
    ['a picture in an unsupported format', 28, body(207, { '#img': 'https://cdn.example/a.tiff', ...td })],
    ['a picture without an extension', 28, body(207, { '#img': 'https://cdn.example/a?x=.png', ...td })],
    ['an unsupported image format', 6, body(207, { '#img': image, '#imageFormat': 'webp', ...td })],
    ['a video in an unsupported format', 28, video({}, { '#action': 'https://cdn.example/film.avi' })],
    ['a video that is too large', 31, video({ file_size: 200 * 1024 * 1024 + 1 })],
    ['a video of the maximum size', 0, video({ file_size: 200 * 1024 * 1024 })],
    ['an empty video', 31, video({ file_size: 0 })],
    ['no file size', 6, video({ file_size: undefined })],
    ['a video that is too long', 32, video({ duration: 601 })],
    ['a video of the maximum duration', 0, video({ duration: 600 })],
    ['no duration', 6, video({ duration: undefined })],
    ['a thumbnail URL that is too long', 30, video({}, { '#thumbnail': `https://cdn.example/${'x'.repeat(1000)}` })],
    ['an invalid thumbnail URL', 30, video({}, { '#thumbnail': 'picture' })],
    ['a file name that is too long', 29, file({}, { '#fileName': `${'x'.repeat(22)}.pdf` })],
    ['a file name of the maximum length', 0, file({}, { '#fileName': `${'x'.repeat(21)}.pdf` })],
    ['an unsupported file type', 28, file({ file_type: 'exe' })],
    ['no file type', 6, file({ file_type: undefined })],
    ['tracking data that is too long', 6, request({ message: { '#tracking_data': 'x'.repeat(4097) } })],
  ];
  test.each(cases)('with %s returns status %i', (_what, status, body) => expect(requestStatus(body)).toBe(status));

  test('reports a problem with the service before a problem with the message', () => {
    expect(requestStatus(request({ type: 1 }), { address_allowed: false })).toBe(401);
    expect(requestStatus(request({ type: 1 }), { blocked: true })).toBe(43);
    expect(requestStatus(request({ type: 1, dest: 'x' }))).toBe(5);
    expect(requestStatus(request({ dest: 'x', label: 'x' }))).toBe(27);
    expect(requestStatus(request({ label: 'x', ttl: 1 }))).toBe(18);
    expect(requestStatus(request({ ttl: 1, message: { '#img': 'x' } }))).toBe(20);
  });
});

describe('a template', () => {
  const template = (fields: object) => ({ ...request({ type: 1702 }), message: undefined, ...filled, ...fields });
  const params = (values: unknown) => template({ templateParams: values });

  test('is filled in at every placeholder', () => {
    const lookups = { findBusiness: () => business, findTemplate: (id: string) => templates[id] };
    const { content } = readRequest(template({}), lookups);
    expect(content.text).toBe('Order 7 of Ann is on its way, Ann.');
    const values = params({ number: '$1', name: '{{number}}' });
    expect(readRequest(values, lookups).content.text).toBe('Order $1 of {{number}} is on its way, {{number}}.');
  });

  const code = { templateId: 'code', templateLang: 'de' };
  const cases: [what: string, status: number, body: unknown][] = [
    ['no template id', 6, template({ templateId: undefined })],
    ['no language', 6, template({ templateLang: '' })],
    ['an unknown template id', 38, template({ templateId: 'other' })],
    ['a different language', 39, template({ templateLang: 'fr' })],
    ['its language in uppercase', 0, template({ templateLang: 'EN' })],
    ['no values', 6, params(undefined)],
    ['values in a list', 6, params(['7', 'Ann'])],
    ['one value too few', 39, params({ number: '7' })],
    ['one value too many', 39, params({ number: '7', name: 'Ann', other: 'x' })],
    ['an empty value', 39, params({ number: '7', name: '' })],
    ['a value that is not a string', 39, params({ number: 7, name: 'Ann' })],
    ['a value of the maximum length', 0, params({ number: '7', name: 'x'.repeat(125) })],
    ['a value that is too long', 39, params({ number: '7', name: 'x'.repeat(126) })],
    ['a link in a value', 39, params({ number: '7', name: 'see www.shop.example' })],
    ['a verification code', 0, template({ ...code, templateParams: { pin: '1234' } })],
    ['no verification code', 7, template({ ...code, templateParams: {} })],
    ['an empty verification code', 7, template({ ...code, templateParams: { pin: '' } })],
    ['no placeholders', 0, template({ templateId: 'plain', templateParams: undefined })],
  ];
  test.each(cases)('with %s returns status %i', (_what, status, body) => expect(requestStatus(body)).toBe(status));
});

test('seq is returned unchanged, whatever its size', () => {
  expect(readSeq(parseExact('{"seq":9223372036854775807}'))).toBe('9223372036854775807');
  expect(readSeq(parseExact('{"seq":-12}'))).toBe(-12);
  for (const seq of ['1.5', '1e30', '"7"', 'null']) expect(readSeq(parseExact(`{"seq":${seq}}`))).toBe(null);
  expect(JSON.stringify({ seq: new RawNumber('9223372036854775807') })).toBe('{"seq":9223372036854775807}');
});
