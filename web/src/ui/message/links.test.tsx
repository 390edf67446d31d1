import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LinkedText } from './LinkedText.tsx';
import { splitLinks } from './links.ts';

const links = (text: string) => splitLinks(text).flatMap(({ text: shown, href }) => (href ? [[shown, href]] : []));

test.each([
  ['See https://x.example/a?b=1.', [['https://x.example/a?b=1', 'https://x.example/a?b=1']]],
  ['(https://x.example/a_(b)), then', [['https://x.example/a_(b)', 'https://x.example/a_(b)']]],
  ['Open www.harbour.example!', [['www.harbour.example', 'https://www.harbour.example/']]],
  ['Call +49 (176) 0406-9014 now', [['+49 (176) 0406-9014', 'tel:+4917604069014']]],
  [
    'https://a.example and http://b.example',
    [
      ['https://a.example', 'https://a.example/'],
      ['http://b.example', 'http://b.example/'],
    ],
  ],
  ['javascript:alert(1) data:text/html,x ftp://x.example', []],
  ['https://bank.example@evil.example/', []],
  ['https://localhost/x', []],
  ['Order 4917604069014, 2+2=4, +12', []],
  ['mail@www.example', []],
])('the text %j contains the links %j', (text, expected) => {
  expect(links(text)).toEqual(expected);
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test('a link ends before a character that changes the text direction', () => {
  expect(links('https://x.example/\u202egpj.exe')).toEqual([['https://x.example/', 'https://x.example/']]);
});

test('a linked text opens safely and shows HTML as text', () => {
  expect(renderToStaticMarkup(<LinkedText text={'<a href="javascript:x">y</a> https://x.example'} />)).toBe(
    '&lt;a href=&quot;javascript:x&quot;&gt;y&lt;/a&gt; ' +
      '<a href="https://x.example/" target="_blank" rel="noopener noreferrer nofollow">https://x.example</a>',
  );
});
