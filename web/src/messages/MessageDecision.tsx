import type { RuleCheck } from '@parley/contract/messages/decisions.ts';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { IconCheck, IconClock, IconMinus } from '@tabler/icons-react';
import { formatMoney } from '../ui/data/format.ts';
import styles from './Messages.module.css';
import { RULE_WORDS } from './words.ts';

const RESULTS = { passed: 'Passed', held: 'Held for review', skipped: 'Does not apply' } as const;
const ICONS = { passed: IconCheck, held: IconClock, skipped: IconMinus } as const;

/** The rules that the message passed when it was accepted, with the values that they checked. */
export function MessageDecision({ message }: { message: MessageDetail }) {
  return (
    <ul className={styles.rules} aria-label="Why the message was accepted">
      {message.decisions.map((check) => {
        const isPassed = check.result !== 'skipped';
        const Icon = ICONS[check.result];
        return (
          <li key={check.rule} className={styles.rule} data-result={check.result}>
            <Icon size={15} stroke={2} role="img" aria-label={RESULTS[check.result]} />
            <span>
              {RULE_WORDS[check.rule]}
              <span className={styles.values}>{isPassed ? describeValues(check, message) : 'Does not apply'}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The values as "status VERIFIED, trial no". The price is in the message, so that only some users see it. */
function describeValues({ rule, values }: RuleCheck, { price_micros, currency }: MessageDetail): string {
  const parts = Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return [];
    if (Array.isArray(value)) return [`${name} ${value.length === 0 ? 'all' : value.join(', ')}`];
    return [`${name.replaceAll('_', ' ')} ${value}`];
  });
  if (rule === 'price' && price_micros !== null) parts.push(formatMoney(price_micros, currency, { exact: true }));
  return parts.join(' · ');
}
