/** Emails about a campaign that needs a decision, to its author and to the account's owners. */
import { CAMPAIGN_REASONS, type CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { mailUser } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { CampaignRow } from '../model/row.ts';

type Config = Pick<Kernel, 'config'>;

export interface Tripped {
  reason: CampaignReason;
  count: number;
  limit: number;
  results: number;
}

const COUNTED: Partial<Record<CampaignReason, string>> = {
  failures: 'messages failed',
  opt_outs: 'recipients opted out',
  complaints: 'recipients blocked the sender',
};

const format = (number: number): string => number.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** The campaign has paused, because its results exceed a limit. */
export function mailTripped(tx: Tx, kernel: Config, row: CampaignRow, tripped: Tripped): Promise<void> {
  const { reason, count, limit, results } = tripped;
  return mailPeople(tx, kernel, row, {
    subject: `Campaign paused: ${row.name}`,
    paragraphs: [
      `${format(count)} of ${format(results)} ${COUNTED[reason]} (${format((count * 100) / results)}%). The limit of ` +
        `the campaign is ${limit}%.`,
      `${CAMPAIGN_REASONS[reason]}. Messages that are still queued are not sent until then.`,
    ],
  });
}

/** A user must choose the winner of the A/B test. */
export const mailChoice = (tx: Tx, kernel: Config, row: CampaignRow): Promise<void> =>
  mailPeople(tx, kernel, row, {
    subject: `Choose the winner: ${row.name}`,
    paragraphs: ['The A/B test has ended. Compare the variants and choose one for the remaining recipients.'],
  });

async function mailPeople(
  tx: Tx,
  kernel: Config,
  { account_id, id, channel, user_id }: CampaignRow,
  words: { subject: string; paragraphs: string[] },
): Promise<void> {
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  const people = await tx.rows<{ email: string; first_name: string }>(sql`
    select email, first_name from users
    where account_id = ${account_id} and (is_owner or id = ${user_id}) and remove_date is null order by id`);
  const action = { label: 'Open the campaign', path: `/${channel.toLowerCase()}/my-campaigns/${id}` };
  for (const person of people)
    await mailUser(tx, kernel, person, { id: account_id, company_name }, { ...words, action });
}
