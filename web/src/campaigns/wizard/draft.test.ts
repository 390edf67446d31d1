import type { ChannelName } from '@parley/contract/channels/names.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkMessage } from './checks.ts';
import { sessionRequest } from './content/content.ts';
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

describe('a free text for people who messaged you in the last 24 hours', () => {
  const problems = (session_text: string | null, template_id: string | null = null) =>
    checkMessage('WHATSAPP', { ...emptyDraft(), session_text, template_id }, ['city']).map(({ field, text }) => [
      field,
      text,
    ]);

  test('takes the place of the template, and is checked like other texts', () => {
    expect(problems(null)).toEqual([['template', 'Template is required!']]);
    expect(problems('Hello {first_name:there} from {city}')).toEqual([]);
    expect(problems(' ', 't1')).toEqual([['session_text', 'Text is required!']]);
    expect(problems('Hi {nickname}', 't1')).toEqual([['session_text', 'Unknown variable {nickname}']]);
    expect(problems('x'.repeat(1002))).toEqual([['session_text', 'The message is 2 characters too long']]);
  });

  test.each<[ChannelName, object]>([
    ['WHATSAPP', { session_text: 'Hi' }],
    ['VIBER', {}],
    ['SMS', {}],
  ])('is part of the request on %s only if the channel needs templates', (channel, expected) =>
    expect(sessionRequest(channel, { ...emptyDraft(), session_text: 'Hi' })).toEqual(expected),
  );
});
