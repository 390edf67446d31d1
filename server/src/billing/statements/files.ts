/** Statements as files, and the emails with them. A PDF is drawn once and stored, because its month never changes. */
import { Readable } from 'node:stream';
import { type exportStatement as Endpoint, KIND_TITLES, type Statement } from '@parley/contract/billing/statements.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { renderStatement } from '../invoices/render.ts';
import { findChoices } from '../payments/settings.ts';
import { getStatement } from './statements.ts';

const MAIL_LINK_SECONDS = 30 * 86_400;
const MAX_BYTES = 5_000_000;
/** Without this mark, spreadsheets read UTF-8 files in the local encoding. */
const BYTE_ORDER_MARK = '\ufeff';

const units = (micros: number): number => micros / 1_000_000;
const fileKey = ({ account_id, month }: Statement): string => `${account_id}/statements/${month}.pdf`;
export const monthTitle = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

function toCsv(statement: Statement): string {
  const { month, currency } = statement;
  const line = (title: string, count: number | null, micros: number) =>
    csvLine([month, title, count, units(micros), currency]);
  return [
    BYTE_ORDER_MARK + csvLine(['Month', 'Movement', 'Entries', 'Amount', 'Currency']),
    line('Opening balance', null, statement.opening_micros),
    ...statement.movements.map(({ kind, entries_count, amount_micros }) =>
      line(KIND_TITLES[kind], entries_count, amount_micros),
    ),
    line('Closing balance', null, statement.closing_micros),
    ...writeVolumes(statement),
  ].join('');
}

/** The units of each volume by the step that priced them, such as `SMS GB, above 10000 at 0.038`. */
const writeVolumes = ({ month, currency, volumes }: Statement): string[] =>
  volumes.flatMap(({ channel, country, mccmnc, purpose, steps }) =>
    steps.map(({ above_units, price_micros, units: count }) => {
      const destination = [channel, country, mccmnc, purpose].filter(Boolean).join(' ');
      const step = price_micros === null ? 'at the list price' : `above ${above_units} at ${units(price_micros)}`;
      return csvLine([month, `${destination}, ${step}`, count, null, currency]);
    }),
  );

/** Draws and stores the PDF unless it is stored. Returns its key. */
async function storePdf({ storage, db }: Kernel, statement: Statement): Promise<string> {
  const key = fileKey(statement);
  if (await storage.exists(key)) return key;
  const seller = await findSeller(db, statement.account_id);
  const pdf = await renderStatement({ ...statement, title: monthTitle(statement.month), seller });
  await storage.put(key, Readable.from([pdf]), { max_bytes: MAX_BYTES });
  return key;
}

const findSeller = async (db: Queryable, account_id: string): Promise<string> =>
  (
    await db.one<{ name: string }>(sql`
      select e.name from accounts a join invoice_entities e on e.id = a.invoice_entity where a.id = ${account_id}`)
  ).name;

export async function exportStatement(
  { tx, kernel, actor, reply }: Ctx,
  { month }: Parsed<typeof Endpoint>['params'],
  { format = 'csv', filter }: Parsed<typeof Endpoint>['query'],
): Promise<void> {
  const account_id = filter?.account_id ?? actor.account_id;
  const statement = await getStatement(tx, kernel.db.clock.now(), actor.account_id, { account_id, month });
  if (format === 'pdf' && !statement.is_final) throw new Problem('STATEMENT_NOT_FINAL');
  reply
    .header('content-disposition', `attachment; filename="statement-${month}.${format}"`)
    .header('cache-control', 'no-store');
  if (format === 'csv') {
    await reply.type('text/csv; charset=utf-8').send(toCsv(statement));
    return;
  }
  const file = await kernel.storage.open(await storePdf(kernel, statement));
  if (!file) throw new Error('the stored statement is missing');
  await reply.type('application/pdf').send(file.stream);
}

/** Sends a statement to the account's invoice addresses. */
export async function deliverStatement(kernel: Kernel, account_id: string, month: string): Promise<void> {
  const statement = await getStatement(kernel.db, kernel.db.clock.now(), account_id, { account_id, month });
  if (!(await findChoices(kernel.db, account_id)).sends_statements) return;
  const { invoice_emails } = await kernel.db.one<{ invoice_emails: string[] }>(
    sql`select invoice_emails from accounts where id = ${account_id}`,
  );
  if (invoice_emails.length === 0) return;
  const key = await storePdf(kernel, statement);
  const signed = kernel.storage.sign(key, { expires_s: MAIL_LINK_SECONDS, filename: `statement-${month}.pdf` });
  const title = `Statement for ${monthTitle(month)}`;
  await kernel.db.tx(async (tx) => {
    for (const to of invoice_emails)
      await sendMail(tx, {
        ...{ to, account_id, subject: title, dedupe_key: `statement ${account_id} ${month} ${to}` },
        ...letter({
          title,
          paragraphs: [`The monthly statement of ${statement.company_name} is ready. The link works for 30 days.`],
          action: { label: 'Download statement', url: `${kernel.config.PUBLIC_URL}/v1/files?${signed}` },
          footer: `You received this email because ${statement.company_name} sends statements to this address.`,
        }),
      });
  });
}
