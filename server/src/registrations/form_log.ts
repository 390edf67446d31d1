/**
 * Audit log entries for changes of a registration. They name the part and the fields, never the values, which contain
 * names and tax numbers, since the log is kept forever. Saving unchanged values adds no entry.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import type { SenderRow } from '../senders/senders.ts';
import type { AttachmentRow } from './queries.ts';

type NamedSender = Pick<SenderRow, 'id' | 'code' | 'name'>;
type Values = Readonly<Record<string, unknown>>;

const toTarget = ({ id, code, name }: NamedSender) => ({ type: 'sender', id, name: code || name });

/** `before` are the stored values of the part, `value` the given ones. */
export function recordPart(ctx: Ctx, sender: NamedSender, part: string, before: object | null, value: object): void {
  const stored = (before ?? {}) as Values;
  const fields = Object.entries(value as Values)
    .filter(([name, now]) => now !== undefined && !isDeepStrictEqual(now, stored[name]))
    .map(([name]) => name);
  if (fields.length > 0)
    record(ctx.tx, ctx, { action: 'sender.form_saved', target: toTarget(sender), detail: { part, fields } });
}

export const recordDocument = (
  ctx: Ctx,
  sender: NamedSender,
  what: 'added' | 'removed',
  { kind, file_name }: Pick<AttachmentRow, 'kind' | 'file_name'>,
): void =>
  record(ctx.tx, ctx, {
    action: `sender.document_${what}`,
    target: toTarget(sender),
    detail: { kind, file_name },
  });
