/**
 * What people see when they open a WhatsApp sender. It stands in the sender's form; WhatsApp is given it when the sender is approved and whenever it changes, by a
 * job that goes on until WhatsApp has answered. What WhatsApp does not take is told by field, and keeps nobody from sending.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { ProfileDraft } from '@parley/contract/registrations/profile.ts';
import type { FieldReason, Registration, SenderDetail } from '@parley/contract/registrations/registration.ts';
import type { OutgoingMedia, ProfileRefusal, SenderProfile } from '../channels/channel.ts';
import { openConnection } from '../connections/connections.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { announceSender, remember } from './announce.ts';
import { profileMail } from './carrier_mails.ts';
import { recordPart } from './form_log.ts';
import { ownerOf } from './queries.ts';
import * as queries from './registration_queries.ts';

/** WhatsApp may be away for long. */
export const profileJob = job<{ account_id: string; sender_id: string }>('senders.profile', {
  retry: 40,
  retry_seconds: 10,
  expire_seconds: 300,
});

const PICTURE = 'logo_640x640';
/** Where it stands in the form. */
const FIELDS: Readonly<Record<keyof SenderProfile, string>> = {
  about: 'whatsapp.about',
  description: 'whatsapp.business_description',
  address: 'whatsapp.business_address',
  email: 'whatsapp.business_email',
  website: 'whatsapp.business_website',
  category: 'whatsapp.category',
  picture: `attachments.${PICTURE}`,
};

/** In use at WhatsApp: from then on its profile may change at any time. */
export const hasProfile = ({ channel, status, carrier_address }: queries.SenderState): boolean =>
  channelRules(channel).profile && (status === 'available' || status === 'approved') && carrier_address !== null;

/** Problems: SENDER_NOT_FOUND, SENDER_STATE_INVALID not in use at WhatsApp (yet). */
export async function putProfile(ctx: Ctx, id: string, draft: ProfileDraft): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await queries.lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  if (!hasProfile(sender)) throw new Problem('SENDER_STATE_INVALID');
  recordPart(ctx, sender, 'profile', (await queries.registrationOf(tx, account_id, id)).whatsapp, draft);
  await queries.saveAccess(tx, account_id, id, 'whatsapp', draft);
  await changeProfile(tx, account_id, id);
  await announceSender(tx, account_id, id);
  return queries.registrationOf(tx, account_id, id);
}

/** It is another now: the carrier is told. The caller holds the sender. */
export async function changeProfile(tx: Tx, account_id: string, sender_id: string): Promise<void> {
  await tx.run(sql`
    insert into sender_profiles as p (account_id, sender_id) values (${account_id}, ${sender_id})
    on conflict (account_id, sender_id) do update set revision = p.revision + 1`);
  await enqueue(tx, profileJob, { account_id, sender_id });
}

interface Row {
  revision: number;
  taken: number;
  picture_id: string | null;
  refusals: FieldReason[];
  take_date: string | null;
}
const rowOf = (db: Queryable, account_id: string, sender_id: string) =>
  db.maybeOne<Row>(sql`
    select revision, taken, picture_id, refusals, take_date from sender_profiles
    where account_id = ${account_id} and sender_id = ${sender_id}`);

export async function profileOf(
  db: Queryable,
  account_id: string,
  sender_id: string,
): Promise<SenderDetail['profile']> {
  const row = await rowOf(db, account_id, sender_id);
  if (!row) return null;
  const { revision, taken, refusals, take_date } = row;
  const state = taken < revision ? 'waiting' : refusals.length > 0 ? 'refused' : 'taken';
  return { state, refusals: state === 'waiting' ? [] : refusals, take_date };
}

/** May run twice: WhatsApp is given the same again. A carrier that is away throws. */
export async function pushProfile(
  kernel: Kernel,
  { account_id, sender_id }: { account_id: string; sender_id: string },
) {
  const { db } = kernel;
  const row = await rowOf(db, account_id, sender_id);
  const sender = await queries.senderState(db, account_id, sender_id);
  if (!row || row.taken === row.revision || !sender || sender.deleted || !hasProfile(sender)) return;
  const connection = sender.connection_id ? await openConnection(kernel, db, sender.connection_id) : null;
  if (!connection?.adapter.senders) return;
  const { profile, picture_id } = await readProfile(kernel, account_id, sender_id, row.picture_id);
  const refused = await connection.adapter.senders.putProfile(connection.spec, sender.carrier_address!, profile);
  const pictureTaken = picture_id !== null && !refused.some(({ field }) => field === 'picture');
  await settle(kernel, { account_id, sender_id, revision: row.revision }, refused, pictureTaken ? picture_id : null);
}

async function settle(
  kernel: Kernel,
  { account_id, sender_id, revision }: { account_id: string; sender_id: string; revision: number },
  refused: readonly ProfileRefusal[],
  picture_id: string | null,
): Promise<void> {
  const refusals = refused.map(({ field, text }): FieldReason => ({ field: FIELDS[field], text: text.slice(0, 500) }));
  await kernel.db.tx(async (tx) => {
    const sender = await queries.lockSender(tx, account_id, sender_id);
    if (!sender) return;
    const settled = await tx.run(sql`
      update sender_profiles set taken = ${revision}, refusals = ${JSON.stringify(refusals)}::jsonb, take_date = ${tx.now},
        picture_id = coalesce(${picture_id}::uuid, picture_id)
      where account_id = ${account_id} and sender_id = ${sender_id} and taken < ${revision}`);
    if (settled === 0) return;
    if (refusals.length > 0) {
      await remember(tx, account_id, sender_id, 'profile_refused', refusals.map(({ text }) => text).join(' '));
      const owner = await ownerOf(tx, account_id);
      if (owner) await sendMail(tx, profileMail(kernel.config, account_id, owner, sender, { refusals, revision }));
    }
    await announceSender(tx, account_id, sender_id);
  });
}

/** The picture only where WhatsApp has another one; `picture_id` is which. */
async function readProfile(
  { db, storage }: Pick<Kernel, 'db' | 'storage'>,
  account_id: string,
  sender_id: string,
  taken_picture: string | null,
): Promise<{ profile: SenderProfile; picture_id: string | null }> {
  const { whatsapp: form } = await queries.registrationOf(db, account_id, sender_id);
  const logo = (await queries.attachmentsOf(db, account_id, sender_id)).find(({ kind }) => kind === PICTURE);
  const picture = logo && logo.id !== taken_picture ? pictureOf(storage, logo) : null;
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

const pictureOf = (storage: Kernel['storage'], file: queries.AttachmentRow): OutgoingMedia => ({
  type: 'image',
  key: null,
  link: '',
  file_name: file.file_name,
  content_type: file.content_type,
  bytes: file.bytes,
  async open() {
    const opened = await storage.open(file.storage_key);
    if (!opened) throw new Error(`the picture of a profile is gone: ${file.storage_key}`);
    return opened.stream;
  },
});
