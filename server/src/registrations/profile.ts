/**
 * The profile that recipients see for a WhatsApp sender. It is part of the form. A job sends it to WhatsApp after the
 * approval and after each change, and retries until WhatsApp responds. Refused fields are reported and do not block
 * messages.
 */
import type { ProfileDraft } from '@parley/contract/channels/access.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FieldReason, Registration, SenderDetail } from '@parley/contract/registrations/registration.ts';
import type { ProfileRefusal, SenderProfile } from '../channels/channel.ts';
import type { OutgoingMedia } from '../channels/outgoing_content.ts';
import { openConnection } from '../connections/connections.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import {
  addTimelineEntry,
  announceSender,
  findOwner,
  lockSender,
  readSender,
  type SenderRow,
} from '../senders/senders.ts';
import { profileEmail } from './emails.ts';
import { recordPart } from './form_log.ts';
import * as queries from './queries.ts';

/** Retries for hours, because WhatsApp may be unavailable for a long time. */
export const profileJob = job<{ account_id: string; sender_id: string }>('senders.profile', {
  retry: 40,
  retry_seconds: 10,
  expire_seconds: 300,
});

const PICTURE = 'logo_640x640';
/** The form field for each profile field. */
const FIELDS: Readonly<Record<Exclude<keyof SenderProfile, 'picture'>, keyof ProfileDraft>> = {
  about: 'about',
  description: 'business_description',
  address: 'business_address',
  email: 'business_email',
  website: 'business_website',
  category: 'category',
};
const fieldPath = ({ channel }: SenderRow, field: keyof SenderProfile): string =>
  field === 'picture' ? `attachments.${PICTURE}` : `${channelRules(channel).access}.${FIELDS[field]}`;

/** True for senders in use at WhatsApp. Their profile can change at any time. */
export const hasProfile = ({ channel, status, carrier_address }: SenderRow): boolean =>
  channelRules(channel).profile && (status === 'available' || status === 'approved') && carrier_address !== null;

/** Throws SENDER_NOT_FOUND or SENDER_STATE_INVALID (the sender is not in use at WhatsApp). */
export async function putProfile(ctx: Ctx, id: string, draft: ProfileDraft): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  if (!hasProfile(sender)) throw new Problem('SENDER_STATE_INVALID');
  const kind = channelRules(sender.channel).access!;
  recordPart(ctx, sender, 'profile', (await queries.readRegistration(tx, account_id, id))[kind], draft);
  await queries.saveAccess(tx, account_id, id, kind, draft);
  await changeProfile(tx, account_id, id);
  await announceSender(tx, account_id, id);
  return queries.readRegistration(tx, account_id, id);
}

/** Starts the update at the carrier. The caller has locked the sender. */
export async function changeProfile(tx: Tx, account_id: string, sender_id: string): Promise<void> {
  await tx.run(sql`
    insert into sender_profiles as p (account_id, sender_id) values (${account_id}, ${sender_id})
    on conflict (account_id, sender_id) do update set revision = p.revision + 1`);
  await enqueue(tx, profileJob, { account_id, sender_id });
}

interface ProfileRow {
  revision: number;
  synced_revision: number;
  picture_id: string | null;
  refusals: FieldReason[];
  take_date: string | null;
}
const findRow = (db: Queryable, account_id: string, sender_id: string) =>
  db.maybeOne<ProfileRow>(sql`
    select revision, synced_revision, picture_id, refusals, take_date from sender_profiles
    where account_id = ${account_id} and sender_id = ${sender_id}`);

export async function readProfileStatus(
  db: Queryable,
  account_id: string,
  sender_id: string,
): Promise<SenderDetail['profile']> {
  const row = await findRow(db, account_id, sender_id);
  if (!row) return null;
  const { revision, synced_revision, refusals, take_date } = row;
  const state = synced_revision < revision ? 'waiting' : refusals.length > 0 ? 'refused' : 'taken';
  return { state, refusals: state === 'waiting' ? [] : refusals, take_date };
}

/** Idempotent. Throws if the carrier is not available. */
export async function pushProfile(
  kernel: Kernel,
  { account_id, sender_id }: { account_id: string; sender_id: string },
) {
  const { db } = kernel;
  const row = await findRow(db, account_id, sender_id);
  const sender = await readSender(db, account_id, sender_id);
  if (!row || row.synced_revision === row.revision || !sender || sender.deleted || !hasProfile(sender)) return;
  const connection = sender.connection_id ? await openConnection(kernel, db, sender.connection_id) : null;
  if (!connection?.adapter.senders) return;
  const { profile, picture_id } = await readProfile(kernel, account_id, sender, row.picture_id);
  const refused = await connection.adapter.senders.putProfile(connection.spec, sender.carrier_address!, profile);
  const isPictureAccepted = picture_id !== null && !refused.some(({ field }) => field === 'picture');
  const revision = { account_id, sender_id, revision: row.revision };
  await recordResult(kernel, revision, refused, isPictureAccepted ? picture_id : null);
}

async function recordResult(
  kernel: Kernel,
  { account_id, sender_id, revision }: { account_id: string; sender_id: string; revision: number },
  refused: readonly ProfileRefusal[],
  picture_id: string | null,
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const sender = await lockSender(tx, account_id, sender_id);
    if (!sender) return;
    const refusals = refused.map(
      ({ field, text }): FieldReason => ({ field: fieldPath(sender, field), text: text.slice(0, 500) }),
    );
    const changed = await tx.run(sql`
      update sender_profiles
      set synced_revision = ${revision}, refusals = ${JSON.stringify(refusals)}::jsonb, take_date = ${tx.now},
        picture_id = coalesce(${picture_id}::uuid, picture_id)
      where account_id = ${account_id} and sender_id = ${sender_id} and synced_revision < ${revision}`);
    if (changed === 0) return;
    if (refusals.length > 0) {
      const reasons = refusals.map(({ text }) => text).join(' ');
      await addTimelineEntry(tx, account_id, sender_id, 'profile_refused', reasons);
      const owner = await findOwner(tx, account_id);
      if (owner) await sendMail(tx, profileEmail(kernel.config, account_id, owner, sender, { refusals, revision }));
    }
    await announceSender(tx, account_id, sender_id);
  });
}

/** Includes the picture only if WhatsApp does not have it yet. `picture_id` is its attachment. */
async function readProfile(
  { db, storage }: Pick<Kernel, 'db' | 'storage'>,
  account_id: string,
  { id, channel }: SenderRow,
  current_picture_id: string | null,
): Promise<{ profile: SenderProfile; picture_id: string | null }> {
  const form: ProfileDraft | null = (await queries.readRegistration(db, account_id, id))[channelRules(channel).access!];
  const logo = (await queries.listAttachments(db, account_id, id)).find(({ kind }) => kind === PICTURE);
  const picture = logo && logo.id !== current_picture_id ? toPicture(storage, logo) : null;
  return {
    profile: {
      about: form?.about ?? null,
      description: form?.business_description ?? null,
      address: form?.business_address ?? null,
      email: form?.business_email ?? null,
      website: form?.business_website ?? null,
      category: form?.category ?? null,
      picture,
    },
    picture_id: picture ? logo!.id : null,
  };
}

const toPicture = (storage: Kernel['storage'], file: queries.AttachmentRow): OutgoingMedia => ({
  type: 'image',
  key: null,
  link: '',
  file_name: file.file_name,
  content_type: file.content_type,
  bytes: file.bytes,
  async open() {
    const opened = await storage.open(file.storage_key);
    if (!opened) throw new Error(`the picture of a profile is missing: ${file.storage_key}`);
    return opened.stream;
  },
});
