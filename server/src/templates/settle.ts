/** What a carrier says of a template becomes what we say of it, and everybody concerned is told; nothing is written when it is no news. */
import type { Template } from '@parley/contract/templates.ts';
import type { TemplateState } from '../channels/channel.ts';
import type { Config } from '../kernel/config.ts';
import type { Tx } from '../kernel/db.ts';
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

/** The caller holds the row. True when something changed. */
export async function settle(
  tx: Tx,
  config: Pick<Config, 'PUBLIC_URL'>,
  before: TemplateRow,
  answer: TemplateState | Said,
  handed = true,
): Promise<boolean> {
  const said: Said = 'category' in answer ? saidBy(answer) : answer;
  const verdict: Verdict = { ...said, wa_category: said.wa_category ?? before.wa_category };
  const fields = ['status', 'paused', 'external_id', 'wa_category'] as const;
  const same =
    fields.every((field) => verdict[field] === before[field]) &&
    (verdict.reason?.code ?? null) === (before.reason?.code ?? null);
  if (same && before.submitted === before.revision) return false;
  await queries.setVerdict(tx, before.account_id, before.id, verdict, handed);
  const template = await announceTemplate(tx, before.account_id, before.id);
  if (before.status === 'IN_PROCESS' && verdict.status !== 'IN_PROCESS')
    await mailDecision(tx, config, template, before.revision);
  return true;
}
