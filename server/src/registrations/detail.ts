/** The content of a sender's page: form, documents, review, timeline, campaigns, and usage. */
import { Problem } from '@parley/contract/problem.ts';
import { requestKind, requiredFiles, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { countryRules, expectedDays } from '@parley/contract/senders/countries.ts';
import type { SenderRule } from '@parley/contract/senders/rules.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findListedSender, isEditable, readSender, readVerification } from '../senders/senders.ts';
import { listAttachments } from './attachments.ts';
import { readProfileStatus } from './profile.ts';
import * as queries from './queries.ts';

/** Days, including today, whose messages are counted. */
const USAGE_DAYS = 30;

/** The rules for these countries, or for all countries if none are given. */
export const toSenderRules = (countries: readonly string[], all: readonly string[]): SenderRule[] =>
  (countries.length > 0 ? countries : all).map((country) => {
    const { types, ...rule } = countryRules(country);
    return {
      ...rule,
      types: types.map((type) => ({
        ...type,
        documents: [...type.documents],
        expected_days: type.expected_days && ([...type.expected_days] as [number, number]),
      })),
    };
  });

export async function readSenderDetail(
  kernel: Kernel,
  { account_id }: Pick<Actor, 'account_id'>,
  id: string,
): Promise<SenderDetail> {
  const { db } = kernel;
  const [sender, row] = await Promise.all([findListedSender(db, account_id, id), readSender(db, account_id, id)]);
  if (!sender || !row) throw new Problem('SENDER_NOT_FOUND');
  const [registration, attachments, timeline, latest, campaigns, messages, verification, profile] = await Promise.all([
    queries.readRegistration(db, account_id, id),
    listAttachments(kernel, account_id, id),
    queries.readTimeline(db, account_id, id),
    queries.findLatestRequest(db, account_id, id),
    queries.openCampaigns(db, account_id, id),
    queries
      .readPeriodStart(db, account_id, kernel.clock.now(), USAGE_DAYS)
      .then((since) => queries.countMessages(db, account_id, id, since)),
    readVerification(db, { account_id, sender_id: id }),
    readProfileStatus(db, account_id, id),
  ]);
  const open = latest?.status === 'IN_PROCESS';
  const showsReasons = sender.status === 'rejected' || (open && latest.info_requested);
  return {
    ...sender,
    kind: requestKind(sender),
    wish: row.wish,
    registration,
    attachments,
    documents: requiredFiles(sender, registration),
    verification,
    profile,
    reasons: showsReasons ? (latest?.reasons ?? []) : [],
    note: showsReasons ? (latest?.note ?? '') : '',
    asked: row.info_requested,
    editable: isEditable(row) && !row.deleted && requestKind(sender) !== null,
    expected_days: requestKind(sender) ? [...expectedDays(sender.countries, sender.type)] : null,
    expected_date: open && !latest.info_requested ? latest.expected_date : null,
    timeline,
    campaigns,
    messages_30_days: messages.count,
    ...(messages.more ? { messages_30_days_more: true as const } : {}),
  };
}
