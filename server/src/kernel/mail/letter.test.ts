import { expect, test } from 'vitest';
import { letter } from './letter.ts';

test('an email has the same content in HTML and text, and markup in its values is escaped', () => {
  const { html, text } = letter({
    brand: 'Parley',
    title: 'Hello <b>Anna</b>',
    paragraphs: ['Your "code" & more:', 'It is valid for 10 minutes.'],
    code: '123456',
    action: { label: 'Open', url: 'https://example.com/a?b=1&c="2"' },
    footer: 'You received this because you signed up.',
  });
  expect(html).not.toContain('<b>');
  expect(html).toContain('Hello &#60;b&#62;Anna');
  expect(html).toContain('href="https://example.com/a?b=1&#38;c=%222%22"');
  expect(text).toBe(
    'Hello <b>Anna</b>\n\nYour "code" & more:\n\nIt is valid for 10 minutes.\n\n123456\n\n' +
      'Open: https://example.com/a?b=1&c=%222%22\n\n-- \nYou received this because you signed up.\n',
  );
});

test('an email links only to web URLs', () => {
  const to = (url: string) =>
    letter({ brand: 'P', title: 't', paragraphs: [], action: { label: 'x', url }, footer: 'f' });
  expect(() => to('javascript:alert(1)')).toThrow();
  expect(() => to('data:text/html,x')).toThrow();
});
