import { describe, expect, test } from 'vitest';
import { destinationRefusal } from './destination.ts';
import { CODE_LENGTH, fillLinks, fillOptOut, linkFindings, linksIn, SAMPLE_CODE, withSampleLinks } from './inline.ts';

describe('the destination of a link', () => {
  test.each([
    'https://example.com',
    'http://example.com:8080/a?b=c#d',
    'https://münchen.example',
    'https://日本.example/',
  ])('can be %s', (url) => {
    expect(destinationRefusal(url)).toBeNull();
  });
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    'https://a:b@example.com',
    'https://localhost/',
    'http://10.0.0.1',
    'http://0x7f.1/',
    'http://169.254.169.254/latest',
    'http://[fd00::1]/',
    'https://intranet/',
    'https://p\u0430ypal.example',
    'https://xn--pypal-4ve.example',
    'https://\u0430\u0440\u0440\u04cf\u0435.example',
    'https://example.com/a b',
    `https://example.com/${'x'.repeat(2_083)}`,
  ])('cannot be %s', (url) => {
    expect(destinationRefusal(url)).not.toBeNull();
  });
});

test('links in a text are found and replaced in order', () => {
  const text = 'A {url=https://a.example/?x={}} {url= https://b.example } {URL=https://c.example}';
  expect(linksIn('A {url=https://a.example} {url= https://b.example }')).toEqual([
    ...['https://a.example', 'https://b.example'],
  ]);
  expect(fillLinks('{url=https://a.example}/{URL=https://b.example}', (url, tag) => `${tag.length}:${url}`)).toBe(
    '23:https://a.example/23:https://b.example',
  );
  expect(linkFindings(text)).toMatchObject([{ code: 'LINK_URL_INVALID', field: 'text' }]);
  expect(linkFindings('{url=https://a.example}'.repeat(5))).toEqual([]);
  expect(linkFindings('{url=https://a.example}'.repeat(6))).toMatchObject([{ code: 'LINKS_LIMIT_EXCEEDED' }]);
});

test('a sample is as long as a short URL', () => {
  expect(SAMPLE_CODE).toHaveLength(CODE_LENGTH);
  expect(withSampleLinks('Go {url=https://a.example}', 'https://go.example')).toBe(
    `Go https://go.example/${SAMPLE_CODE}`,
  );
  expect(fillOptOut('Bye {sms_opt_out:x}', '$& STOP')).toBe('Bye $& STOP');
});
