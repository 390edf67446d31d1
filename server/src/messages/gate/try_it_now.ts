/**
 * Free test messages to the account's own phones, limited per day. A phone counts as the account's own only after its
 * code is confirmed, so that an account cannot send free messages to strangers.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { TEST_SENDER, TESTS_PER_DAY, type TryItNow } from '@parley/contract/messages/try_it_now.ts';
import { Problem, problemCode, problemMessage } from '@parley/contract/problem.ts';
import { findSendingAccount, sendingProblem } from '../../accounts/accounts.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import { idAt } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { isSandbox, sandboxPorts } from '../../kernel/settings/config.ts';
import { borrowTestSender, findTestSender, listUsableSenders, reaches } from '../../senders/senders.ts';
import { getRouteBook } from '../routing/route_book.ts';

const DAY_MS = 24 * 3_600_000;
/** Limits the response size for accounts with many confirmed numbers. */
const MAX_NUMBERS = 50;

interface OwnPhone {
  number: string;
  mine: boolean;
}

/** Returns the user's phone (the owner's, for an API key), then the numbers the account has confirmed. */
const listOwnPhones = (db: Queryable, account_id: string, user_id: string | null) =>
  db.rows<OwnPhone>(sql`
    select number, bool_or(mine) as mine from (
      select l.phone_number as number, true as mine from users u join logins l on l.id = u.login_id
      where u.account_id = ${account_id} and l.status = 'PHONE_VERIFIED' and l.phone_number is not null
        and case when ${user_id}::uuid is null then u.is_owner else u.id = ${user_id}::uuid end
      union all
      select number, false from own_numbers where account_id = ${account_id}
    ) n
    group by number order by bool_or(mine) desc, number limit ${MAX_NUMBERS}`);

