/** The companies that issue invoices. */
import type { InvoiceEntity, updateInvoiceEntity as Update } from '@parley/contract/admin/invoice_entities.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { listEntities, updateEntity } from './queries.ts';

export const listInvoiceEntities = (db: Queryable): Promise<InvoiceEntity[]> => listEntities(db);

export async function updateInvoiceEntity(
  ctx: Ctx,
  number: number,
  body: Parsed<typeof Update>['body'],
): Promise<InvoiceEntity> {
  const entity = await updateEntity(ctx.tx, number, body);
  if (!entity) throw new Problem('INVOICE_ENTITY_NOT_FOUND');
  record(ctx.tx, ctx, {
    action: 'invoice_entity.changed',
    account_id: ctx.actor.account_id,
    target: { type: 'invoice_entity', id: String(number), name: body.name },
    detail: body,
  });
  return entity;
}
