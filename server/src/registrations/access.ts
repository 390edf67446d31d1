/** Access to WhatsApp and Viber as a company asks for it: the draft, the form kept part by part, its files. What is sent is decided in requests.ts. */
import { dimensionRefusal, extensionRefusal, isFileName } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  type AccessFile,
  type AccessKind,
  accessFile,
  type ViberDraft,
  type WhatsappDraft,
} from '@parley/contract/registrations/access_form.ts';
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
import { announceSender } from '../senders/announce.ts';
import { depart } from '../senders/carrier/deregistration.ts';
import { recordDocument, recordPart } from './form_log.ts';
import { changeProfile, hasProfile } from './profile.ts';
import { codeTaken } from '../senders/queries.ts';
import { demandEditable, headOf, toAttachment } from './form.ts';
import * as queries from './queries.ts';
import { forget } from '../senders/carrier/verification_queries.ts';

type Draft = WhatsappDraft & ViberDraft;

async function demandKind(tx: Tx, account_id: string, id: string, kind: AccessKind): Promise<queries.SenderState> {
  const sender = await demandEditable(tx, account_id, id);
  if (requestKindOf(sender) !== kind) throw new Problem(1472);
  return sender;
}

/** Problems: 1440 the number is a sender of somebody, 1446 the name is another's on Viber; 1402 1472. */
export async function putAccess(ctx: Ctx, id: string, kind: AccessKind, part: Draft): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await demandKind(tx, account_id, id, kind);
  const code = kind === 'whatsapp' ? part.phone_number : part.business_name_en;
  const name = kind === 'whatsapp' ? part.display_name : part.business_name_en;
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
  throw channel === 'WHATSAPP'
    ? new Problem(1440, { field: 'phone_number', message: 'This number is a sender of WhatsApp already' })
    : new Problem(1446, { field: 'business_name_en' });
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Signature, then the first chunk, which holds the size. */
const PNG_HEAD = 24;

/** 1906 the extension, 1909 something else inside, 1907 the size in pixels. */
async function demandFile(kernel: Kernel, upload: Upload, file: AccessFile): Promise<string> {
  if (!isFileName(upload.filename)) throw new Problem(1915, { field: 'file' });
  const wrong = extensionRefusal(upload.filename, {
    extensions: file.extensions,
    max_bytes: 0,
    too_large: 1905,
    wrong_extension: 1906,
  });
  if (wrong) throw new Problem(wrong.code, { field: 'file', message: wrong.message });
  if (upload.bytes === 0) throw new Problem(1910);
  const head = await headOf(kernel, upload.key, PNG_HEAD);
  if (!file.dimensions) {
    if (head.toString('latin1', 0, 5) !== '%PDF-') throw new Problem(1909);
    return 'application/pdf';
  }
  if (!head.subarray(0, 8).equals(PNG) || head.toString('latin1', 12, 16) !== 'IHDR') throw new Problem(1909);
  const found = { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  const other = dimensionRefusal(found, file.dimensions);
  if (other) throw new Problem(other.code, { field: 'file', message: other.message });
  const end = await headOf(kernel, upload.key, 12, Math.max(0, upload.bytes - 12));
  if (end.toString('latin1', 4, 8) !== 'IEND') throw new Problem(1908);
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
  if (!upload) throw new Problem(1705, { field: 'file', message: 'File is a required field' });
  const content_type = await demandFile(kernel, upload, file);
  const sender = await demandOpenFor(tx, account_id, id, kind, file);
  const there = await queries.attachmentsOf(tx, account_id, id);
  const replaced = file.kind === 'other' ? [] : there.filter((one) => one.kind === file.kind);
  if (there.length - replaced.length >= MAX_ATTACHMENTS) throw new Problem(1474);
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
