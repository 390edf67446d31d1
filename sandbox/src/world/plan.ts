/**
 * Plans the outcome of a submit_sm when it arrives: the phone's state is considered first, then its magic number, then
 * the carrier settings.
 */
import { STATUS } from '@parley/smpp/status.ts';
import { type CarrierSettings, chance } from './carrier.ts';
import { findMagic } from './magic.ts';
import { state } from './message.ts';
import type { PhoneState } from './phones.ts';
import { Refusals } from './refusals.ts';

export interface SubmitPlan {
  /** The command_status of a refusal; 0 means that the submit_sm is accepted. */
  refuse: number;
  /** True if the message is dropped: it is not stored and gets no response. */
  lost: boolean;
  responds: boolean;
  receipt_before_response: boolean;
  text_only: boolean;
  state: number;
  receipts: readonly number[];
  receipt_delay: number;
  auto_reply: string | undefined;
}

const defaultPlan: SubmitPlan = {
  refuse: STATUS.ESME_ROK,
  lost: false,
  responds: true,
  receipt_before_response: false,
  text_only: false,
  state: state.delivered,
  receipts: [state.delivered],
  receipt_delay: 0,
  auto_reply: undefined,
};

const byPhoneState: Record<PhoneState, (settings: CarrierSettings) => Partial<SubmitPlan>> = {
  on: () => ({}),
  off: () => ({ state: state.enroute, receipts: [] }),
  out_of_reach: () => ({ state: state.undeliverable, receipts: [state.undeliverable] }),
  full: ({ full_phone }) =>
    full_phone === 'refuse'
      ? { refuse: STATUS.ESME_RMSGQFUL }
      : { state: state.undeliverable, receipts: [state.undeliverable] },
  reject: () => ({ state: state.rejected, receipts: [state.rejected] }),
};

/**
 * Selects the receipts requested by registered_delivery. Bits 0-1: 1 means every final state, 2 means failures only,
 * and 3 means success only. Bit 4 adds intermediate states.
 */
export function requestedReceipts(receipts: readonly number[], registered_delivery: number): readonly number[] {
  const kind = registered_delivery & 0x03;
  if (kind === 1) return receipts;
  return receipts.filter((receipt) => {
    if (receipt === state.accepted) return (registered_delivery & 0x10) !== 0;
    return kind === 2 ? receipt !== state.delivered : kind === 3 ? receipt === state.delivered : false;
  });
}

export function randomDelay(settings: CarrierSettings): number {
  return settings.receipt_delay_ms + Math.round(Math.random() * settings.receipt_jitter_ms);
}

/** Returns the receipts for a final state, after the settings have been applied, which may drop or repeat receipts. */
export function randomReceipts(end: number, settings: CarrierSettings): readonly number[] {
  if (chance(settings.receipts_lost_percent)) return [];
  return chance(settings.receipts_twice_percent) ? [end, end] : [end];
}

export class SubmitPlanner {
  private readonly refusals = new Refusals();

  plan(to: string, text: string, phone: PhoneState, settings: CarrierSettings): SubmitPlan {
    if (phone !== 'on') {
      const plan: SubmitPlan = {
        ...defaultPlan,
        receipt_delay: randomDelay(settings),
        ...byPhoneState[phone](settings),
      };
      const receipts = plan.receipts.length > 0 ? randomReceipts(plan.state, settings) : [];
      return { ...plan, receipts, responds: !chance(settings.responses_lost_percent) };
    }
    const rule = findMagic(to)?.rule;
    if (!rule) {
      return {
        ...defaultPlan,
        responds: !chance(settings.responses_lost_percent),
        receipts: randomReceipts(state.delivered, settings),
        receipt_delay: randomDelay(settings),
      };
    }
    if (rule.refuse && this.refusals.shouldRefuse(`${to} ${text}`, rule.refuse_times))
      return { ...defaultPlan, refuse: rule.refuse };
    const receipts = rule.receipts ?? defaultPlan.receipts;
    return {
      ...defaultPlan,
      lost: rule.no_response === 'lost',
      responds: rule.no_response === undefined,
      receipt_before_response: rule.receipt_before_response ?? false,
      text_only: rule.text_only ?? false,
      state: receipts.at(-1) ?? state.delivered,
      receipts,
      receipt_delay: rule.receipt_delay_ms ?? randomDelay(settings),
      auto_reply: rule.auto_reply,
    };
  }

  clear(): void {
    this.refusals.clear();
  }
}
