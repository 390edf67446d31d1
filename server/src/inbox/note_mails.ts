/** Emails to the users whom a note mentions. */
import { type Conversation, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import type { Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import type { Config } from '../kernel/settings/config.ts';
import type { TeamUser } from './note_queries.ts';
import { hasMentionMails, unsubscribeUrl } from './unsubscribing/unsubscribing.ts';

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
  config: Pick<Config, 'PUBLIC_URL'>,
  { note_id, by_name, excerpt, user, conversation }: Mention,
): Promise<void> {
  const { id, account_id, assignee_id, contact_name, profile_name, number } = conversation;
  if (!(await hasMentionMails(tx, account_id, user.id))) return;
  const app = config.PUBLIC_URL;
  const unsubscribe_url = unsubscribeUrl(config, tx.db.seals, { account_id, user_id: user.id, kind: 'mentions' });
  const person = contact_name || profile_name || `+${number}`;
  const path = PATHS[conversationBucket(assignee_id, user.id)];
  await sendMail(tx, {
    to: user.email,
    account_id,
    subject: `${by_name} mentioned you in a conversation`,
    dedupe_key: `mention ${note_id} ${user.id}`,
    unsubscribe_url,
    ...letter({
      title: `${by_name} mentioned you`,
      paragraphs: [
        user.first_name ? `Hello ${user.first_name},` : 'Hello,',
        `${by_name} wrote a note in the conversation with ${person}:`,
        excerpt,
      ],
      action: { label: 'Open conversation', url: `${app}/inbox/${path}?conversation=${id}` },
      also: { label: 'Stop these emails', url: unsubscribe_url },
      footer: 'You received this email because someone mentioned you in a note.',
    }),
  });
}
