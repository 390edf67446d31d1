/** The form of a sender: saved section by section, documents, the check of it, and all of it to look at. It is locked while somebody decides on it. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { isFileName } from '@parley/contract/media/rules.ts';
import { type Draft, preflight } from '@parley/contract/preflight/preflight.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Finding } from '@parley/contract/registrations/finding.ts';
import {
  ATTACHMENT_TYPES,
  type Attachment,
  MAX_ATTACHMENTS,
  type putAttachment,
  type Registration,
  requestKindOf,
  requiredFiles,
  type SectionName,
  type SenderDetail,
} from '@parley/contract/registrations/registration.ts';
import { expectedDays, rulesOf } from '@parley/contract/senders/countries.ts';
import type { listSenderRules, SenderRule } from '@parley/contract/senders/rules.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { createOutbound } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceSender } from './announce.ts';
import { recordDocument, recordPart } from './form_log.ts';
import { shownNumbers } from './own_number_queries.ts';
import { profileOf } from './profile.ts';
import { listedSender } from './queries.ts';
import * as queries from './registration_queries.ts';
import { verificationOf } from './verification_queries.ts';
import { pageFindings } from './website.ts';

/** Long enough to look at, too short to be passed around. */
const DAY_MS = 86_400_000;
const LINK_SECONDS = 600;

export const rulesFor = (query: Parsed<typeof listSenderRules>['query'], all: readonly string[]): SenderRule[] =>
  (query.filter?.countries?.length ? query.filter.countries : all).map((country) => {
    const { types, ...rule } = rulesOf(country);
    return {
      ...rule,
      types: types.map((type) => ({
        ...type,
        documents: [...type.documents],
        expected_days: type.expected_days && ([...type.expected_days] as [number, number]),
      })),
    };
  });

export async function senderDetail(
  kernel: Kernel,
  { account_id }: Pick<Actor, 'account_id'>,
  id: string,
): Promise<SenderDetail> {
  const { db } = kernel;
  const [sender, state] = await Promise.all([
    listedSender(db, account_id, id),
    queries.senderState(db, account_id, id),
  ]);
  if (!sender || !state) throw new Problem('SENDER_NOT_FOUND');
  const [registration, attachments, timeline, latest, campaigns, messages, verification, profile] = await Promise.all([
    queries.registrationOf(db, account_id, id),
    attachmentsOf(kernel, account_id, id),
    queries.timelineOf(db, account_id, id),
    queries.latestRequest(db, account_id, id),
    queries.campaignsOf(db, account_id, id),
    queries.messagesOf(db, account_id, id, new Date(kernel.clock.now().getTime() - 30 * DAY_MS)),
    verificationOf(db, { account_id, sender_id: id }),
    profileOf(db, account_id, id),
  ]);
  const open = latest?.status === 'IN_PROCESS';
  const told = sender.status === 'rejected' || (open && latest.asked);
  return {
    ...sender,
    kind: requestKindOf(sender),
    wish: state.wish,
    registration,
    attachments,
    documents: requiredFiles(sender, registration),
    verification,
    profile,
    reasons: told ? (latest?.reasons ?? []) : [],
    note: told ? (latest?.note ?? '') : '',
    asked: state.asked,
    editable: queries.isEditable(state) && !state.deleted && requestKindOf(sender) !== null,
    expected_days: requestKindOf(sender) ? [...expectedDays(sender.countries, sender.type)] : null,
    expected_date: open && !latest.asked ? latest.expected_date : null,
    timeline,
    campaigns,
    messages_30_days: messages.count,
    ...(messages.more ? { messages_30_days_more: true as const } : {}),
  };
}

export async function attachmentsOf(kernel: Pick<Kernel, 'db' | 'storage'>, account_id: string, id: string) {
  return (await queries.attachmentsOf(kernel.db, account_id, id)).map((row) => toAttachment(kernel, row));
}

export const toAttachment = (
  { storage }: Pick<Kernel, 'storage'>,
  { storage_key, ...row }: queries.AttachmentRow,
): Attachment => ({
  ...row,
  kind: row.kind as Attachment['kind'],
  url: `/v1/files?${storage.sign(storage_key, { expires_s: LINK_SECONDS, filename: row.file_name })}`,
});

export async function demandEditable(tx: Tx, account_id: string, id: string): Promise<queries.SenderState> {
  const sender = await queries.lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  if (!queries.isEditable(sender)) throw new Problem('SENDER_STATE_INVALID');
  return sender;
}

