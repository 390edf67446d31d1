/** What a carrier says of a template becomes what we say of it, and everybody concerned is told; nothing is written when it is no news. */
import type { Template } from '@parley/contract/templates.ts';
import type { TemplateState } from '../channels/channel.ts';
import type { Tx } from '../kernel/db.ts';
import { enqueue, job } from '../kernel/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceTemplate, mailDecision } from './announce.ts';
import type { TemplateRow, Verdict } from './queries.ts';
import * as queries from './queries.ts';
import { reasonOf } from './reason.ts';

export type Said = Omit<Verdict, 'wa_category'> & { wa_category?: Verdict['wa_category'] };

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const categoryOf = (category: string | null): Template['wa_category'] =>
  CATEGORIES.find((one) => one === category?.toUpperCase()) ?? null;

export const saidBy = (
  state: Pick<TemplateState, 'external_id' | 'status' | 'paused' | 'reason' | 'category'>,
): Said => ({
  status: state.status,
  paused: state.paused,
  reason: state.status === 'CANCELED' || state.paused ? reasonOf(state.reason || (state.paused ? 'PAUSED' : '')) : null,
  external_id: state.external_id,
  wa_category: categoryOf(state.category),
});

const verdictOf = (before: TemplateRow, said: Said): Verdict => ({
  ...said,
  wa_category: said.wa_category ?? before.wa_category,
});

export function isNews(before: TemplateRow, said: Said): boolean {
  const verdict = verdictOf(before, said);
  const fields = ['status', 'paused', 'external_id', 'wa_category'] as const;
  return (
    before.submitted !== before.revision ||
    fields.some((field) => verdict[field] !== before[field]) ||
    (verdict.reason?.code ?? null) !== (before.reason?.code ?? null)
  );
}

/** The caller holds the row. True when something changed. */
export async function settle(
  tx: Tx,
  before: TemplateRow,
  answer: TemplateState | Said,
  handed = true,
): Promise<boolean> {
  const said: Said = 'category' in answer ? saidBy(answer) : answer;
  if (!isNews(before, said)) return false;
  const verdict = verdictOf(before, said);
  await queries.setVerdict(tx, before.account_id, before.id, verdict, handed);
  await announceTemplate(tx, before.account_id, before.id);
  const { account_id, id, revision } = before;
  if (before.status === 'IN_PROCESS' && verdict.status !== 'IN_PROCESS')
    await enqueue(tx, tellJob, { account_id, id, revision });
  return true;
}

/** The owner's mail, beside the callback of the carrier and not within it. */
export const tellJob = job<{ account_id: string; id: string; revision: number }>('templates.tell');

export const tell = (kernel: Kernel, decided: { account_id: string; id: string; revision: number }): Promise<void> =>
  kernel.db.tx(async (tx) => {
    const row = await queries.templateById(tx, decided.account_id, decided.id);
    if (row?.revision !== decided.revision || row.status === 'IN_PROCESS') return;
    await mailDecision(tx, kernel.config, queries.toTemplate(row), row.revision);
  });
