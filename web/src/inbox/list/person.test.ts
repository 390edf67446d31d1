import { expect, test } from 'vitest';
import { personName } from '../../channels/compose/person_name.ts';
import { lastSaid } from './person.ts';

test('a person is called what we call them, else what they call themself; a file without words says what it is', () => {
  expect(personName({ contact_name: 'Ada', profile_name: 'ada_1815' })).toBe('Ada');
  expect(personName({ contact_name: '', profile_name: 'ada_1815' })).toBe('ada_1815');
  const last = { id: 'm', direction: 'MO' as const, status: 'received' };
  expect(lastSaid({ ...last, text: 'Look', type: 'image' })).toBe('Look');
  expect(lastSaid({ ...last, text: '', type: 'image' })).toBe('Image');
  expect(lastSaid({ ...last, text: '', type: 'text' })).toBe('');
});
