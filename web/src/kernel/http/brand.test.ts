/** @vitest-environment happy-dom */
import { afterEach, expect, test, vi } from 'vitest';

const shades = {
  ...{ accent: '#aa0000', accent_hover: '#880000', accent_ink: '#990000' },
  ...{ accent_soft: '#ffeeee', accent_soft_hover: 'red;background:url(https://evil.example)' },
};
const ACME = { name: 'Acme Texts', logo_url: null, logo_dark_url: null, palette: { light: shades, dark: shades } };
const property = (name: string) => document.documentElement.style.getPropertyValue(name);
const load = async () => {
  vi.resetModules();
  return import('../../ui/brand.ts');
};

afterEach(() => {
  localStorage.clear();
  document.head.innerHTML = '';
  document.documentElement.removeAttribute('style');
});

test('the brand of the account is shown after a reload, until the user signs out', async () => {
  (await load()).showBrand(ACME);
  const reloaded = await load();
  expect(reloaded.brandName()).toBe('Parley');
  reloaded.restoreBrand();
  expect(reloaded.brandName()).toBe('Acme Texts');
  expect(property('--brand-dark-accent-ink')).toBe('#990000');
  reloaded.showBrand(null);
  expect([reloaded.brandName(), property('--brand-dark-accent-ink')]).toEqual(['Parley', '']);
  (await load()).restoreBrand();
  expect((await load()).brandName()).toBe('Parley');
});

test('only colors become styles, and a damaged entry is ignored', async () => {
  const { showBrand } = await load();
  showBrand(ACME);
  expect(property('--brand-light-accent')).toBe('#aa0000');
  expect(property('--brand-light-accent-soft-hover')).toBe('');
  localStorage.setItem('parley.brand', '{"name": 5');
  const reloaded = await load();
  reloaded.restoreBrand();
  expect(reloaded.brandName()).toBe('Parley');
});

test('the page of a brand’s domain names the brand before any request', async () => {
  const meta = document.createElement('meta');
  meta.name = 'brand';
  meta.content = JSON.stringify({ ...ACME, domain: 'app.acme.example' });
  document.head.append(meta);
  const { brandName, isOwnDomain } = await load();
  expect([brandName(), isOwnDomain()]).toEqual(['Acme Texts', true]);
});

test('on the domain of a brand, signed links of responses lead to that domain', async () => {
  const meta = document.createElement('meta');
  meta.name = 'brand';
  meta.content = JSON.stringify({ ...ACME, domain: 'app.acme.example', home: 'https://parley.example' });
  document.head.append(meta);
  await load();
  const { parseResponse } = await import('./own_links.ts');
  const body = { put_url: 'https://parley.example/v1/media/uploads/x', text: 'See https://parley.example/v1/' };
  expect(parseResponse(JSON.stringify(body))).toEqual({
    put_url: `${window.location.origin}/v1/media/uploads/x`,
    text: body.text,
  });
});