/** Answers to keywords may be changed whenever nobody is deciding: those of a sender in use count at once. */
export async function putSection(ctx: Ctx, id: string, name: SectionName, value: object): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await queries.lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  const inUse = sender.status === 'available' || sender.status === 'approved';
  const keywords = name === 'compliance_keyword_responses';
  if (!queries.isEditable(sender) && !(keywords && inUse)) throw new Problem('SENDER_STATE_INVALID');
  recordPart(ctx, sender, name, (await queries.registrationOf(tx, account_id, id))[name], value);
  await queries.saveSection(tx, account_id, id, name, value);
  if (keywords) await queries.saveKeywords(tx, account_id, id, value as Parameters<typeof queries.saveKeywords>[3]);
  await announceSender(tx, account_id, id);
  return queries.registrationOf(tx, account_id, id);
}

const MAGIC: readonly { type: string; endings: readonly string[]; bytes: readonly number[] }[] = [
  { type: 'application/pdf', endings: ['.pdf'], bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: 'image/jpeg', endings: ['.jpg', '.jpeg'], bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/png', endings: ['.png'], bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
];

/** Some bytes of an upload, the first ones unless said. */
export async function headOf(
  { storage }: Pick<Kernel, 'storage'>,
  key: string,
  bytes: number,
  start = 0,
): Promise<Buffer> {
  const opened = await storage.open(key, { start, end: start + bytes - 1 });
  const parts: Buffer[] = [];
  for await (const part of opened?.stream ?? []) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** What the file is says its beginning; the ending of its name has to agree. Null: none of those allowed. */
async function typeOf(kernel: Kernel, key: string, filename: string): Promise<string | null> {
  const head = await headOf(kernel, key, 16);
  const ending = ATTACHMENT_TYPES.find((one) => filename.toLowerCase().endsWith(one));
  const found = MAGIC.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  return found && ending && found.endings.includes(ending) ? found.type : null;
}

export async function attach(
  ctx: Ctx,
  id: string,
  { kind }: Parsed<typeof putAttachment>['body'],
): Promise<Attachment> {
  const { tx, kernel, actor, upload } = ctx;
  const { account_id } = actor;
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  if (!isFileName(upload.filename)) throw new Problem('FILE_NAME_INVALID', { field: 'file' });
  const content_type = await typeOf(kernel, upload.key, upload.filename);
  if (!content_type) throw new Problem('ATTACHMENT_TYPE_INVALID');
  const sender = await demandEditable(tx, account_id, id);
  if ((await queries.attachmentsOf(tx, account_id, id)).length >= MAX_ATTACHMENTS)
    throw new Problem('ATTACHMENTS_LIMIT_REACHED');
  const row = await queries.insertAttachment(tx, account_id, id, {
    id: newId(),
    kind,
    file_name: upload.filename,
    content_type,
    bytes: upload.bytes,
    storage_key: upload.key,
  });
  recordDocument(ctx, sender, 'added', row);
  await announceSender(tx, account_id, id);
  return toAttachment(kernel, row);
}

export async function removeAttachment(ctx: Ctx, id: string, attachment_id: string): Promise<void> {
  const { tx, kernel, actor } = ctx;
  const sender = await demandEditable(tx, actor.account_id, id);
  const row = await queries.deleteAttachment(tx, actor.account_id, id, attachment_id);
  if (!row) throw new Problem('ATTACHMENT_NOT_FOUND');
  tx.afterCommit(() => void kernel.storage.remove(row.storage_key).catch(() => {}));
  recordDocument(ctx, sender, 'removed', row);
  await announceSender(tx, actor.account_id, id);
}

/** Null for a sender that is never asked for. */
export async function draftOf(db: Queryable, account_id: string, sender: queries.SenderState): Promise<Draft | null> {
  const kind = requestKindOf(sender);
  if (!kind) return null;
  const registration = await queries.registrationOf(db, account_id, sender.id);
  const attached = await queries.attachmentsOf(db, account_id, sender.id);
  return {
    kind,
    sender,
    brand: sender.brand || sender.company_name,
    registration,
    attached: attached.map((file) => file.kind),
    numbers: await shownNumbers(db, account_id, registration),
  };
}

export async function checkSender({ db, config }: Kernel, account_id: string, id: string): Promise<Finding[]> {
  const sender = await queries.senderState(db, account_id, id);
  if (!sender || sender.deleted) throw new Problem('SENDER_NOT_FOUND');
  const draft = await draftOf(db, account_id, sender);
  return draft ? [...preflight(draft), ...(await pageFindings(createOutbound(config), draft.registration))] : [];
}
