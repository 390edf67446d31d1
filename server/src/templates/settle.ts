/** Stores the carrier's verdict on a template and announces the change. If nothing changed, nothing is written. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import type { TemplateState } from '../channels/template_state.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceTemplate, mailDecision } from './announce.ts';
import { type Change, detectChange, mailChange, stillHolds } from './changes.ts';
import type { TemplateRow, Verdict } from './queries.ts';
import * as queries from './queries.ts';
import { carrierReason } from './reasons.ts';

export type CarrierVerdict = Omit<Verdict, 'wa_category'> & { wa_category?: Verdict['wa_category'] };

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export const toCategory = (category: string | null): Template['wa_category'] =>
  CATEGORIES.find((candidate) => candidate === category?.toUpperCase()) ?? null;

export const readVerdict = (
  channel: ChannelName,
  state: Pick<TemplateState, 'external_id' | 'status' | 'paused' | 'disabled' | 'reason' | 'category' | 'quality'>,
): CarrierVerdict => ({
  status: state.status,
  paused: state.paused,
  disabled: state.disabled,
  reason:
    state.status === 'CANCELED' || state.paused
      ? carrierReason(channel, state.reason || (state.paused ? 'PAUSED' : ''))
      : null,
  external_id: state.external_id,
  wa_category: toCategory(state.category),
  ...(state.quality === undefined ? {} : { quality: state.quality }),
});

export const currentVerdict = ({
  status,
  paused,
  disabled,
  reason,
  external_id,
  wa_category,
}: TemplateRow): CarrierVerdict => ({
  status,
  paused,
  disabled,
  reason,
  external_id,
  wa_category,
});

/** A notice has the detailed reason for a pause. Later comparisons report only that the template is paused. */
const keepsReason = (before: TemplateRow, reported: CarrierVerdict): boolean =>
  before.paused &&
  reported.paused &&
  before.disabled === (reported.disabled === true) &&
  reported.reason?.code === 'PAUSED';

const mergeVerdict = (before: TemplateRow, reported: CarrierVerdict): Required<Verdict> => ({
  ...reported,
  disabled: reported.disabled === true,
  reason: keepsReason(before, reported) ? before.reason : reported.reason,
  quality: reported.quality === undefined ? before.quality : reported.quality,
  wa_category: reported.wa_category ?? before.wa_category,
});

export function isNews(before: TemplateRow, reported: CarrierVerdict): boolean {
  const verdict = mergeVerdict(before, reported);
  const fields = ['status', 'paused', 'disabled', 'quality', 'external_id', 'wa_category'] as const;
  return (
    before.submitted !== before.revision ||
    fields.some((field) => verdict[field] !== before[field]) ||
    (verdict.reason?.code ?? null) !== (before.reason?.code ?? null)
  );
}

/** The caller has locked the row. Returns true if anything changed. */
export async function settle(
  tx: Tx,
  before: TemplateRow,
  answer: TemplateState | CarrierVerdict,
  handed = true,
): Promise<boolean> {
  const reported: CarrierVerdict = 'category' in answer ? readVerdict(before.channel, answer) : answer;
  if (!isNews(before, reported)) return false;
  const verdict = mergeVerdict(before, reported);
  await queries.setVerdict(tx, before.account_id, before.id, verdict, handed);
  await announceTemplate(tx, before.account_id, before.id);
  const { account_id, id, revision } = before;
  const change = detectChange(before, verdict);
  if (change) await enqueue(tx, notifyJob, { account_id, id, revision, change, key: newId() });
  return true;
}

/** The owner's email is sent by a job, not within the carrier's callback. */
export interface ChangeNotice {
  account_id: string;
  id: string;
  revision: number;
  change: Change;
  /** Identifies this change, because the same change can happen again. */
  key: string;
}
export const notifyJob = job<ChangeNotice>('templates.tell');

/** If a newer change replaced this one, the job for the newer change reports it. */
export const notify = (kernel: Kernel, { account_id, id, revision, change, key }: ChangeNotice): Promise<void> =>
  kernel.db.tx(async (tx) => {
    const row = await queries.findTemplate(tx, account_id, id);
    if (row?.revision !== revision || !stillHolds(row, change)) return;
    const template = queries.toTemplate(row);
    if (change === 'decided') await mailDecision(tx, kernel.config, template, revision);
    else await mailChange(tx, kernel.config, template, change, key);
  });
