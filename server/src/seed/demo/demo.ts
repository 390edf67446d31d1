/**
 * Empties the demo company, or fills it again. The owner starts a change, and a job makes it in one transaction, so
 * that a killed worker leaves the company unchanged, and the next run makes the whole change. Production refuses every
 * call, and has no demo company.
 */
import type { DEMO_STEPS, Demo, DemoChange, changeDemo as endpoint } from '@parley/contract/demo/demo.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Acting, record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { seedTemplates } from '../templates.ts';
import { replaceCompany } from './fresh_company.ts';

type Step = (typeof DEMO_STEPS)[number];

interface State {
  account_id: string;
  change: DemoChange | null;
  step: Step | null;
  error: string | null;
  user_id: string | null;
  update_date: string;
  /** True if the job has stopped trying. */
  is_stale: boolean;
}

/** Longer than all runs of the job together. */
const STALE_SECONDS = 600;
const INTERRUPTED = 'The change was interrupted. Start it again.';
/** One change runs at a time. */
const LOCK = 7_301_004;
export const changeCompany = job<{ change: DemoChange }>('demo.change', {
  retry: 3,
  expire_seconds: 120,
  group: () => 'demo',
});

const readState = (db: Queryable): Promise<State | null> =>
  db.maybeOne<State>(sql`
    select account_id, change, step, error, user_id, update_date,
      update_date < now() - make_interval(secs => ${STALE_SECONDS}) as is_stale
    from demo_company`);

/** Only the owner of the demo company may know that it is one. */
async function requireDemo(kernel: Kernel, db: Queryable, actor: Actor): Promise<State & { company_name: string }> {
  const state = kernel.config.MODE === 'production' ? null : await readState(db);
  const owner =
    state?.account_id === actor.account_id && actor.user_id && !actor.real_user_id
      ? await db.maybeOne<{ company_name: string }>(sql`
          select a.company_name from users u join accounts a on a.id = u.account_id
          where u.account_id = ${actor.account_id} and u.id = ${actor.user_id} and u.is_owner`)
      : null;
  if (!state || !owner) throw new Problem('DEMO_NOT_FOUND');
  return { ...state, ...owner };
}

const isPending = ({ step, error }: State): boolean => step !== null && step !== 'done' && error === null;
/** A pending change that has stopped can be started again. */
const isRunning = (state: State): boolean => isPending(state) && !state.is_stale;

function toDemo(state: State): Demo {
  const { change, step, update_date } = state;
  if (!change || !step) return { change: null };
  const error = state.error ?? (step === 'done' || isRunning(state) ? null : INTERRUPTED);
  return { change: { kind: change, step, error, update_date } };
}

export const getDemo = async (kernel: Kernel, db: Queryable, actor: Actor): Promise<Demo> =>
  toDemo(await requireDemo(kernel, db, actor));

const fold = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Throws DEMO_NOT_FOUND, COMPANY_NAME_MISMATCH, or DEMO_CHANGE_RUNNING. */
export async function changeDemo(
  tx: Tx,
  kernel: Kernel,
  who: Acting & { actor: Actor },
  { kind, company_name }: Parsed<typeof endpoint>['body'],
): Promise<Demo> {
  await tx.run(sql`select from demo_company for update`);
  const state = await requireDemo(kernel, tx, who.actor);
  if (fold(company_name) !== fold(state.company_name)) throw new Problem('COMPANY_NAME_MISMATCH');
  if (isRunning(state)) throw new Problem('DEMO_CHANGE_RUNNING');
  await tx.run(sql`
    update demo_company set change = ${kind}, step = 'waiting', error = null, user_id = ${who.actor.user_id},
      update_date = ${tx.now}`);
  await enqueue(tx, changeCompany, { change: kind });
  record(tx, who, { action: kind === 'empty' ? 'demo.emptied' : 'demo.filled' });
  return toDemo((await readState(tx))!);
}

/** Safe to run again at any time: completed steps are not repeated. */
export async function runChange(kernel: Kernel): Promise<void> {
  const { db } = kernel;
  const state = await readState(db);
  if (!state?.change || !isPending(state) || kernel.config.MODE === 'production') return;
  // The templates follow in their own transactions, because the sandbox reviews them.
  if (state.step !== 'templates') {
    const isReplaced = await replace(kernel, state);
    if (!isReplaced) return;
  }
  await seedTemplates(kernel);
  await setStep(db, 'done');
}

/** Returns false if the company cannot be replaced now. The owner sees the reason. */
async function replace(kernel: Kernel, { change }: State): Promise<boolean> {
  const { db } = kernel;
  try {
    await db.tx(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
      const { account_id: old_id, step } = (await readState(tx))!;
      if (step === 'templates' || step === 'done') return;
      // Outside the transaction, so that the owner sees it.
      await setStep(db, change === 'fill' ? 'history' : 'company');
      const account_id = await replaceCompany(tx, old_id, change === 'fill');
      await tx.run(sql`
        update demo_company set account_id = ${account_id}, step = 'templates', update_date = ${tx.now}`);
    });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await db.run(sql`update demo_company set error = ${error.message}, update_date = now()`);
    return false;
  }
}

const setStep = (db: Queryable, step: Step): Promise<unknown> =>
  db.run(sql`update demo_company set step = ${step}, update_date = now()`);
