// What happens to one submit_sm, decided once, when it arrives: the phone's state first, then its magic, then the carrier's
// moods. Nothing here remembers anything but how often a magic number has refused.
import { STATUS } from '@parley/smpp/status.ts';
import { type CarrierSettings, chance } from './carrier.ts';
import { magicOf } from './magic.ts';
import { state } from './message.ts';
import type { PhoneState } from './phones.ts';
import { Refusals } from './refusals.ts';

export interface Fate {
  /** command_status of a refusal; 0 accepts. */
  refuse: number;
  /** Never seen: neither kept nor answered. */
  lost: boolean;
  answered: boolean;
  receipt_before_response: boolean;
  text_only: boolean;
  state: number;
  receipts: readonly number[];
  receipt_delay: number;
  auto_reply: string | undefined;
}

const usual: Fate = {
  refuse: STATUS.ESME_ROK,
  lost: false,
  answered: true,
  receipt_before_response: false,
  text_only: false,
  state: state.delivered,
  receipts: [state.delivered],
  receipt_delay: 0,
  auto_reply: undefined,
};

const byPhoneState: Record<PhoneState, (settings: CarrierSettings) => Partial<Fate>> = {
  on: () => ({}),
  off: () => ({ state: state.enroute, receipts: [] }),
  out_of_reach: () => ({ state: state.undeliverable, receipts: [state.undeliverable] }),
  full: ({ full_phone }) =>
    full_phone === 'refuse'
      ? { refuse: STATUS.ESME_RMSGQFUL }
      : { state: state.undeliverable, receipts: [state.undeliverable] },
  reject: () => ({ state: state.rejected, receipts: [state.rejected] }),
};

/** registered_delivery bits 0-1: 1 every final state, 2 failures only, 3 success only; bit 4 also states on the way. */
export function wantedReceipts(receipts: readonly number[], registered_delivery: number): readonly number[] {
  const kind = registered_delivery & 0x03;
  if (kind === 1) return receipts;
  return receipts.filter((told) => {
    if (told === state.accepted) return (registered_delivery & 0x10) !== 0;
    return kind === 2 ? told !== state.delivered : kind === 3 ? told === state.delivered : false;
  });
}

export function usualDelay(settings: CarrierSettings): number {
  return settings.receipt_delay_ms + Math.round(Math.random() * settings.receipt_jitter_ms);
}

/** The receipts of a message whose end is known, after what the carrier panel loses and doubles. */
export function usualReceipts(end: number, settings: CarrierSettings): readonly number[] {
  if (chance(settings.receipts_lost_percent)) return [];
  return chance(settings.receipts_twice_percent) ? [end, end] : [end];
}

export class Fates {
  #refusals = new Refusals();

  decide(to: string, text: string, phone: PhoneState, settings: CarrierSettings): Fate {
    if (phone !== 'on') {
      const fate: Fate = { ...usual, receipt_delay: usualDelay(settings), ...byPhoneState[phone](settings) };
      const receipts = fate.receipts.length > 0 ? usualReceipts(fate.state, settings) : [];
      return { ...fate, receipts, answered: !chance(settings.responses_lost_percent) };
    }
    const rule = magicOf(to)?.rule;
    if (!rule) {
      return {
        ...usual,
        answered: !chance(settings.responses_lost_percent),
        receipts: usualReceipts(state.delivered, settings),
        receipt_delay: usualDelay(settings),
      };
    }
    if (rule.refuse && this.#refusals.still(`${to} ${text}`, rule.refuse_times))
      return { ...usual, refuse: rule.refuse };
    const receipts = rule.receipts ?? usual.receipts;
    return {
      ...usual,
      lost: rule.no_response === 'lost',
      answered: rule.no_response === undefined,
      receipt_before_response: rule.receipt_before_response ?? false,
      text_only: rule.text_only ?? false,
      state: receipts.at(-1) ?? state.delivered,
      receipts,
      receipt_delay: rule.receipt_delay_ms ?? usualDelay(settings),
      auto_reply: rule.auto_reply,
    };
  }

  clear(): void {
    this.#refusals.clear();
  }
}
