import { expect, test } from 'vitest';
import { contrast, derivePalette } from './palette.ts';

const HUES = [
  '#ffff00',
  '#ffffff',
  '#000000',
  '#3a36c8',
  '#ff0055',
  '#00ffcc',
  '#7f7f7f',
  '#fffdf0',
  '#010203',
  '#c0ffee',
];

test('the contrast of two colors is the ratio that WCAG defines', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test.each(HUES)('the palette of %s is readable in both themes', (color) => {
  const { light, dark } = derivePalette(color);
  for (const shades of [light, dark])
    for (const shade of Object.values(shades)) expect(shade).toMatch(/^#[0-9a-f]{6}$/);
  for (const { accent, accent_hover } of [light, dark])
    for (const button of [accent, accent_hover]) expect(contrast(button, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  for (const page of ['#ffffff', '#faf9f7', '#eeebe4', light.accent_soft, light.accent_soft_hover])
    expect(contrast(light.accent_ink, page)).toBeGreaterThanOrEqual(4.5);
  for (const page of ['#121110', '#161513', '#2c2a26', dark.accent_soft, dark.accent_soft_hover])
    expect(contrast(dark.accent_ink, page)).toBeGreaterThanOrEqual(4.5);
});

test('a readable color does not change', () => {
  expect(derivePalette('#3A36C8').light.accent).toBe('#3a36c8');
});
