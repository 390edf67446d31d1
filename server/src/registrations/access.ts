/** Requests for WhatsApp and Viber access: the form, saved in parts, and its files. requests.ts submits them. */
import { ACCESS_FORMS, type AccessFields, accessFile } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { dimensionRefusal, extensionRefusal, isFileName } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { AccessFile } from '@parley/contract/registrations/access_files.ts';
import {
  type Attachment,
  MAX_ATTACHMENTS,
  type Registration,
  requestKind,
} from '@parley/contract/registrations/registration.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Upload } from '../kernel/http/upload.ts';
import type { Kernel } from '../kernel/kernel.ts';
import {
  announceSender,
  deleteVerification,
  deregisterSender,
  isCodeTaken,
  lockSender,
  type SenderRow,
} from '../senders/senders.ts';
import { readUploadBytes, requireSpaceForDocument, toAttachment } from './attachments.ts';
import { requireEditable } from './form.ts';
import { recordDocument, recordPart } from './form_log.ts';
import { changeProfile, hasProfile } from './profile.ts';
import * as queries from './queries.ts';

async function requireKind(tx: Tx, account_id: string, id: string, kind: AccessKind): Promise<SenderRow> {
  const sender = await requireEditable(tx, account_id, id);
  if (requestKind(sender) !== kind) throw new Problem('SENDER_STATE_INVALID');
  return sender;
}

/**
 * Throws SENDER_ID_EXISTS (the number is already a sender), BUSINESS_NAME_EXISTS (the Viber name belongs to another
 * account), SENDER_NOT_FOUND, or SENDER_STATE_INVALID.
 */
export async function putAccess(ctx: Ctx, id: string, kind: AccessKind, part: AccessFields): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await requireKind(tx, account_id, id, kind);
  const { code_field, name_field } = ACCESS_FORMS[kind];
  const code = part[code_field];
  const name = part[name_field];
  if (code !== undefined) await requireUnusedCode(tx, sender, code);
  recordPart(ctx, sender, kind, (await queries.readRegistration(tx, account_id, id))[kind], part);
  await queries.saveAccess(tx, account_id, id, kind, part);
  await tx.run(sql`
    update senders set
      code = coalesce(${code ?? null}, code), business_name = coalesce(${name ?? null}, business_name),
      countries = coalesce(${part.targeted_countries ?? null}::text[], countries),
      one_way = coalesce(not ${part.two_way ?? null}::boolean, one_way),
      -- Another number is another sender at the carrier.
      carrier_address = case
        when ${code ?? null}::text is null or ${code ?? null} = code then carrier_address end,
      update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  // The previous number may already be enrolled at the carrier.
  if (code !== undefined && code !== sender.code) {
    await deregisterSender(tx, sender);
    await deleteVerification(tx, account_id, id);
  }
  await announceSender(tx, account_id, id);
  return queries.readRegistration(tx, account_id, id);
}

/**
 * The code must not be requested or used by any other sender in any account. Throws SENDER_ID_EXISTS or
 * BUSINESS_NAME_EXISTS.
 */
export async function requireUnusedCode(tx: Tx, { id, channel }: Pick<SenderRow, 'id' | 'channel'>, code: string) {
  if (!code || !(await isCodeTaken(tx, channel, code, id))) return;
  const { own_number, label } = channelRules(channel);
  throw own_number
    ? new Problem('SENDER_ID_EXISTS', { field: 'phone_number', message: `This number is already a ${label} sender` })
    : new Problem('BUSINESS_NAME_EXISTS', { field: 'business_name_en' });
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The signature and the first chunk, which contains the dimensions. */
const PNG_HEAD = 24;

/**
 * Returns the content type. Throws FILE_NAME_INVALID, FILE_EXTENSION_NOT_ALLOWED, FILE_EMPTY, FILE_CORRUPTED,
 * FILE_CONTENT_MISMATCH, or IMAGE_DIMENSIONS_INVALID.
 */
async function requireFile(kernel: Kernel, upload: Upload, file: AccessFile): Promise<string> {
  if (!isFileName(upload.filename)) throw new Problem('FILE_NAME_INVALID', { field: 'file' });
  const refusal = extensionRefusal(upload.filename, {
    extensions: file.extensions,
    max_bytes: 0,
    too_large: 'FILE_TOO_LARGE',
    wrong_extension: 'FILE_EXTENSION_NOT_ALLOWED',
  });
  if (refusal) throw new Problem(refusal.code, { field: 'file', message: refusal.message });
  if (upload.bytes === 0) throw new Problem('FILE_EMPTY');
  const head = await readUploadBytes(kernel, upload.key, PNG_HEAD);
  if (!file.dimensions) {
    if (head.toString('latin1', 0, 5) !== '%PDF-') throw new Problem('FILE_CONTENT_MISMATCH');
    return 'application/pdf';
  }
  if (!head.subarray(0, 8).equals(PNG) || head.toString('latin1', 12, 16) !== 'IHDR')
    throw new Problem('FILE_CONTENT_MISMATCH');
  const dimensions = { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  const dimensionProblem = dimensionRefusal(dimensions, file.dimensions);
  if (dimensionProblem) throw new Problem(dimensionProblem.code, { field: 'file', message: dimensionProblem.message });
  const end = await readUploadBytes(kernel, upload.key, 12, Math.max(0, upload.bytes - 12));
  if (end.toString('latin1', 4, 8) !== 'IEND') throw new Problem('FILE_CORRUPTED');
  return 'image/png';
}

/** The picture of a profile in use can change at any time. Other files can change only while the form is editable. */
async function requireEditableFor(tx: Tx, account_id: string, id: string, kind: AccessKind, file: AccessFile) {
  const sender = file.dimensions ? await lockSender(tx, account_id, id) : null;
  return sender && requestKind(sender) === kind && hasProfile(sender) ? sender : requireKind(tx, account_id, id, kind);
}

/** A new file replaces the previous one of its kind. Only the kind "other" can have several files. */
export async function attachAccess(
  ctx: Ctx,
  id: string,
  kind: AccessKind,
  body: { kind: string },
): Promise<Attachment> {
  const { tx, kernel, actor, upload } = ctx;
  const { account_id } = actor;
  const file = accessFile(kind, body.kind)!;
  if (!upload) throw new Problem('VALUE_INVALID', { field: 'file', message: 'File is a required field' });
  const content_type = await requireFile(kernel, upload, file);
  const sender = await requireEditableFor(tx, account_id, id, kind, file);
  const existing = await queries.listAttachments(tx, account_id, id);
  const replaced = file.kind === 'other' ? [] : existing.filter((attachment) => attachment.kind === file.kind);
  if (existing.length - replaced.length >= MAX_ATTACHMENTS) throw new Problem('ATTACHMENTS_LIMIT_REACHED');
  for (const old of replaced) await queries.deleteAttachment(tx, account_id, id, old.id);
  await requireSpaceForDocument(ctx, upload);
  tx.afterCommit(() => {
    for (const { storage_key } of replaced) void kernel.storage.remove(storage_key).catch(() => {});
  });
  const row = await queries.insertAttachment(tx, account_id, id, {
    id: newId(),
    kind: file.kind,
    file_name: upload.filename,
    content_type,
    bytes: upload.bytes,
    storage_key: upload.key,
  });
  recordDocument(ctx, sender, 'added', row);
  if (hasProfile(sender)) await changeProfile(tx, account_id, id);
  await announceSender(tx, account_id, id);
  return toAttachment(kernel, row);
}
