/** Access to WhatsApp and Viber as a company asks for it: the draft, the form kept part by part, its files. What is sent is decided in requests.ts. */

import { ACCESS_FORMS, accessFile } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ViberDraft } from '@parley/contract/channels/viber/access.ts';
import type { WhatsappDraft } from '@parley/contract/channels/whatsapp/access.ts';
import { dimensionRefusal, extensionRefusal, isFileName } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { AccessFile } from '@parley/contract/registrations/access_files.ts';
import {
  type Attachment,
  MAX_ATTACHMENTS,
  type Registration,
  requestKindOf,
} from '@parley/contract/registrations/registration.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Upload } from '../kernel/http/upload.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceSender } from './announce.ts';
import { depart } from './departure.ts';
import { recordDocument, recordPart } from './form_log.ts';
import { changeProfile, hasProfile } from './profile.ts';
import { codeTaken } from './queries.ts';
import { demandEditable, headOf, toAttachment } from './registration.ts';
import * as queries from './registration_queries.ts';
import { forget } from './verification_queries.ts';

type Draft = WhatsappDraft & ViberDraft;

async function demandKind(tx: Tx, account_id: string, id: string, kind: AccessKind): Promise<queries.SenderState> {
  const sender = await demandEditable(tx, account_id, id);
  if (requestKindOf(sender) !== kind) throw new Problem('SENDER_STATE_INVALID');
  return sender;
}

/**
 * Problems: SENDER_ID_EXISTS (the number is a sender of somebody), BUSINESS_NAME_EXISTS (the name is another's on
 * Viber); SENDER_NOT_FOUND, SENDER_STATE_INVALID.
 */
export async function putAccess(ctx: Ctx, id: string, kind: AccessKind, part: Draft): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await demandKind(tx, account_id, id, kind);
  const { code_field, name_field } = ACCESS_FORMS[kind];
  const code = part[code_field];
  const name = part[name_field];
  if (code !== undefined) await demandFree(tx, sender, code);
  recordPart(ctx, sender, kind, (await queries.registrationOf(tx, account_id, id))[kind], part);
  await queries.saveAccess(tx, account_id, id, kind, part);
  await tx.run(sql`
    update senders set code = coalesce(${code ?? null}, code), business_name = coalesce(${name ?? null}, business_name),
      countries = coalesce(${part.targeted_countries ?? null}::text[], countries), one_way = coalesce(not ${part.two_way ?? null}::boolean, one_way),
      -- Another number is another sender at the carrier.
      carrier_address = case when ${code ?? null}::text is null or ${code ?? null} = code then carrier_address end, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  // The number it was asked for before may be at the carrier already.
  if (code !== undefined && code !== sender.code) {
    await depart(tx, sender);
    await forget(tx, account_id, id);
  }
  await announceSender(tx, account_id, id);
  return queries.registrationOf(tx, account_id, id);
}

/** Of whatever company: what is asked for or in use is nobody else’s. */
export async function demandFree(tx: Tx, { id, channel }: Pick<queries.SenderState, 'id' | 'channel'>, code: string) {
  if (!code || !(await codeTaken(tx, channel, code, id))) return;
  const { own_number, label } = channelRules(channel);
  throw own_number
    ? new Problem('SENDER_ID_EXISTS', { field: 'phone_number', message: `This number is a sender of ${label} already` })
    : new Problem('BUSINESS_NAME_EXISTS', { field: 'business_name_en' });
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Signature, then the first chunk, which holds the size. */
const PNG_HEAD = 24;

/**
 * FILE_EXTENSION_NOT_ALLOWED the extension, FILE_CONTENT_MISMATCH something else inside, IMAGE_DIMENSIONS_INVALID the
 * size in pixels.
 */
async function demandFile(kernel: Kernel, upload: Upload, file: AccessFile): Promise<string> {
  if (!isFileName(upload.filename)) throw new Problem('FILE_NAME_INVALID', { field: 'file' });
  const wrong = extensionRefusal(upload.filename, {
    extensions: file.extensions,
    max_bytes: 0,
    too_large: 'FILE_TOO_LARGE',
    wrong_extension: 'FILE_EXTENSION_NOT_ALLOWED',
  });
  if (wrong) throw new Problem(wrong.code, { field: 'file', message: wrong.message });
  if (upload.bytes === 0) throw new Problem('FILE_EMPTY');
  const head = await headOf(kernel, upload.key, PNG_HEAD);
  if (!file.dimensions) {
    if (head.toString('latin1', 0, 5) !== '%PDF-') throw new Problem('FILE_CONTENT_MISMATCH');
    return 'application/pdf';
  }
  if (!head.subarray(0, 8).equals(PNG) || head.toString('latin1', 12, 16) !== 'IHDR')
    throw new Problem('FILE_CONTENT_MISMATCH');
  const found = { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  const other = dimensionRefusal(found, file.dimensions);
  if (other) throw new Problem(other.code, { field: 'file', message: other.message });
  const end = await headOf(kernel, upload.key, 12, Math.max(0, upload.bytes - 12));
  if (end.toString('latin1', 4, 8) !== 'IEND') throw new Problem('FILE_CORRUPTED');
  return 'image/png';
}

/** The picture people see may be another one at any time; everything else only while the form is open. */
async function demandOpenFor(tx: Tx, account_id: string, id: string, kind: AccessKind, file: AccessFile) {
  const sender = file.dimensions && kind === 'whatsapp' ? await queries.lockSender(tx, account_id, id) : null;
  return sender && hasProfile(sender) ? sender : demandKind(tx, account_id, id, kind);
}

/** The newer one of a kind takes the place of the older one; of others there can be several. */
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
  const content_type = await demandFile(kernel, upload, file);
  const sender = await demandOpenFor(tx, account_id, id, kind, file);
  const there = await queries.attachmentsOf(tx, account_id, id);
  const replaced = file.kind === 'other' ? [] : there.filter((one) => one.kind === file.kind);
  if (there.length - replaced.length >= MAX_ATTACHMENTS) throw new Problem('ATTACHMENTS_LIMIT_REACHED');
  for (const old of replaced) await queries.deleteAttachment(tx, account_id, id, old.id);
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
