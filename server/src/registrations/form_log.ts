/**
 * What was filled in of a sender's form, in the company's log: which part and which fields, never what was typed, since people and tax numbers stand
 * there and the log is kept for ever. Saving again what is there already leaves no trace.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import type { AttachmentRow, SenderState } from './queries.ts';

type Named = Pick<SenderState, 'id' | 'code' | 'name'>;
type Values = Readonly<Record<string, unknown>>;

const targetOf = ({ id, code, name }: Named) => ({ type: 'sender', id, name: code || name });

/** `value`: the fields that were given, of a part that was `before`. */
export function recordPart(ctx: Ctx, sender: Named, part: string, before: object | null, value: object): void {
  const was = (before ?? {}) as Values;
  const fields = Object.entries(value as Values)
    .filter(([name, now]) => now !== undefined && !isDeepStrictEqual(now, was[name]))
    .map(([name]) => name);
  if (fields.length > 0)
    record(ctx.tx, ctx, { action: 'sender.form_saved', target: targetOf(sender), detail: { part, fields } });
}

export const recordDocument = (
  ctx: Ctx,
  sender: Named,
  what: 'added' | 'removed',
  { kind, file_name }: Pick<AttachmentRow, 'kind' | 'file_name'>,
): void =>
  record(ctx.tx, ctx, {
    action: `sender.document_${what}`,
    target: targetOf(sender),
    detail: { kind, file_name },
  });
