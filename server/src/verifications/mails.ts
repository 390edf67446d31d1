/** Emails to owners about signs of fraud in their verification codes. */
import { SIGNAL_WORDS } from '@parley/contract/verifications/stops.ts';
import { mailOwners } from '../accounts/accounts.ts';
import { findStop, placeName } from '../guard/guard.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** A repeated run sends nothing, because the email is stored once per stop. */
export async function mailStop(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  { account_id, id }: { account_id: string; id: string },
): Promise<void> {
  const stop = await findStop(tx, account_id, id);
  if (!stop) return;
  const { signal, reason, refuses, expire_date } = stop;
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  const where = placeName(stop);
  const until = expire_date ? ` until ${expire_date.slice(0, 16)} UTC` : '';
  await mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject: refuses ? `Verification codes to ${where} were stopped` : `Unusual verification codes to ${where}`,
      paragraphs: [
        `${SIGNAL_WORDS[signal].label}: ${reason}`,
        'This pattern is typical of SMS fraud, in which fraudsters earn money from codes sent to their own numbers.',
        refuses
          ? `No more codes are sent there${until}, and refused codes are not charged. ` +
            'If these are your users, allow codes again.'
          : 'Codes are still sent. If these are not your users, set this sign of fraud to Stop in Fraud protection.',
      ],
      action: { label: 'Open verifications', path: '/apis/verifications' },
      dedupe_key: `code stop ${id}`,
    },
  );
}
