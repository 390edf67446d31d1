/** Emails to owners about signs of fraud in their messages. */
import { MESSAGE_SIGNAL_LABELS } from '@parley/contract/guard/traffic_stops.ts';
import { mailOwners } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findStop, placeName } from './stops.ts';

/** A repeated run sends nothing, because the email is stored once per stop. */
export async function mailTrafficStop(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  { account_id, id }: { account_id: string; id: string },
): Promise<void> {
  const stop = await findStop(tx, account_id, id);
  if (!stop) return;
  const { traffic, signal, reason, refuses, expire_date } = stop;
  const { company_name } = await tx.one<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id}`,
  );
  const where = placeName(stop);
  const noun = traffic === 'campaigns' ? 'Campaign messages' : 'Messages';
  const until = expire_date ? ` until ${expire_date.slice(0, 16)} UTC` : '';
  await mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject: refuses ? `${noun} to ${where} were stopped` : `Unusual messages to ${where}`,
      paragraphs: [
        `${MESSAGE_SIGNAL_LABELS[signal]}: ${reason}`,
        'This pattern is typical of SMS fraud, in which fraudsters earn money from messages to their own numbers.',
        refuses
          ? `Messages there are refused${until} and are not charged. Campaigns to these ` +
            'numbers pause. If you expected this traffic, users who can edit SMS limits can lift the stop.'
          : 'Messages are still sent. If you did not expect this traffic, set Fraud protection to Block.',
      ],
      action: { label: 'Open SMS limits', path: '/settings/sms-limits' },
      dedupe_key: `traffic stop ${id}`,
    },
  );
}
