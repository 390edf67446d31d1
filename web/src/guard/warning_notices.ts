/** Notifications in the bell about limits that are nearly reached. A higher percentage replaces a lower one. */
import { countsSpend, describeLimit, type LimitWarning } from '@parley/contract/guard/limits.ts';
import { addNotice } from '../kernel/notices.ts';
import { SMS_LIMITS } from '../paths.ts';
import { formatMoney, formatNumber } from '../ui/data/format.ts';

export function reportWarning(warning: LimitWarning, currency: string): void {
  const { limit_id, type, used, percent } = warning;
  const money = (micros: number) => formatMoney(micros, currency);
  addNotice({
    id: `limit.${limit_id}`,
    title: `Traffic limit at ${percent}%`,
    text: `${countsSpend(type) ? money(used) : formatNumber(used)} used of ${describeLimit(warning, money)}`,
    tone: 'wait',
    path: SMS_LIMITS,
  });
}
