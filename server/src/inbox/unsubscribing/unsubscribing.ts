/**
 * Links that stop emails of the inbox without a sign-in (RFC 8058). A link is signed for one user and one kind of
 * email, and does nothing else. Only a POST stops the emails, because mail programs and scanners open links.
 */

import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Seals } from '../../kernel/security/seal.ts';
import type { Config } from '../../kernel/settings/config.ts';
import { deleteDigest } from '../digest/digest_queries.ts';

export const MAIL_KINDS = ['digest', 'mentions'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export interface Subscription {
  account_id: string;
  user_id: string;
  kind: MailKind;
}

export const UNSUBSCRIBE_PATH = '/unsubscribe';
const PURPOSE = 'unsubscribe';
const MAC_BYTES = 32;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function unsubscribeUrl({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, seals: Seals, one: Subscription): string {
  const signed = [one.kind, one.account_id, one.user_id].join('.');
  return `${PUBLIC_URL}${UNSUBSCRIBE_PATH}/${signed}.${seals.mac(signed, PURPOSE).toString('base64url')}`;
}

/** Returns null for a link that this installation did not sign. */
export function readSubscription(seals: Seals, token: string): Subscription | null {
  const [kind = '', account_id = '', user_id = '', mac = '', ...rest] = token.split('.');
  const known = MAIL_KINDS.find((one) => one === kind);
  if (!known || rest.length > 0 || !UUID.test(account_id) || !UUID.test(user_id)) return null;
  const signed = [kind, account_id, user_id].join('.');
  const bytes = Buffer.from(mac, 'base64url');
  const isSigned = bytes.length === MAC_BYTES && seals.isMac(signed, PURPOSE, bytes);
  return isSigned ? { account_id, user_id, kind: known } : null;
}

/** Repeated calls change nothing. */
export async function unsubscribe(tx: Tx, { account_id, user_id, kind }: Subscription): Promise<void> {
  if (kind === 'digest') await deleteDigest(tx, account_id, user_id);
  else await setMentionMails(tx, account_id, user_id, false);
}

export async function setMentionMails(tx: Tx, account_id: string, user_id: string, wanted: boolean): Promise<void> {
  if (wanted)
    await tx.run(sql`
      delete from mail_opt_outs where account_id = ${account_id} and user_id = ${user_id} and kind = 'mentions'`);
  else
    await tx.run(sql`
      insert into mail_opt_outs (account_id, user_id, kind)
      select ${account_id}, ${user_id}, 'mentions'
      where exists (select from users where account_id = ${account_id} and id = ${user_id})
      on conflict do nothing`);
}

export const hasMentionMails = async (db: Queryable, account_id: string, user_id: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from mail_opt_outs
    where account_id = ${account_id} and user_id = ${user_id} and kind = 'mentions'`)) === null;

export const deleteOptOuts = (tx: Tx, account_id: string, user_id: string) =>
  tx.run(sql`delete from mail_opt_outs where account_id = ${account_id} and user_id = ${user_id}`);
