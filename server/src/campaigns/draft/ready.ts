/**
 * Checks whether a campaign may start or be scheduled, and reports all obstacles at once. Funds are checked separately.
 */

import { NEEDS_NO_AUDIENCE } from '@parley/contract/campaigns/triggers.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { Problem, type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { findAllowedRecipient, findSendingAccount, sendingProblem } from '../../accounts/accounts.ts';
import { listContactFieldKeys } from '../../audiences/audiences.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { findSender, isUsable } from '../../senders/senders.ts';
import { type AudienceRow, listAudiencesById } from '../model/queries.ts';
import { draftReach, hasContacts } from '../model/reach.ts';
import { type CampaignRow, listAudienceIds } from '../model/row.ts';
import { loadSteps, type ReadyStep } from './fallbacks.ts';
import { messageObstacles, needsTemplate, type Obstacle } from './obstacles.ts';
import { loadWriter, type Writer } from './writer.ts';

export interface Ready {
  account_id: string;
  currency: string;
  channel: ChannelName;
  text: string;
  countries: readonly string[] | null;
  writer: Writer;
  /** The fallback steps in order. */
  steps: readonly ReadyStep[];
  sender: Sender;
  /** Contains at least one audience. */
  audiences: readonly AudienceRow[];
  excluded_audience_ids: readonly string[];
  safety: CampaignRow['safety'];
  start_date: CampaignRow['start_date'];
}

type Draft = Pick<
  CampaignRow,
  | 'account_id'
  | 'channel'
  | 'currency'
  | 'text'
  | 'template_id'
  | 'content'
  | 'countries'
  | 'fallbacks'
  | 'sender_id'
  | 'audience_id'
  | 'audience_ids'
  | 'excluded_audience_ids'
  | 'user_id'
  | 'safety'
  | 'start_date'
> &
  Partial<Pick<CampaignRow, 'trigger' | 'session_text' | 'test'>>;

/** Returns either all obstacles, in the order in which a user would fix them, or the checked parts of the campaign. */
export async function findObstacles(
  db: Queryable,
  draft: Draft,
): Promise<{ found: Obstacle[]; ready: Ready | null; writer: Writer | null; steps: readonly ReadyStep[] }> {
  const { account_id, channel, text, countries } = draft;
  const account = await findSendingAccount(db, account_id);
  const sender = draft.sender_id && (await findSender(db, account_id, draft.sender_id));
  const audience_ids = listAudienceIds(draft);
  const audiences = await listAudiencesById(db, account_id, audience_ids);
  const { excluded_audience_ids } = draft;
  const excluded = await listAudiencesById(db, account_id, excluded_audience_ids);
  const obstacles: Obstacle[] = [];
  const add = (code: ProblemName, message: string = problemMessage(code)) => obstacles.push({ code, message });
  const accountProblem = sendingProblem(account);
  if (accountProblem) add(accountProblem);
  if (!sender) add('CAMPAIGN_SENDER_REQUIRED');
  else if (!isUsable(sender)) add('CAMPAIGN_SENDER_INVALID');
  const fields = await listContactFieldKeys(db, account_id);
  for (const obstacle of messageObstacles(draft, fields)) add(obstacle.code, obstacle.message);
  let writer: Writer | null = null;
  // A sender's template can be checked only with the sender.
  if (obstacles.every(({ code }) => SENDER_PROBLEMS.includes(code)) && !(needsTemplate(channel) && !sender))
    writer = await loadWriter(db, draft, sender || null).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      add(error.name, error.message);
      return null;
    });
  const steps = await loadSteps(db, account_id, draft.fallbacks).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    add(error.name, error.message);
    return [];
  });
  if (draft.session_text && !(needsTemplate(channel) && draft.trigger && !draft.test))
    add('CAMPAIGN_SESSION_TEXT_INVALID');
  if (countries?.length === 0) add('TARGETED_COUNTRIES_REQUIRED');
  const { trigger = null } = draft;
  const isForAll = audience_ids.length === 0 && trigger !== null && NEEDS_NO_AUDIENCE.includes(trigger.on);
  if (audience_ids.length === 0 && !isForAll) add('CAMPAIGN_AUDIENCE_REQUIRED');
  else if (audiences.length < audience_ids.length || excluded.length < new Set(excluded_audience_ids).size)
    add('CAMPAIGN_AUDIENCE_INVALID');
  else if (audiences.some((audience) => audience.channel !== channel)) add('CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH');
  else {
    const reach = await draftReach(db, draft, new Date());
    if (!trigger && !(await hasContacts(db, reach))) add('CAMPAIGN_AUDIENCE_EMPTY');
    const trial_number = account && (await findAllowedRecipient(db, account, draft.user_id));
    if (trial_number !== null && (await hasContacts(db, reach, trial_number))) add('TRIAL_RECIPIENT_NOT_ALLOWED');
  }
  const ready =
    obstacles.length === 0 && sender && writer
      ? {
          account_id,
          currency: draft.currency,
          channel,
          text,
          countries,
          writer,
          steps,
          sender,
          audiences,
          excluded_audience_ids,
          safety: draft.safety,
          start_date: draft.start_date,
        }
      : null;
  return { found: obstacles, ready, writer, steps };
}

const SENDER_PROBLEMS: readonly ProblemName[] = [
  'ACCOUNT_UNVERIFIED',
  'TRIAL_ENDED',
  'PAYMENT_OVERDUE',
  'CAMPAIGN_SENDER_REQUIRED',
  'CAMPAIGN_SENDER_INVALID',
];

export async function requireReady(db: Queryable, draft: Draft): Promise<Ready> {
  const { found, ready } = await findObstacles(db, draft);
  if (ready) return ready;
  const [first, ...others] = found;
  throw new Problem(first!.code, { message: first!.message, others });
}

/** Returns the amount the account can spend, including its credit limit. */
export const readAvailableFunds = async (db: Queryable, account_id: string): Promise<number> =>
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
  if (micros > (await readAvailableFunds(db, account_id))) throw new Problem('BALANCE_NOT_ENOUGH');
}
