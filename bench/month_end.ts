/**
 * The end of a month for 10,000 accounts: each has a month of ledger entries and a payment. The server stores their
 * statements, issues their invoices, and draws the PDFs. It is killed once on the way and has to finish without gaps in
 * the numbers.
 */
import { readFile } from 'node:fs/promises';
import { paymentBooked } from '@parley/server/src/billing/payments/settle.ts';
import { monthsJob } from '@parley/server/src/billing/statements/months.ts';
import { examine } from '@parley/server/src/doctor/doctor.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { enqueue, startJobs } from '@parley/server/src/kernel/jobs/jobs.ts';
import { JOBS } from '@parley/server/src/modules.ts';
import { type Result, type Rig, secondsSince, stopProcess, until } from './rig.ts';

const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const ENTRIES = 30;
const LIMIT_SECONDS = 300;
const SAMPLE_MS = 500;
/** How long the drawing of PDFs is measured. */
const PDF_SECONDS = 30;

export async function monthEnd(rig: Rig): Promise<Result[]> {
  const { kernel } = rig;
  const { db } = kernel;
  await seed(rig);
  const jobs = await startJobs(kernel, JOBS, false);
  const count = async (statement: ReturnType<typeof sql>) => (await db.one<{ count: number }>(statement)).count;
  const invoices = () => count(sql`select count(*) from invoices`);
  const statements = () =>
    count(sql`
    select count(*) from ledger_month_marks where counted_until = date_trunc('month', now() at time zone 'UTC')::date`);
  const waiting = () =>
    count(sql`
    select count(*) from pgboss.job where name = 'billing.invoice_issued' and state in ('created', 'retry', 'active')`);
  try {
    let pid = rig.server_pid;
    const memory = sampleMemory(() => pid);
    const start = performance.now();
    await enqueueAll(rig);
    await until('a third of the invoices', async () => (await invoices()) > ACCOUNTS / 3, LIMIT_SECONDS * 4_000);
    process.kill(pid, 'SIGKILL');
    const killed_at = await invoices();
    const second = (await rig.startServer({})).process;
    pid = second.pid!;
    await until('all invoices', async () => (await invoices()) === ACCOUNTS, LIMIT_SECONDS * 4_000, 200);
    await until('all statements', async () => (await statements()) >= ACCOUNTS, LIMIT_SECONDS * 4_000, 200);
    const issued = secondsSince(start);
    const [left, from] = [await waiting(), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, PDF_SECONDS * 1_000));
    const rate = (left - (await waiting())) / secondsSince(from);
    const { first, last } = memory.stop();
    await stopProcess(second, 'SIGTERM');
    const broken = (await examine(db)).filter(({ ok }) => !ok);
    if (broken.length > 0) throw new Error(`consistency checks failed: ${JSON.stringify(broken)}`);
    return [
      {
        name: `Statements and invoices of ${ACCOUNTS} accounts, with one kill -9 after ${killed_at} invoices`,
        parley: `${issued.toFixed(0)} s, numbers without gaps, memory ${first} to ${last} MB`,
        baseline: `${ACCOUNTS * ENTRIES} ledger entries`,
        ratio: '–',
        target: `${LIMIT_SECONDS} s`,
        met: issued < LIMIT_SECONDS,
      },
      {
        name: 'The PDFs of these invoices, in the background',
        parley: `${rate.toFixed(1)} per second, ${left} left when all invoices were issued`,
        baseline: 'one process that draws',
        ratio: '–',
        target: 'none',
        met: true,
      },
    ];
  } finally {
    await jobs.stop();
  }
}

/** Last month: a payment, and charges on every day. */
async function seed({ kernel: { db } }: Rig): Promise<void> {
  const month = sql`date_trunc('month', now() at time zone 'UTC') - interval '1 month'`;
  await db.tx(async (tx) => {
    await tx.run(sql`
      insert into accounts (id, company_name, country_code, currency, status, create_date)
      select gen_random_uuid(), 'Bench ' || n, 'DE', 'EUR', 'VERIFIED', (${month}) at time zone 'UTC'
      from generate_series(1, ${ACCOUNTS}::int) n`);
    await tx.run(sql`
      insert into balances (account_id, currency, available_micros)
      select id, 'EUR', 1000000 * (100 - ${ENTRIES}::int) from accounts where company_name like 'Bench %'`);
    await tx.run(sql`
      insert into payments (account_id, id, type, status, currency, amount_micros, tax_micros, tax_rate, paid_date)
      select id, gen_random_uuid(), 'Bank Transfer', 'PAID', 'EUR', 100000000, 19000000, 19, now()
      from accounts where company_name like 'Bench %'`);
    await tx.run(sql`
      insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, payment_id, available_after_micros,
                          held_after_micros, create_date)
      select p.account_id, ${idOfDay(sql`0`)}, 'outside', 'available', p.amount_micros, 'top_up', 'paid', p.id,
             p.amount_micros, 0, (${month}) at time zone 'UTC'
      from payments p`);
    await tx.run(sql`
      insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, available_after_micros,
                          held_after_micros, create_date)
      select b.account_id, ${idOfDay(sql`n`)}, 'available', 'spent', 1000000, 'charge', 'charge ' || n,
             100000000 - n * 1000000, 0, ((${month}) at time zone 'UTC') + n * interval '20 hours'
      from balances b cross join generate_series(1, ${ENTRIES}::int) n`);
  });
  await db.run(sql`analyze`);
}

/** A random ID whose time is in the last month, because entries are read by their IDs. */
const idOfDay = (n: ReturnType<typeof sql>) => sql`(
  lpad(to_hex((extract(epoch from date_trunc('month', now() at time zone 'UTC') - interval '1 month'
    + ${n} * interval '20 hours') * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid`;

async function enqueueAll({ kernel: { db } }: Rig): Promise<void> {
  const payments = await db.rows<{ account_id: string; id: string }>(sql`select account_id, id from payments`);
  for (let from = 0; from < payments.length; from += 500)
    await db.tx(async (tx) => {
      for (const { account_id, id } of payments.slice(from, from + 500))
        await enqueue(tx, paymentBooked, { account_id, payment_id: id, change: 'paid' });
      if (from === 0) await enqueue(tx, monthsJob, {});
    });
}

/** The memory of the worker after its start and at the end, in MB. */
function sampleMemory(pid: () => number): { stop(): { first: number; last: number } } {
  const samples: number[] = [];
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid()}/status`, 'utf8').catch(() => '');
    const kb = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    if (kb) samples.push(Math.round(Number(kb) / 1024));
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return { first: samples[Math.floor(samples.length / 10)] ?? 0, last: samples.at(-1) ?? 0 };
    },
  };
}
