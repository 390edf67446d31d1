/**
 * Checks whether a campaign may start or be scheduled, and reports all obstacles at once. Funds are checked separately.
 */

import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { fewestSegments } from '@parley/contract/channels/sms/profile.ts';
import { unknownVariables } from '@parley/contract/channels/sms/text.ts';
import { linkFindings, withSampleLinks } from '@parley/contract/links/inline.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages/messages.ts';
import { Problem, type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { allowedRecipient, sendingAccount, sendingProblem } from '../../accounts/accounts.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { isUsable, resolveSender, senderById } from '../../senders/senders.ts';
import { type AudienceRow, audienceById } from '../model/queries.ts';
import type { CampaignRow } from '../model/row.ts';

export interface Ready {
  account_id: string;
  currency: string;
  channel: ChannelName;
  text: string;
  sender: Sender;
  audience: AudienceRow;
}

export interface Obstacle {
  code: ProblemName;
  message: string;
}

type Draft = Pick<
  CampaignRow,
  'account_id' | 'channel' | 'currency' | 'text' | 'sender_id' | 'audience_id' | 'user_id'
>;

/** No short URL begins with less. */
const SHORTEST_PREFIX = 'https://a.io';

const unknownVariablesMessage = (names: readonly string[]): string =>
  `Unknown ${names.length > 1 ? 'variables' : 'variable'} ${names.map((name) => `{${name}}`).join(', ')}`;

/** Returns either all obstacles, in the order in which a user would fix them, or the checked parts of the campaign. */
export async function findObstacles(db: Queryable, draft: Draft): Promise<{ found: Obstacle[]; ready: Ready | null }> {
  const { account_id, channel, text } = draft;
  const account = await sendingAccount(db, account_id);
  const sender = draft.sender_id && (await senderById(db, account_id, draft.sender_id));
  const audience = draft.audience_id && (await audienceById(db, account_id, draft.audience_id));
  const obstacles: Obstacle[] = [];
  const add = (code: ProblemName, message: string = problemMessage(code)) => obstacles.push({ code, message });
  const accountProblem = sendingProblem(account);
  if (accountProblem) add(accountProblem);
  if (!channelRules(channel).campaigns) add('CAMPAIGN_CHANNEL_NOT_SUPPORTED');
  if (!sender) add('CAMPAIGN_SENDER_REQUIRED');
  else if (!isUsable(sender)) add('CAMPAIGN_SENDER_INVALID');
  if (text.trim() === '') add('CAMPAIGN_TEXT_REQUIRED');
  const unknown = unknownVariables(text);
  if (unknown.length > 0) add('CAMPAIGN_VARIABLE_UNKNOWN', unknownVariablesMessage(unknown));
  for (const { code, message } of linkFindings(text)) add(code, message);
  const { session, counts } = channelRules(channel);
  if (session?.outside === 'templates')
    add('CAMPAIGN_TEXT_REQUIRED', 'This channel allows free text only within 24 hours of a message from the recipient');
  if (counts === 'segments' && fewestSegments(withSampleLinks(text, SHORTEST_PREFIX)) > MAX_SEGMENTS)
    add('MESSAGE_SEGMENTS_LIMIT_EXCEEDED');
  if (!audience) add(draft.audience_id ? 'CAMPAIGN_AUDIENCE_INVALID' : 'CAMPAIGN_AUDIENCE_REQUIRED');
  else if (audience.channel !== channel) add('CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH');
  else if (!(await hasContacts(db, account_id, audience.id))) add('CAMPAIGN_AUDIENCE_EMPTY');
  else {
    const trial_number = account && (await allowedRecipient(db, account, draft.user_id));
    if (trial_number !== null && (await hasContacts(db, account_id, audience.id, trial_number)))
      add('TRIAL_RECIPIENT_NOT_ALLOWED');
  }
  const ready =
    obstacles.length === 0 && sender && audience
      ? { account_id, currency: draft.currency, channel, text, sender, audience }
      : null;
  return { found: obstacles, ready };
}

export async function requireReady(db: Queryable, draft: Draft): Promise<Ready> {
  const { found, ready } = await findObstacles(db, draft);
  if (ready) return ready;
  const [first, ...others] = found;
  throw new Problem(first!.code, { message: first!.message, others });
}

/** Returns the amount the account can spend, including its credit limit. */
export const availableFunds = async (db: Queryable, account_id: string): Promise<number> =>
  (
    await db.maybeOne<{ micros: number }>(
      sql`select available_micros + credit_limit_micros as micros from balances where account_id = ${account_id}`,
    )
  )?.micros ?? 0;

/**
 * Refuses a start if the balance cannot cover the campaign. The gate holds the money for each batch and makes the final
 * decision.
 */
export async function requireFunds(db: Queryable, account_id: string, micros: number): Promise<void> {
  if (micros > (await availableFunds(db, account_id))) throw new Problem('BALANCE_NOT_ENOUGH');
}

/** Returns whether the audience has any contacts other than the one with the number `excluded`. */
const hasContacts = async (db: Queryable, account_id: string, audience_id: string, excluded = ''): Promise<boolean> =>
  (
    await db.one<{ has_contacts: boolean }>(sql`
      select exists (select 1 from contacts where account_id = ${account_id} and audience_id = ${audience_id}
        and number <> ${excluded}) as has_contacts`)
  ).has_contacts;

/** Like `resolveSender`, but throws CAMPAIGN_SENDER_INVALID if the sender is invalid or missing. */
export async function campaignSender(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  from: string,
): Promise<Sender> {
  try {
    return await resolveSender(db, account_id, channel, from);
  } catch (error) {
    if (
      error instanceof Problem &&
      (error.name === 'MESSAGE_SENDER_INVALID' || error.name === 'MESSAGE_SENDER_NOT_FOUND')
    )
      throw new Problem('CAMPAIGN_SENDER_INVALID');
    throw error;
  }
}
