import { describe, expect, test } from 'vitest';
import { CHANNELS } from '../channels/names.ts';
import type { ProblemName } from '../problem.ts';
import { mediaRule } from './channel_rules.ts';
import {
  attachmentRefusal,
  dimensionRefusal,
  fileExtension,
  fileRefusal,
  isFileName,
  linkRefusal,
  MAX_MEDIA_BYTES,
} from './rules.ts';
import { MEDIA_TYPES } from './types.ts';

const MB = 1024 * 1024;

test('each channel and media type has its own size limit and error codes', () => {
  const rows = [null, ...CHANNELS].map((channel) =>
    MEDIA_TYPES.map((type) => {
      const { max_bytes, too_large, wrong_extension } = mediaRule(type, channel);
      return [max_bytes / MB, too_large, wrong_extension];
    }),
  );
  const generalRules = [1, 2, 3].map(() => [200, 'FILE_TOO_LARGE', 'FILE_EXTENSION_NOT_ALLOWED']);
  expect(rows).toEqual([
    generalRules,
    // SMS has no media, so the general limits apply.
    generalRules,
    [
      [5, 'WHATSAPP_IMAGE_INVALID', 'WHATSAPP_IMAGE_INVALID'],
      [16, 'WHATSAPP_VIDEO_INVALID', 'WHATSAPP_VIDEO_INVALID'],
      [100, 'WHATSAPP_DOCUMENT_INVALID', 'WHATSAPP_DOCUMENT_INVALID'],
    ],
    [
      [24, 'VIBER_IMAGE_INVALID', 'VIBER_IMAGE_INVALID'],
      [200, 'VIBER_VIDEO_INVALID', 'VIBER_VIDEO_INVALID'],
      [200, 'VIBER_DOCUMENT_INVALID', 'VIBER_DOCUMENT_INVALID'],
    ],
  ]);
  for (const channel of CHANNELS)
    for (const type of MEDIA_TYPES) expect(mediaRule(type, channel).max_bytes).toBeLessThanOrEqual(MAX_MEDIA_BYTES);
});

test('a linked video can be .3gpp wherever .3gp is allowed', () => {
  for (const channel of [null, 'WHATSAPP', 'VIBER'] as const)
    expect(linkRefusal('https://shop.example.com/clip.3gpp', mediaRule('video', channel))).toBeNull();
  expect(linkRefusal('https://shop.example.com/clip.mov', mediaRule('video', 'WHATSAPP'))).toEqual({
    code: 'WHATSAPP_VIDEO_INVALID',
    message: 'File extensions should be .mp4, .3gp, or .3gpp',
  });
});

test('a file extension is the lowercased text after the last dot', () => {
  expect(['a.JPG', 'a.tar.PDF', 'a', '.png', 'a.'].map(fileExtension)).toEqual(['.jpg', '.pdf', '', '.png', '.']);
});

test('a file is rejected when it violates the extension, size, or dimension rule', () => {
  const refusalMessage = (name: string, size: number) =>
    fileRefusal({ name, size }, mediaRule('image', 'WHATSAPP'))?.message;
  expect(refusalMessage('a.jpg', 5 * MB)).toBeUndefined();
  expect(refusalMessage('a.jpg', 5 * MB + 1)).toBe('File size should not exceed 5 MB');
  expect(refusalMessage('a.gif', 1)).toBe('File extensions should be .jpg, .jpeg, or .png');
  expect(refusalMessage('a.jpg', 0)).toBe('The file is empty');
  expect(fileRefusal({ name: 'a.doc', size: 1 }, mediaRule('document', 'WHATSAPP'))?.message).toBe(
    'File extension should be .pdf',
  );
  expect(dimensionRefusal({ width: 10, height: 20 }, { width: 10, height: 20 })).toBeNull();
  expect(dimensionRefusal({ width: 10, height: 20 }, null)).toBeNull();
  expect(dimensionRefusal({ width: 10, height: 20 }, { width: 20, height: 10 })?.message).toBe(
    'Image dimensions should be 20 x 10 pixels',
  );
});

describe('linkRefusal', () => {
  test.each<[string, ProblemName | null, string?]>([
    ['https://a.example/x.png', null],
    ['https://a.example/x.PNG?size=1#top', null],
    ['  https://a.example/x.png ', null],
    ['https://a.example/%E2%9C%93.png', null],
    ['', 'MEDIA_REQUIRED', 'URL is required!'],
    ['http://a.example/x.png', 'MEDIA_LINK_INVALID', "URL should start with 'https'"],
    ['ftp://a.example/x.png', 'MEDIA_LINK_INVALID', "URL should start with 'https'"],
    ['javascript:alert(1)//.png', 'MEDIA_LINK_INVALID', "URL should start with 'https'"],
    ['https', 'MEDIA_LINK_INVALID', 'URL is not valid'],
    ['https:a.example/x.png', 'MEDIA_LINK_INVALID', 'URL is not valid'],
    ['https://user:secret@a.example/x.png', 'MEDIA_LINK_INVALID', 'URL is not valid'],
    ['httpsx://a.example/x.png', 'MEDIA_LINK_INVALID', 'URL is not valid'],
    ['https://a.example/x.pdf', 'VIBER_IMAGE_INVALID'],
    ['https://a.example/?x.png', 'VIBER_IMAGE_INVALID'],
    ['https://a.example/%zz.pdf', 'VIBER_IMAGE_INVALID'],
    [`https://a.example/${'x'.repeat(979)}.png`, 'MEDIA_LINK_TOO_LONG', 'URL can have at most 1000 characters'],
    [`https://a.example/${'x'.repeat(978)}.png`, null],
  ])('returns the expected problem, if any, for %j', (url, code, message) => {
    const refusal = linkRefusal(url, mediaRule('image', 'VIBER'));
    expect(refusal?.code ?? null).toBe(code);
    if (message) expect(refusal!.message).toBe(message);
  });
});

test('every media type except text requires a file or a link', () => {
  expect(attachmentRefusal('text', {})).toBeNull();
  expect(attachmentRefusal('image', { media_id: 'x' })).toBeNull();
  expect(attachmentRefusal('image', { url: 'https://a' })).toBeNull();
  expect(attachmentRefusal('image', { media_id: null, url: ' ' })?.message).toBe('A file attachment is required');
});

test('a file name must be a single readable path segment', () => {
  for (const name of ['a.pdf', 'Été 🌞.jpg', 'отчёт 2026 (1).xlsx', '.htaccess', 'a..b', `${'a'.repeat(251)}.pdf`])
    expect(isFileName(name), name).toBe(true);
  const invalidNames = [
    '',
    ' ',
    ' a',
    'a ',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a\nb',
    'a\0',
    'a\u202eb',
    '\ud800',
    'a'.repeat(256),
  ];
  for (const name of invalidNames) expect(isFileName(name), JSON.stringify(name)).toBe(false);
});
