/** An account's invoices, for the API, and their files. */
import { Readable } from 'node:stream';
import type {
  Invoice,
  InvoiceDetails,
  getInvoiceLink as Link,
  listInvoices as List,
} from '@parley/contract/billing/invoices.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { canBeStructured } from './facts.ts';
import { countInvoices, findInvoice, listInvoiceRows } from './queries.ts';
import { renderInvoice } from './render.ts';
import { toUbl } from './ubl.ts';

const LINK_SECONDS = 600;
/** Recipients of invoices may have no user, so the link in the email works for longer. */
const MAIL_LINK_SECONDS = 30 * 86_400;
const MAX_BYTES = 5_000_000;

const fileKey = (account_id: string, id: string): string => `${account_id}/invoices/${id}.pdf`;
const fileUrl = ({ storage }: Kernel, { account_id, id, number }: Invoice, expires_s: number): string =>
  `/v1/files?${storage.sign(fileKey(account_id, id), { expires_s, filename: `${number}.pdf` })}`;

export async function listInvoices(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof List>['query'],
): Promise<Paged<Invoice>> {
  const page = readPage(query);
  const filter = { account_id, ...query.filter };
  return paged(page, await listInvoiceRows(db, filter, page), await countInvoices(db, filter), (row) => row.id);
}

export async function getInvoice(db: Queryable, account_id: string, id: string): Promise<InvoiceDetails> {
  const row = await findInvoice(db, account_id, id);
  if (!row) throw new Problem('INVOICE_NOT_FOUND');
  const { content, ...invoice } = row;
  const { period: date, net_amount_micros } = invoice;
  return { ...invoice, lines: [{ date, description: content.description, net_amount_micros }], ...content };
}

export async function exportInvoice({ tx, actor, reply }: Ctx, id: string): Promise<void> {
  const invoice = await getInvoice(tx, actor.account_id, id);
  if (!canBeStructured(invoice)) throw new Problem('INVOICE_NOT_UBL');
  reply
    .header('content-disposition', `attachment; filename="${invoice.number.replace(/[^\w.-]/g, '_')}.xml"`)
    .header('cache-control', 'no-store');
  await reply.type('application/xml; charset=utf-8').send(toUbl(invoice));
}

/** `filter[account_id]` names the account or one of its sub-accounts. */
export async function getInvoiceLink(
  { tx, kernel, actor }: Ctx,
  id: string,
  query: Parsed<typeof Link>['query'],
): Promise<{ url: string }> {
  const account_id = query.filter?.account_id ?? actor.account_id;
  if (account_id !== actor.account_id && !(await isSubAccount(tx, actor.account_id, account_id)))
    throw new Problem('ACCOUNT_NOT_FOUND');
  const invoice = await getInvoice(tx, account_id, id);
  if (!(await kernel.storage.exists(fileKey(account_id, id)))) throw new Problem('INVOICE_NOT_READY');
  return { url: fileUrl(kernel, invoice, LINK_SECONDS) };
}

const isSubAccount = async (db: Queryable, parent_id: string, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from accounts where id = ${id} and parent_id = ${parent_id}`)) !== null;

/** Draws and stores the PDF, and sends it to the account's invoice addresses. */
export async function deliverInvoice(kernel: Kernel, account_id: string, id: string): Promise<void> {
  const invoice = await getInvoice(kernel.db, account_id, id);
  const key = fileKey(account_id, id);
  if (!(await kernel.storage.exists(key))) {
    const pdf = await renderInvoice(invoice);
    await kernel.storage.put(key, Readable.from([pdf]), { max_bytes: MAX_BYTES });
  }
  const { invoice_emails } = await kernel.db.one<{ invoice_emails: string[] }>(
    sql`select invoice_emails from accounts where id = ${account_id}`,
  );
  const noun = invoice.type === 'Invoice' ? 'invoice' : 'credit note';
  await kernel.db.tx(async (tx) => {
    for (const to of invoice_emails)
      await sendMail(tx, {
        to,
        account_id,
        subject: `${invoice.type} ${invoice.number}`,
        dedupe_key: `invoice ${id} ${to}`,
        ...letter({
          title: `${invoice.type} ${invoice.number}`,
          paragraphs: [`The ${noun} ${invoice.number} for ${invoice.buyer.name} is ready. The link works for 30 days.`],
          action: {
            label: `Download ${noun}`,
            url: `${kernel.config.PUBLIC_URL}${fileUrl(kernel, invoice, MAIL_LINK_SECONDS)}`,
          },
          footer: `You received this email because ${invoice.buyer.name} sends invoices to this address.`,
        }),
      });
  });
}
