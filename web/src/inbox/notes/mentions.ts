/** The list of users that opens while the user types `@` and a name in a note. */
import type { InboxUser } from '@parley/contract/inbox/assignments.ts';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { matchUsers, typedMention } from './mention_text.ts';

/** The users that the list shows. */
const MAX_SHOWN = 6;
const NOBODY: ReadonlySet<string> = new Set();

export interface Mentions {
  /** Empty while the list is closed. */
  users: InboxUser[];
  /** The user that Enter chooses. */
  current: InboxUser | undefined;
  /** The IDs of the users who were chosen from the list. */
  chosen: ReadonlySet<string>;
  choose: (user: InboxUser) => void;
  setActive: (index: number) => void;
  moveCaret: (caret: number) => void;
  /** Called after the text was typed, with the place of the caret. */
  typed: (caret: number) => void;
  /** Returns true if the list handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
  reset: () => void;
}

export function useMentions(options: {
  text: string;
  setText: (text: string) => void;
  readers: readonly InboxUser[];
  field: RefObject<HTMLTextAreaElement | null>;
}): Mentions {
  const { text, setText, readers, field } = options;
  const [chosen, setChosen] = useState(NOBODY);
  const [caret, moveCaret] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const mention = typedMention(text, caret);
  const isOpen = mention !== null && mention.at !== closedAt;
  const users = isOpen ? matchUsers(readers, mention.letters).slice(0, MAX_SHOWN) : [];
  const current = users[Math.min(active, users.length - 1)];
  const choose = (user: InboxUser) => {
    if (!mention) return;
    const before = `${text.slice(0, mention.at)}@${user.full_name} `;
    // The caret moves before the next key can be typed.
    flushSync(() => {
      setText(before + text.slice(caret));
      setChosen(new Set([...chosen, user.id]));
      moveCaret(before.length);
      setActive(0);
    });
    field.current?.focus();
    field.current?.setSelectionRange(before.length, before.length);
  };
  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (!current || !mention) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setActive((users.indexOf(current) + step + users.length) % users.length);
    else if (key === 'Enter' || key === 'Tab') choose(current);
    else if (key === 'Escape') setClosedAt(mention.at);
    else return false;
    return true;
  };
  const typed = (at: number) => {
    moveCaret(at);
    setClosedAt(null);
    setActive(0);
  };
  return { users, current, chosen, choose, setActive, moveCaret, typed, onKey, reset: () => setChosen(NOBODY) };
}
