/** The documents of a registration. They can change while the form is editable. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { isFileName } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  ATTACHMENT_TYPES,
  type Attachment,
  MAX_ATTACHMENTS,
  type putAttachment,
} from '@parley/contract/registrations/registration.ts';
import { newId } from '../kernel/clock.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Upload } from '../kernel/http/upload.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { lockSpace, requireSpace } from '../media/media.ts';
import { announceSender } from '../senders/senders.ts';
import { requireEditable } from './form.ts';
import { recordDocument } from './form_log.ts';
import * as queries from './queries.ts';

/** Download links last long enough to read a document, but not long enough to share it. */
const LINK_SECONDS = 600;

export async function listAttachments(kernel: Pick<Kernel, 'db' | 'storage'>, account_id: string, id: string) {
  return (await queries.listAttachments(kernel.db, account_id, id)).map((row) => toAttachment(kernel, row));
}

export const toAttachment = (
  { storage }: Pick<Kernel, 'storage'>,
  { storage_key, ...row }: queries.AttachmentRow,
): Attachment => ({
  ...row,
  kind: row.kind as Attachment['kind'],
  url: `/v1/files?${storage.sign(storage_key, { expires_s: LINK_SECONDS, filename: row.file_name })}`,
});

const FORMATS: readonly { type: string; extensions: readonly string[]; bytes: readonly number[] }[] = [
  { type: 'application/pdf', extensions: ['.pdf'], bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: 'image/jpeg', extensions: ['.jpg', '.jpeg'], bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/png', extensions: ['.png'], bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
];

/** Reads some bytes of an upload, by default the first ones. */
export async function readUploadBytes(
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

/** Returns the content type if the first bytes and the extension agree on an allowed type, otherwise null. */
async function detectType(kernel: Kernel, key: string, filename: string): Promise<string | null> {
  const head = await readUploadBytes(kernel, key, 16);
  const extension = ATTACHMENT_TYPES.find((candidate) => filename.toLowerCase().endsWith(candidate));
  const format = FORMATS.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  return format && extension && format.extensions.includes(extension) ? format.type : null;
}

/** Documents count toward the account's storage. */
export async function requireSpaceForDocument({ kernel, tx, actor }: Ctx, upload: Upload): Promise<void> {
  await lockSpace(tx, actor.account_id);
  await requireSpace(kernel, tx, actor, upload.bytes);
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
  const content_type = await detectType(kernel, upload.key, upload.filename);
  if (!content_type) throw new Problem('ATTACHMENT_TYPE_INVALID');
  const sender = await requireEditable(tx, account_id, id);
  if ((await queries.listAttachments(tx, account_id, id)).length >= MAX_ATTACHMENTS)
    throw new Problem('ATTACHMENTS_LIMIT_REACHED');
  await requireSpaceForDocument(ctx, upload);
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
  const sender = await requireEditable(tx, actor.account_id, id);
  const row = await queries.deleteAttachment(tx, actor.account_id, id, attachment_id);
  if (!row) throw new Problem('ATTACHMENT_NOT_FOUND');
  tx.afterCommit(() => void kernel.storage.remove(row.storage_key).catch(() => {}));
  recordDocument(ctx, sender, 'removed', row);
  await announceSender(tx, actor.account_id, id);
}
