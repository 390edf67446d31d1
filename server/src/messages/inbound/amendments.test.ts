import { describe, expect, test } from 'vitest';
import type { Amendment } from '../../channels/chat_event.ts';
import { amend } from './amendments.ts';

const AT = '2026-05-04 10:11:12';
const LATER = '2026-05-04 10:12:00';
const EARLIER = '2026-05-04 10:10:00';
const edit = (text: string): Amendment => ({ kind: 'edit', external_id: 'm', text });
const react = (emoji: string): Amendment => ({ kind: 'reaction', external_id: 'm', emoji });
const revoke: Amendment = { kind: 'revoke', external_id: 'm' };
const plain = { text: 'one', marks: null };

describe('a change to a message', () => {
  test('has no effect when it is repeated or older than the last one', () => {
    const first = amend(plain, edit('two'), 'contact', AT)!;
    const second = amend(first, edit('three'), 'contact', LATER)!;
    expect(second.marks.edits).toEqual([
      { text: 'one', at: AT },
      { text: 'two', at: LATER },
    ]);
    expect(amend(second, edit('two'), 'contact', AT)).toBeNull();
    expect(amend(second, edit('three'), 'contact', LATER)).toBeNull();
  });

  test('removes all texts when it is a deletion, after which other changes have no effect', () => {
    const edited = amend(plain, edit('two'), 'contact', AT)!;
    const deleted = amend(edited, revoke, 'contact', LATER)!;
    expect(deleted).toEqual({ text: 'Deleted message', marks: { deleted: LATER } });
    for (const change of [edit('three'), react('👍'), revoke])
      expect(amend(deleted, change, 'contact', LATER)).toBeNull();
  });

  test('replaces only the reaction of its author when it is a reaction', () => {
    const one = amend(plain, react('👍'), 'contact', AT)!;
    const both = amend(one, react('❤️'), 'business', AT)!;
    const removed = amend(both, react(''), 'contact', LATER)!;
    expect(removed.marks.reactions).toEqual([
      { by: 'business', emoji: '❤️', at: AT },
      { by: 'contact', emoji: '', at: LATER },
    ]);
    expect(amend(removed, react('👍'), 'contact', EARLIER)).toBeNull();
    expect(amend(plain, react(''), 'contact', AT)).toBeNull();
  });
});
