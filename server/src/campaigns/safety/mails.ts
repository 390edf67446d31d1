/** The email about a campaign that a limit has paused, to its author and to the owners of the account. */
import { CAMPAIGN_REASONS, type CampaignReason } from '@parley/contract/campaigns/campaigns.ts';
import { mailUser } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { CampaignRow } from '../model/row.ts';

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

export async function mailTripped(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  { account_id, id, name, channel, user_id }: CampaignRow,
  { reason, count, limit, results }: Tripped,
): Promise<void> {
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  const people = await tx.rows<{ id: string; email: string; first_name: string }>(sql`
    select id, email, first_name from users
    where account_id = ${account_id} and (is_owner or id = ${user_id}) and remove_date is null order by id`);
  const format = (number: number) => number.toLocaleString('en-US', { maximumFractionDigits: 1 });
  for (const person of people) {
    await mailUser(
      tx,
      kernel,
      person,
      { id: account_id, company_name },
      {
        subject: `Campaign paused: ${name}`,
        paragraphs: [
          `${format(count)} of ${format(results)} ${COUNTED[reason]} (${format((count * 100) / results)}%). The ` +
            `limit of the campaign is ${limit}%.`,
          `${CAMPAIGN_REASONS[reason]}. Messages that are still queued are not sent until then.`,
        ],
        action: { label: 'Open the campaign', path: `/${channel.toLowerCase()}/my-campaigns/${id}` },
      },
    );
  }
}
