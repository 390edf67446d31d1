/** The email to the owners about a limit that was reached. */
import { describeLimit } from '@parley/contract/guard/limits.ts';
import { mailOwners } from '../accounts/accounts.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { violationById } from './violations.ts';

/** A repeated run sends nothing, because the email is stored once per violation. */
export async function mailViolation(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  { account_id, id }: { account_id: string; id: string },
): Promise<void> {
  const violation = await violationById(tx, { account_id, id });
  if (!violation) return;
  const { company_name, currency } = await tx.one<{ company_name: string; currency: string }>(
    sql`select company_name, currency from accounts where id = ${account_id}`,
  );
  const money = (micros: number) => (micros / 1_000_000).toLocaleString('en-US', { style: 'currency', currency });
  const rule = describeLimit(violation, money);
  const at = `${violation.expire_date.slice(0, 16)} UTC`;
  await mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject: 'Traffic limit reached',
      paragraphs: [
        `${company_name} has reached its limit of ${rule}.`,
        violation.block_traffic
          ? `Further messages are blocked until ${at}, at no charge. Campaigns pause, and you can resume them.`
          : `Messages are still sent, because this limit only notifies you. It resets at ${at}.`,
        'If you expected this traffic, you can raise the limit.',
      ],
      action: { label: 'Open SMS limits', path: '/settings/sms-limits' },
      dedupe_key: `violation ${id}`,
    },
  );
}
