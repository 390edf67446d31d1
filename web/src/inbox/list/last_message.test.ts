import { expect, test } from 'vitest';
import { personName } from '../../channels/compose/person_name.ts';
import { messagePreview } from './last_message.ts';

test('a person is shown by contact or profile name, and a file without text by its type', () => {
  expect(personName({ contact_name: 'Ada', profile_name: 'ada_1815' })).toBe('Ada');
  expect(personName({ contact_name: '', profile_name: 'ada_1815' })).toBe('ada_1815');
  const last = { id: 'm', direction: 'MO' as const, status: 'received' };
  expect(messagePreview({ ...last, text: 'Look', type: 'image' })).toBe('Look');
  expect(messagePreview({ ...last, text: '', type: 'image' })).toBe('Image');
  expect(messagePreview({ ...last, text: '', type: 'text' })).toBe('');
  expect(messagePreview({ ...last, text: '\u200b\u202e', type: 'text' })).toBe('No visible characters');
});
