/** What must be there before a campaign may start or be scheduled. Says everything that is missing at once; money is asked for apart. */

import { channelRules } from '@parley/contract/channels/index.ts';
import { segmentCount, unknownVariables } from '@parley/contract/channels/sms/text.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages/messages.ts';
import { Problem, type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { onlyNumber, sendingAccount, sendingProblem } from '../../accounts/accounts.ts';
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

export const unknownVariablesMessage = (names: readonly string[]): string =>
  `The text uses ${names.length > 1 ? 'variables that do' : 'a variable that does'} not exist: ${names.map((name) => `{${name}}`).join(', ')}`;

/** Everything in the way, in the order a person would mend it. */
export async function findObstacles(db: Queryable, draft: Draft): Promise<{ found: Obstacle[]; ready: Ready | null }> {
  const { account_id, channel, text } = draft;
  const account = await sendingAccount(db, account_id);
  const sender = draft.sender_id && (await senderById(db, account_id, draft.sender_id));
  const audience = draft.audience_id && (await audienceById(db, account_id, draft.audience_id));
  const obstacles: Obstacle[] = [];
  const add = (code: ProblemName, message: string = problemMessage(code)) => obstacles.push({ code, message });
  const accountProblem = sendingProblem(account);
  if (accountProblem) add(accountProblem);
  if (!sender) add('CAMPAIGN_SENDER_REQUIRED');
  else if (!isUsable(sender)) add('CAMPAIGN_SENDER_INVALID');
  if (text.trim() === '') add('CAMPAIGN_TEXT_REQUIRED');
  const unknown = unknownVariables(text);
  if (unknown.length > 0) add('CAMPAIGN_VARIABLE_UNKNOWN', unknownVariablesMessage(unknown));
  const { session, counts } = channelRules(channel);
  if (session?.outside === 'templates')
    add('CAMPAIGN_TEXT_REQUIRED', 'This channel takes a free text only from people who have just written');
  if (counts === 'segments' && segmentCount(text) > MAX_SEGMENTS) add('MESSAGE_SEGMENTS_LIMIT_EXCEEDED');
  if (!audience) add(draft.audience_id ? 'CAMPAIGN_AUDIENCE_INVALID' : 'CAMPAIGN_AUDIENCE_REQUIRED');
  else if (audience.channel !== channel) add('CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH');
  else if (!(await hasContacts(db, account_id, audience.id))) add('CAMPAIGN_AUDIENCE_EMPTY');
  else {
    const trial_number = account && (await onlyNumber(db, account, draft.user_id));
    if (trial_number !== null && (await hasContacts(db, account_id, audience.id, trial_number)))
      add('TRIAL_RECIPIENT_NOT_ALLOWED');
  }
  const ready =
    obstacles.length === 0 && sender && audience
      ? { account_id, currency: draft.currency, channel, text, sender, audience }
      : null;
  return { found: obstacles, ready };
}

export async function demandReady(db: Queryable, draft: Draft): Promise<Ready> {
  const { found, ready } = await findObstacles(db, draft);
  if (ready) return ready;
  const [first, ...others] = found;
  throw new Problem(first!.code, { message: first!.message, others });
}

/** Spendable now, credit included. */
export const availableFunds = async (db: Queryable, account_id: string): Promise<number> =>
  (
    await db.maybeOne<{ micros: number }>(
      sql`select available_micros + credit_limit_micros as micros from balances where account_id = ${account_id}`,
    )
  )?.micros ?? 0;

/** A first look, so that nobody starts what they cannot pay; the gate holds the money portion by portion and has the last word. */
export async function demandFunds(db: Queryable, account_id: string, micros: number): Promise<void> {
  if (micros > (await availableFunds(db, account_id))) throw new Problem('BALANCE_NOT_ENOUGH');
}

/** Anybody, or anybody but the one of this number. */
const hasContacts = async (db: Queryable, account_id: string, audience_id: string, but = ''): Promise<boolean> =>
  (
    await db.one<{ there: boolean }>(sql`
      select exists (select 1 from contacts where account_id = ${account_id} and audience_id = ${audience_id} and number <> ${but}) as there`)
  ).there;

/** As `resolveSender`, in the words of campaigns. */
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
