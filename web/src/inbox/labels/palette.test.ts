import { LABEL_COLORS } from '@parley/contract/inbox/labels.ts';
import { expect, test } from 'vitest';
import { colorName, freeColor } from './palette.ts';

test('a new label gets the color that the fewest labels have', () => {
  expect(freeColor([])).toBe('red');
  expect(freeColor([{ color: 'red' }, { color: 'gray' }])).toBe('orange');
  expect(freeColor(LABEL_COLORS.map((color) => ({ color })))).toBe('red');
  expect(colorName('teal')).toBe('Teal');
});
