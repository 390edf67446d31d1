import { beforeEach, describe, expect, test } from 'vitest';
import { copyName, draftKey, emptyDraft, isEmpty, readDraft, writeDraft } from './draft.ts';

describe('a draft', () => {
  const key = draftKey('u1', 'SMS', 'new');
  beforeEach(() => localStorage.clear());

  test('survives a reload and is deleted when it is discarded', () => {
    const draft = { ...emptyDraft(), name: 'Spring', text: 'Hello {first_name}' };
    writeDraft(key, draft);
    expect(readDraft(key)).toEqual(draft);
    expect(readDraft(draftKey('u2', 'SMS', 'new'))).toBeNull();
    writeDraft(key, null);
    expect(readDraft(key)).toBeNull();
  });

  test('uses defaults for fields that an older version lacks and is ignored when it is malformed', () => {
    localStorage.setItem(key, '{"text":"Hi"}');
    expect(readDraft(key)).toEqual({ ...emptyDraft(), text: 'Hi' });
    localStorage.setItem(key, '{"text":');
    expect(readDraft(key)).toBeNull();
    expect(isEmpty(emptyDraft())).toBe(true);
  });
});

test.each([
  ['Spring', 'Spring (copy)'],
  ['Spring (copy)', 'Spring (copy 2)'],
  ['Spring (copy 9)', 'Spring (copy 10)'],
  ['x'.repeat(45), `${'x'.repeat(38)} (copy)`],
])('a copy of %s is named %s', (name, copy) => expect(copyName(name)).toBe(copy));
