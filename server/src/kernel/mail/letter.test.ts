import { expect, test } from 'vitest';
import { BRAND_NAME, DEFAULT_BRAND } from '../brand/brand.ts';
import { type Letter, letter, renderLetter } from './letter.ts';

const CONFIG = { PUBLIC_URL: 'https://parley.example' };
const render = (words: Letter, brand = DEFAULT_BRAND) => renderLetter(letter(words).letter, brand, CONFIG);

test('an email has the same content in HTML and text, and markup in its values is escaped', () => {
  const { html, text } = render({
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
  const to = (url: string) => letter({ title: 't', paragraphs: [], action: { label: 'x', url }, footer: 'f' });
  expect(() => to('javascript:alert(1)')).toThrow();
  expect(() => to('data:text/html,x')).toThrow();
});

test('an email has the name, color, logo, and domain of the brand, and other links stay', () => {
  const shades = { accent: '#a00000', accent_hover: '', accent_ink: '', accent_soft: '', accent_soft_hover: '' };
  const brand = {
    ...DEFAULT_BRAND,
    ...{ name: 'Acme <i>', palette: { light: shades, dark: shades }, domain: 'app.acme.example' },
    ...{ logo_id: 'f8d1', logo_type: 'image/png' },
  };
  const words: Letter = {
    title: `Welcome to ${BRAND_NAME}`,
    paragraphs: [],
    action: { label: `Open ${BRAND_NAME}`, url: 'https://parley.example/reset-password/x?y=1' },
    also: { label: 'Elsewhere', url: 'https://parley.example.evil.example/' },
    footer: `Sent by ${BRAND_NAME}.`,
  };
  const { html, text } = render(words, brand);
  expect(html + text).not.toMatch(/Parley|#3a36c8|https:\/\/parley\.example\/|\u{E0B0}/u);
  expect(html).toContain('<img src="https://app.acme.example/brand/images/f8d1" alt="Acme &#60;i&#62;"');
  expect(html).toContain('background:#a00000');
  expect(text).toBe(
    'Welcome to Acme <i>\n\nOpen Acme <i>: https://app.acme.example/reset-password/x?y=1\n\n' +
      'Elsewhere: https://parley.example.evil.example/\n\n-- \nSent by Acme <i>.\n',
  );
  // Mail programs do not show SVG.
  expect(render(words, { ...brand, logo_type: 'image/svg+xml' }).html).not.toContain('<img');
});
