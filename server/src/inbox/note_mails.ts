/** Emails to the users whom a note mentions. */
import { type Conversation, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import type { Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import type { TeamUser } from './note_queries.ts';

const PATHS = { self: 'assigned-to-me', none: 'unassigned', others: 'assigned-to-others' } as const;

interface Mention {
  note_id: string;
  by_name: string;
  excerpt: string;
  /** The mentioned user. */
  user: TeamUser;
  conversation: Conversation;
}

export async function sendMention(
  tx: Tx,
  app: string,
  { note_id, by_name, excerpt, user, conversation }: Mention,
): Promise<void> {
  const { id, account_id, assignee_id, contact_name, profile_name, number } = conversation;
  const person = contact_name || profile_name || `+${number}`;
  const path = PATHS[conversationBucket(assignee_id, user.id)];
  await sendMail(tx, {
    to: user.email,
    account_id,
    subject: `${by_name} mentioned you in a conversation`,
    dedupe_key: `mention ${note_id} ${user.id}`,
    ...letter({
      title: `${by_name} mentioned you`,
      paragraphs: [
        user.first_name ? `Hello ${user.first_name},` : 'Hello,',
        `${by_name} wrote a note in the conversation with ${person}:`,
        excerpt,
      ],
      action: { label: 'Open conversation', url: `${app}/inbox/${path}?conversation=${id}` },
      footer: 'You received this email because someone mentioned you in a note.',
    }),
  });
}
