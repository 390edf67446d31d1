/** Who would get the text for people with an open session, as of the start of a campaign. */
import type { Purpose } from '@parley/contract/messages/content.ts';
import type { ProblemName } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { findOpenSessions, type Passed, withoutPrice } from '../../messages/messages.ts';
import type { Writer, Written } from '../draft/writer.ts';
import type { Contact } from '../model/reach.ts';

type Person = Pick<Passed, 'index' | 'number' | 'country'>;

interface Split {
  account_id: string;
  sender: { id: string } | null;
  writer: Writer | null;
  steps: readonly unknown[];
}

export interface SessionSplit {
  /** False if everyone gets the same message. */
  readonly isSplit: boolean;
  /** Replaces the open sessions with those of a page of contacts. */
  read(db: Queryable, contacts: readonly Contact[]): Promise<void>;
  isOpen(number: string): boolean;
  writeAll(contacts: readonly Contact[], link_prefix: string): (Written & Person)[];
  /** CONVERSATION_CLOSED for people who get nothing. */
  purpose(number: string): Purpose | ProblemName | null;
  /** The first message of people whose session is closed costs nothing if they get the fallback at once. */
  withOwnPrice(person: Passed): Passed;
}

const UNWRITTEN: Written = { text: '-', content: null, empty: [] };

export function splitBySession({ account_id, sender, writer, steps }: Split, send_date: Date): SessionSplit {
  let open: ReadonlySet<string> = new Set();
  const isSplit = writer !== null && (writer.writeInSession !== null || writer.needs_session);
  const isClosed = (number: string) => Boolean(writer?.needs_session) && !open.has(number);
  return {
    isSplit,
    async read(db, contacts) {
      if (!isSplit || !sender) return;
      const numbers = contacts.map(({ number }) => number);
      open = await findOpenSessions(db, { account_id, sender_id: sender.id, numbers, send_date });
    },
    isOpen: (number) => isSplit && open.has(number),
    writeAll: (contacts, link_prefix) =>
      contacts.map((contact, index) => {
        const { number, country } = contact;
        const write = (open.has(number) && writer?.writeInSession) || writer?.write;
        return { ...(write?.(contact, link_prefix) ?? UNWRITTEN), index, number, country };
      }),
    purpose(number) {
      if (!writer) return null;
      if (isSplit && open.has(number)) return 'service';
      return isClosed(number) && steps.length === 0 ? 'CONVERSATION_CLOSED' : writer.purpose;
    },
    withOwnPrice: (person) => (isClosed(person.number) ? withoutPrice(person) : person),
  };
}