const countSentToday = async (db: Queryable, account_id: string, now: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from (
        select 1 from messages
        where account_id = ${account_id} and number = any(array(${phonesEverTried(account_id)})) and source = 'test'
          and id >= ${idAt(now.getTime() - DAY_MS)}::uuid
        limit ${TESTS_PER_DAY}) tried`)
  ).count;

/** Used to select messages by number, because messages are indexed by number and an account's log may be long. */
const phonesEverTried = (account_id: string) => sql`
  select l.phone_number from users u join logins l on l.id = u.login_id where u.account_id = ${account_id}
    and l.phone_number is not null
  union select number from own_numbers where account_id = ${account_id}`;

/**
 * Checks the phones and the daily limit before the gate runs. Throws RECIPIENTS_INVALID (a phone is not the account's
 * own) or TEST_MESSAGE_LIMIT_REACHED (daily limit). The lock makes concurrent tests wait.
 */
export async function requireTestAllowed(
  tx: Tx,
  account_id: string,
  user_id: string | null,
  to: readonly string[],
): Promise<void> {
  await lockTests(tx, account_id);
  await requireOwnPhones(tx, account_id, user_id, to);
  await takeTests(tx, account_id, to);
}

/** Makes concurrent tests wait. */
const lockTests = (tx: Tx, account_id: string) =>
  tx.run(sql`select from accounts where id = ${account_id} for no key update`);

/** Returns the number of tests that are left after these. */
async function takeTests(tx: Tx, account_id: string, to: readonly string[]): Promise<number> {
  const left = (await countTestsLeft(tx, account_id, tx.now)) - new Set(to.map(toDigits)).size;
  if (left >= 0) return left;
  throw new Problem('TEST_MESSAGE_LIMIT_REACHED', {
    message: `At most ${TESTS_PER_DAY} test messages can be sent in 24 hours`,
  });
}

/** Like requireTestAllowed, for phones of the team that the caller has looked up. */
export async function requireTestsLeft(tx: Tx, account_id: string, to: readonly string[]): Promise<number> {
  await lockTests(tx, account_id);
  return takeTests(tx, account_id, to);
}

export const countTestsLeft = async (db: Queryable, account_id: string, now: Date): Promise<number> =>
  TESTS_PER_DAY - (await countSentToday(db, account_id, now));

export async function requireOwnPhones(
  db: Queryable,
  account_id: string,
  user_id: string | null,
  to: readonly string[],
): Promise<void> {
  const ownNumbers = new Set((await listOwnPhones(db, account_id, user_id)).map(({ number }) => number));
  const strangers = to.filter((number) => !ownNumbers.has(toDigits(number)));
  if (strangers.length === 0) return;
  const detail = (number: string) => ({
    code: 'RECIPIENTS_INVALID' as const,
    field: 'to',
    message: `Test messages can be sent only to your own verified phones: ${number}`,
  });
  const [first, ...rest] = strangers;
  throw new Problem('RECIPIENTS_INVALID', { ...detail(first!), others: rest.map(detail) });
}

const toDigits = (text: string): string => parseNumber(text)?.number ?? text.trim().replace(/^\+/, '');

/** Resolves `from`. The first test turns the shared sender into a sender of the account. */
export async function testSender(tx: Tx, account_id: string, channel: ChannelName, from: string): Promise<string> {
  if (from.toLowerCase() !== TEST_SENDER) return from;
  const id = await borrowTestSender(tx, account_id, channel);
  if (!id) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  return id;
}

const BLOCKED_PATHS = {
  ACCOUNT_UNVERIFIED: '/verification',
  TRIAL_ENDED: '/expired',
  PAYMENT_OVERDUE: '/add-funds',
} as const;

export async function readTryItNow(
  kernel: Kernel,
  db: Queryable,
  actor: Actor,
  channel: ChannelName,
): Promise<TryItNow> {
  const { account_id, user_id } = actor;
  const account = await findSendingAccount(db, account_id);
  const phones = (await listOwnPhones(db, account_id, user_id)).map((phone) => ({
    ...phone,
    country: parseNumber(`+${phone.number}`)?.country ?? '',
  }));
  const ownSenders = (await listUsableSenders(db, account_id, channel)).map((sender) => ({ ...sender, lent: false }));
  const shared = await findTestSender(db, channel);
  const all = [
    ...ownSenders,
    ...(shared
      ? [{ id: TEST_SENDER, name: 'Try it now', code: shared.code, countries: shared.countries, lent: true }]
      : []),
  ];
  // Lists senders that reach the user's own country first.
  const home = phones[0]?.country ?? '';
  const senders = all.toSorted((a, b) => Number(reaches(b, home)) - Number(reaches(a, home)));
  const remaining = TESTS_PER_DAY - (await countSentToday(db, account_id, kernel.clock.now()));
  const blockers: TryItNow['blockers'] = [];
  const blocked = sendingProblem(account);
  if (blocked)
    blockers.push({
      code: problemCode(blocked),
      text: problemMessage(blocked),
      path: BLOCKED_PATHS[blocked],
    });
  if (phones.length === 0)
    blockers.push({
      code: problemCode('RECIPIENTS_INVALID'),
      text: 'Verify your phone number first. Test messages can be sent only to verified phones.',
      path: '/change-phone',
    });
  if (senders.length === 0)
    blockers.push({
      code: problemCode('MESSAGE_SENDER_NOT_FOUND'),
      text: `No ${channelRules(channel).label} sender is available yet.`,
      path: channelRules(channel).senders === 'numbers' ? '/senders/create-sender' : '/add-channel',
    });
  if (remaining <= 0)
    blockers.push({
      code: problemCode('TEST_MESSAGE_LIMIT_REACHED'),
      text: `You have sent all ${TESTS_PER_DAY} test messages allowed in 24 hours.`,
      path: null,
    });
  return {
    id: channel,
    numbers: phones,
    limit: TESTS_PER_DAY,
    left: Math.max(0, remaining),
    senders,
    blockers,
    notes: await listPhoneNotes(kernel, db, channel, phones, senders),
    phones_url: await findPhonesUrl(kernel, db, channel),
  };
}

async function listPhoneNotes(
  kernel: Kernel,
  db: Queryable,
  channel: ChannelName,
  phones: TryItNow['numbers'],
  senders: TryItNow['senders'],
): Promise<TryItNow['notes']> {
  const routes = channelRules(channel).carried_by === 'routes' ? await getRouteBook(kernel, db) : null;
  return phones.flatMap(({ number, country }) => {
    const reached = senders.filter((sender) => reaches(sender, country));
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const region = country ? names.of(country) : 'this country';
    if (routes && !routes.route(channel, number, country))
      return [{ number, text: `No carrier reaches ${region} yet.` }];
    if (senders.length > 0 && reached.length === 0)
      return [
        { number, text: `None of your senders can be used in ${region}. Carriers there require a registered sender.` },
      ];
    return [];
  });
}

/** Returns a URL only while the sandbox carries the channel, and never in production. */
async function findPhonesUrl({ config }: Kernel, db: Queryable, channel: ChannelName): Promise<string | null> {
  if (config.MODE === 'production') return null;
  const rows = await db.rows<{ host: string | null; port: number | null; base_url: string | null }>(sql`
    select settings->>'host' as host, (settings->>'port')::int as port, settings->>'base_url' as base_url
    from connections where enabled and channel = ${channel}`);
  const played = rows.some(({ host, port, base_url }) => {
    if (base_url === null) return host !== null && isSandbox(config, host, port ?? 0);
    const { hostname, port: at } = new URL(base_url);
    return isSandbox(config, hostname, Number(at));
  });
  return played ? `http://localhost:${sandboxPorts(config).http}` : null;
}
