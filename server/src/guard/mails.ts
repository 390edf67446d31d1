/** The emails to the owners about limits that are reached, or nearly reached. */
import { countsSpend, describeLimit } from '@parley/contract/guard/limits.ts';
import { mailOwners } from '../accounts/accounts.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { violationById } from './violations.ts';
import { type WarningRef, warningById } from './warnings.ts';

/** A repeated run sends nothing, because the email is stored once per violation. */
export async function mailViolation(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  { account_id, id }: { account_id: string; id: string },
): Promise<void> {
  const violation = await violationById(tx, { account_id, id });
  if (!violation) return;
  const { company_name, money } = await readCompany(tx, account_id);
  const rule = describeLimit(violation, money);
  const at = atUtc(violation.expire_date);
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

/** Sends nothing if the limit was changed, or reached a higher percentage, in the meantime. */
export async function mailWarning(tx: Tx, { config }: Pick<Kernel, 'config'>, ref: WarningRef): Promise<void> {
  const warning = await warningById(tx, ref);
  if (!warning) return;
  const { account_id, type, percent, used, limit, block_traffic } = warning;
  const { company_name, money } = await readCompany(tx, account_id);
  const format = (amount: number) => (countsSpend(type) ? money(amount) : amount.toLocaleString('en-US'));
  await mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject: `Traffic limit at ${percent}%`,
      paragraphs: [
        `${company_name} has used ${format(used)} of its limit of ${describeLimit(warning, money)}.`,
        block_traffic
          ? `When ${format(limit)} is reached, further messages are blocked until ${atUtc(warning.expire_date)}.`
          : `The limit only notifies you. It resets at ${atUtc(warning.expire_date)}.`,
        'If you expect more traffic, you can raise the limit.',
      ],
      action: { label: 'Open SMS limits', path: '/settings/sms-limits' },
      dedupe_key: `limit warning ${warning.id}`,
    },
  );
}

const atUtc = (date: string): string => `${date.slice(0, 16)} UTC`;

async function readCompany(tx: Tx, account_id: string) {
  const { company_name, currency } = await tx.one<{ company_name: string; currency: string }>(
    sql`select company_name, currency from accounts where id = ${account_id}`,
  );
  const money = (micros: number) => (micros / 1_000_000).toLocaleString('en-US', { style: 'currency', currency });
  return { company_name, money };
}
