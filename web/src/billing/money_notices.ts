/** Notifications in the bell about announced price changes and overdue balances. */
import type { BalanceLow, OverdueChanged, RatesAnnounced } from '@parley/contract/billing/money_events.ts';
import { addNotice } from '../kernel/notices.ts';
import { formatCount, formatMoney } from '../ui/data/format.ts';

const RATE_TITLES = {
  announced: 'New prices',
  changed: 'The announced prices have changed',
  canceled: 'A price change was canceled',
} as const;

export function reportRates({ id, status, effective_date, prices_count }: RatesAnnounced): void {
  addNotice({
    id: `rates.${id}`,
    title: RATE_TITLES[status],
    text:
      status === 'canceled'
        ? 'Your prices stay the same'
        : `${formatCount(prices_count, 'price')} from ${effective_date.slice(0, 16)} UTC`,
    tone: status === 'canceled' ? 'ok' : 'wait',
    path: '/billing/rates?tab=changes',
  });
}

const OVERDUE_TITLES = {
  reminded: 'Your balance is overdue',
  paused: 'Sending is paused',
  extended: 'You have more time to pay',
  settled: 'Your balance is settled',
} as const;

export function reportOverdue({ id, status, owed_micros, currency }: OverdueChanged): void {
  addNotice({
    id: `overdue.${id}`,
    title: OVERDUE_TITLES[status],
    ...(owed_micros > 0 ? { text: `Your account owes ${formatMoney(owed_micros, currency)}` } : {}),
    tone: status === 'settled' ? 'ok' : status === 'paused' ? 'fail' : 'wait',
    path: '/billing',
  });
}

export function reportBalance({ id, available_micros, threshold_micros, currency }: BalanceLow): void {
  addNotice({
    id: `balance.${id}`,
    title: `Your balance is below ${formatMoney(threshold_micros, currency)}`,
    text: `${formatMoney(available_micros, currency)} left`,
    tone: 'wait',
    path: '/add-funds',
  });
}
