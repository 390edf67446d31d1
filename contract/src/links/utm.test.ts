import { expect, test } from 'vitest';
import { readUtm, withUtm } from './utm.ts';

test('UTM parameters are read from a URL, and replaced without changing the rest of it', () => {
  const url = 'https://example.com/a?x=1%20b&utm_source=old&empty#top';
  expect(readUtm(url)).toEqual({ source: 'old', medium: '', campaign: '', term: '', content: '' });
  const changed = withUtm(url, { source: ' SMS & more ', campaign: 'Été 🌞' });
  expect(changed).toBe(
    'https://example.com/a?x=1%20b&empty&utm_source=SMS%20%26%20more&utm_campaign=%C3%89t%C3%A9%20%F0%9F%8C%9E#top',
  );
  expect(readUtm(changed)).toMatchObject({ source: 'SMS & more', campaign: 'Été 🌞' });
  expect(withUtm(changed, { source: '', campaign: '' })).toBe('https://example.com/a?x=1%20b&empty#top');
  expect(withUtm('https://example.com', { medium: 'sms' })).toBe('https://example.com?utm_medium=sms');
  expect([readUtm('example'), withUtm('example', { medium: 'sms' })]).toEqual([null, 'example']);
});
