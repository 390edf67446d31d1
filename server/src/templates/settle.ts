/** What a carrier says of a template becomes what we say of it, and everybody concerned is told; nothing is written when it is no news. */
import type { Template } from '@parley/contract/templates/templates.ts';
import type { TemplateState } from '../channels/channel.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceTemplate, mailDecision } from './announce.ts';
import type { TemplateRow, Verdict } from './queries.ts';
import * as queries from './queries.ts';
import { reasonOf } from './reason.ts';
import { type Change, changeOf, isStill, mailChange } from './rest.ts';

export type Said = Omit<Verdict, 'wa_category'> & { wa_category?: Verdict['wa_category'] };

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export const categoryOf = (category: string | null): Template['wa_category'] =>
  CATEGORIES.find((one) => one === category?.toUpperCase()) ?? null;

export const saidBy = (
  state: Pick<TemplateState, 'external_id' | 'status' | 'paused' | 'disabled' | 'reason' | 'category' | 'quality'>,
): Said => ({
  status: state.status,
  paused: state.paused,
  disabled: state.disabled,
  reason: state.status === 'CANCELED' || state.paused ? reasonOf(state.reason || (state.paused ? 'PAUSED' : '')) : null,
  external_id: state.external_id,
  wa_category: categoryOf(state.category),
  ...(state.quality === undefined ? {} : { quality: state.quality }),
});

export const asItStands = ({ status, paused, disabled, reason, external_id, wa_category }: TemplateRow): Said => ({
  status,
  paused,
  disabled,
  reason,
  external_id,
  wa_category,
});

/** Why it rests is told once in detail; whoever asks later hears only that it does. */
const keepsReason = (before: TemplateRow, said: Said): boolean =>
  before.paused && said.paused && before.disabled === (said.disabled === true) && said.reason?.code === 'PAUSED';

const verdictOf = (before: TemplateRow, said: Said): Required<Verdict> => ({
  ...said,
  disabled: said.disabled === true,
  reason: keepsReason(before, said) ? before.reason : said.reason,
  quality: said.quality === undefined ? before.quality : said.quality,
  wa_category: said.wa_category ?? before.wa_category,
});

export function isNews(before: TemplateRow, said: Said): boolean {
  const verdict = verdictOf(before, said);
  const fields = ['status', 'paused', 'disabled', 'quality', 'external_id', 'wa_category'] as const;
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
  const change = changeOf(before, verdict);
  if (change) await enqueue(tx, tellJob, { account_id, id, revision, change, key: newId() });
  return true;
}

/** The owner's mail, beside the callback of the carrier and not within it. */
export interface Changed {
  account_id: string;
  id: string;
  revision: number;
  change: Change;
  /** Of this change: the same can happen again. */
  key: string;
}
export const tellJob = job<Changed>('templates.tell');

/** What has changed again since is told by its own job. */
export const tell = (kernel: Kernel, { account_id, id, revision, change, key }: Changed): Promise<void> =>
  kernel.db.tx(async (tx) => {
    const row = await queries.templateById(tx, account_id, id);
    if (row?.revision !== revision || !isStill(row, change)) return;
    const template = queries.toTemplate(row);
    if (change === 'decided') await mailDecision(tx, kernel.config, template, revision);
    else await mailChange(tx, kernel.config, template, change, key);
  });
