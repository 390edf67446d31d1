/** Emails about a campaign's approval. */
import { listCampaignEditors, mailUser } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { CampaignRow } from '../model/row.ts';

type Config = Pick<Kernel, 'config'>;

interface Words {
  subject: string;
  paragraphs: string[];
}

/** To everyone who may approve the campaign. */
export async function mailApprovers(
  tx: Tx,
  kernel: Config,
  row: CampaignRow,
  { recipients, submitter_ids }: { recipients: number; submitter_ids: readonly string[] },
): Promise<void> {
  const people = recipients === 1 ? '1 recipient' : `${recipients.toLocaleString('en-US')} recipients`;
  await mail(tx, kernel, row, await listCampaignEditors(tx, row.account_id, submitter_ids), {
    subject: `Approve the campaign: ${row.name}`,
    paragraphs: [
      `The campaign "${row.name}" to ${people} is waiting for approval.`,
      'It will not start until a user approves it.',
    ],
  });
}

/** Emails the users who created or submitted the campaign. */
export async function mailDecision(
  tx: Tx,
  kernel: Config,
  row: CampaignRow,
  { decision, reason, decider }: { decision: 'approved' | 'declined'; reason: string; decider: string },
): Promise<void> {
  const people = await tx.rows<{ email: string; first_name: string }>(sql`
    select email, first_name from users
    where account_id = ${row.account_id} and id = any(${row.approval?.submitter_ids ?? []}::uuid[])
      and remove_date is null
    order by id`);
  await mail(tx, kernel, row, people, {
    subject: `Campaign ${decision}: ${row.name}`,
    paragraphs: [
      `${decider} ${decision} the campaign "${row.name}".`,
      ...(reason ? [`Reason: ${reason}`] : []),
      ...(decision === 'declined' ? ['Edit the campaign and submit it again.'] : []),
    ],
  });
}

async function mail(
  tx: Tx,
  kernel: Config,
  { account_id, id, channel }: CampaignRow,
  people: readonly { email: string; first_name: string }[],
  words: Words,
): Promise<void> {
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  const action = { label: 'Open the campaign', path: `/${channel.toLowerCase()}/my-campaigns/${id}` };
  for (const person of people)
    await mailUser(tx, kernel, person, { id: account_id, company_name }, { ...words, action });
}
