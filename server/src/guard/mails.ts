/** The emails to the owners about limits that are reached, or nearly reached. */
import { countsSpend, describeLimit, type Violation } from '@parley/contract/guard/limits.ts';
import { mailOwners } from '../accounts/accounts.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findViolation } from './violations.ts';
import { findWarning, type WarningRef } from './warnings.ts';

/** A repeated run sends nothing, because the email is stored once per violation and account. */
export async function mailViolation(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  { account_id, id }: { account_id: string; id: string },
): Promise<void> {
  const violation = await findViolation(tx, { account_id, id });
  if (!violation) return;
  const { money } = await readCompany(tx, account_id);
  const rule = describeLimit(violation, money);
  const at = atUtc(violation.expire_date);
  const shared = await readSharedKey(tx, violation);
  for (const one of readers(violation)) {
    const dedupe_key = (one.isOwner && shared) || id;
    await mailOwners(
      tx,
      { config },
      { id: one.id, company_name: one.name },
      {
        subject: 'Traffic limit reached',
        paragraphs: [
          `${violation.account_name} has reached ${one.whose} limit of ${rule}.`,
          violation.block_traffic
            ? `New messages are blocked until ${at}, at no charge. Campaigns are paused, and you can resume them.`
            : `Messages are still sent, because this limit only notifies you. It resets at ${at}.`,
          one.isOwner
            ? 'If you expected this traffic, you can raise the limit.'
            : `If you expected this traffic, ask ${violation.limit_account_name} to raise the limit.`,
        ],
        action: { label: 'Open SMS limits', path: '/settings/sms-limits' },
        dedupe_key: `violation ${dedupe_key}`,
      },
    );
  }
}

/** Notifies the company once when a group reaches its shared limit, whichever accounts are refused. */
async function readSharedKey(
  tx: Tx,
  { account_id, limit_id, limit_account_id, expire_date }: Violation,
): Promise<string> {
  const row = await tx.maybeOne<{ update_date: string }>(sql`
    select l.update_date from limits l
    where l.account_id = ${limit_account_id} and l.id = ${limit_id} and l.sub_accounts = 'together' and not exists (
      select from limit_overrides o
      where o.account_id = l.account_id and o.limit_id = l.id and o.sub_account_id = ${account_id})`);
  return row ? `${limit_id} ${expire_date} ${row.update_date}` : '';
}

/** Sends nothing if the limit was changed, or reached a higher percentage, in the meantime. */
export async function mailWarning(tx: Tx, { config }: Pick<Kernel, 'config'>, ref: WarningRef): Promise<void> {
  const warning = await findWarning(tx, ref);
  if (!warning) return;
  const { account_id, type, percent, used, limit, block_traffic } = warning;
  const { money } = await readCompany(tx, account_id);
  const format = (amount: number) => (countsSpend(type) ? money(amount) : amount.toLocaleString('en-US'));
  const sender = ref.sender_id
    ? { id: ref.sender_id, name: (await readCompany(tx, ref.sender_id)).company_name }
    : null;
  for (const one of readers(warning, sender))
    await mailOwners(
      tx,
      { config },
      { id: one.id, company_name: one.name },
      {
        subject: `Traffic limit at ${percent}%`,
        paragraphs: [
          `${sender ? `${warning.account_name} and its sub-accounts have` : `${warning.account_name} has`} used ` +
            `${format(used)} of ${one.whose} limit of ${describeLimit(warning, money)}.`,
          block_traffic
            ? `When ${format(limit)} is reached, new messages are blocked until ${atUtc(warning.expire_date)}.`
            : `The limit only notifies you. It resets at ${atUtc(warning.expire_date)}.`,
          one.isOwner
            ? 'If you expect more traffic, you can raise the limit.'
            : `If you expect more traffic, ask ${warning.limit_account_name} to raise the limit.`,
        ],
        action: { label: 'Open SMS limits', path: '/settings/sms-limits' },
        dedupe_key: `limit warning ${warning.id}`,
      },
    );
}

/** Tells the owners that messages are sent to more countries, which a thief of an account would also do first. */
export async function mailOpened(
  { tx, kernel, actor }: Pick<Ctx, 'tx' | 'kernel' | 'actor'>,
  opened: readonly string[] | 'all',
): Promise<void> {
  const { account_id } = actor;
  const { company_name } = await readCompany(tx, account_id);
  const where =
    opened === 'all'
      ? 'all countries that are not blocked'
      : new Intl.ListFormat('en-US').format(opened.map((code) => COUNTRY_NAMES.of(code) ?? code));
  await mailOwners(
    tx,
    kernel,
    { id: account_id, company_name },
    {
      subject: 'Messages to more countries are allowed',
      paragraphs: [
        `${await readName(tx, actor)} has changed the countries of ${company_name}. Messages are now also sent to ` +
          `${where}.`,
        'If you did not expect this, change the countries back, and ask this person. The audit log shows the change.',
      ],
      action: { label: 'Open country blacklist', path: '/settings/country-blacklist' },
      dedupe_key: `countries ${account_id} ${tx.now.toISOString()}`,
    },
  );
}

async function readName(tx: Tx, { account_id, user_id, real_user_id }: Actor): Promise<string> {
  if (real_user_id !== null) return 'An operator';
  const user = await tx.maybeOne<{ name: string }>(sql`
    select trim(first_name || ' ' || last_name) as name from users
    where account_id = ${account_id} and id = ${user_id}`);
  return user?.name || (user_id === null ? 'A program with an API key' : 'A user');
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

interface Report {
  readonly account_id: string;
  readonly account_name: string;
  readonly limit_account_id: string;
  readonly limit_account_name: string;
}

/** The accounts that are notified: the one whose messages were counted, and the company that has set the limit. */
function readers(report: Report, sender: { id: string; name: string } | null = null) {
  const { account_id, account_name, limit_account_id, limit_account_name } = report;
  const user = sender ?? { id: account_id, name: account_name };
  const isInherited = user.id !== limit_account_id;
  const owner = { id: limit_account_id, name: limit_account_name, isOwner: true, isInherited, whose: 'its' };
  if (!isInherited) return [owner];
  const whose = `${limit_account_name}’s`;
  return [
    { ...owner, whose: sender ? 'their' : 'your' },
    { ...user, isOwner: false, isInherited, whose: sender ? 'their' : whose },
  ];
}

const atUtc = (date: string): string => `${date.slice(0, 16)} UTC`;

async function readCompany(tx: Tx, account_id: string) {
  const { company_name, currency } = await tx.one<{ company_name: string; currency: string }>(
    sql`select company_name, currency from accounts where id = ${account_id}`,
  );
  const money = (micros: number) => (micros / 1_000_000).toLocaleString('en-US', { style: 'currency', currency });
  return { company_name, money };
}
