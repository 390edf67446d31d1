/**
 * Audit log entries for changes to a registration. They name the part and the fields but never the values, because the
 * values contain names and tax numbers and the log is kept forever. Saving unchanged values adds no entry.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import type { SenderRow } from '../senders/senders.ts';
import type { AttachmentRow } from './queries.ts';

type NamedSender = Pick<SenderRow, 'id' | 'code' | 'name'>;
type Values = Readonly<Record<string, unknown>>;

const toTarget = ({ id, code, name }: NamedSender) => ({ type: 'sender', id, name: code || name });

/** `before` contains the part's stored values, and `value` contains the given values. */
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
  change: 'added' | 'removed',
  { kind, file_name }: Pick<AttachmentRow, 'kind' | 'file_name'>,
): void =>
  record(ctx.tx, ctx, {
    action: `sender.document_${change}`,
    target: toTarget(sender),
    detail: { kind, file_name },
  });
