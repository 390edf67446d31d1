/** Finds the people whose session with a sender is open: they have messaged recently, so they can get any message. */
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { ComposedMessage } from '../model/composed_message.ts';
import { sessionLimit } from '../thread/conversation_select.ts';

export interface SessionRequest {
  account_id: string;
  sender_id: string;
  numbers: readonly string[];
  /** The time when the message will be sent. */
  send_date: Date;
}

const selectOpenConversations = ({ account_id, sender_id, numbers, send_date }: SessionRequest): Sql => sql`
  select c.number, limited.reached
  from conversations c
  join senders s on s.account_id = c.account_id and s.id = c.sender_id
  cross join lateral (${sessionLimit}) limited
  where c.account_id = ${account_id} and c.sender_id = ${sender_id} and c.number = any(${numbers}::text[])
    and c.session_until > ${send_date}`;

const toNumbers = (rows: readonly { number: string; reached: boolean }[]): Set<string> =>
  new Set(rows.filter(({ reached }) => !reached).map(({ number }) => number));

/** The lock prevents two concurrent messages from both using the last free place in a limited session. */
export const lockOpenSessions = async (tx: Tx, request: SessionRequest): Promise<Set<string>> =>
  toNumbers(await tx.rows(sql`${selectOpenConversations(request)} order by c.id for update of c`));

/** For previews, which send nothing. */
export const findOpenSessions = async (db: Queryable, request: SessionRequest): Promise<Set<string>> =>
  toNumbers(await db.rows(selectOpenConversations(request)));

/** The numbers that get a text instead of the template of the message; null if all recipients get the same. */
export type InSession = ReadonlySet<string> | null | undefined;

interface Recipients {
  readonly account_id: string;
  readonly recipients: readonly { readonly to: string }[];
  readonly schedule?: Date | null | undefined;
}

/**
 * Gives recipients with an open session the text in place of the template. The recipients of such a message are
 * contacts, whose numbers are already normalized.
 */
export async function chooseBySession(
  tx: Tx,
  message: ComposedMessage,
  { account_id, schedule, recipients }: Recipients,
  sender_id: string,
): Promise<{ message: ComposedMessage; in_session: InSession }> {
  const { in_session, personal, text, content } = message;
  if (!in_session) return { message, in_session: null };
  const numbers = recipients.map(({ to }) => to);
  const open = await lockOpenSessions(tx, { account_id, sender_id, numbers, send_date: schedule ?? tx.now });
  const chosen = recipients.map(({ to }, index) =>
    open.has(to) ? in_session[index]! : (personal?.[index] ?? { text, content }),
  );
  return { message: { ...message, personal: chosen }, in_session: open };
}

/** Fills the links of the texts. The carrier fills the text of its template, so that text must not change. */
export async function fillOwnTexts<P extends { number: string }>(
  { content }: ComposedMessage,
  in_session: InSession,
  people: readonly P[],
  fill: (own: readonly P[]) => Promise<P[]>,
): Promise<readonly P[]> {
  if (!content?.template) return fill(people);
  const own = people.filter(({ number }) => in_session?.has(number));
  if (own.length === 0) return people;
  const filled = new Map((await fill(own)).map((person) => [person.number, person]));
  return people.map((person) => filled.get(person.number) ?? person);
}
