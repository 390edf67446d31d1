/** Fills in a limit from the traffic from the last 15 days, and shows the figures behind it. */
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { countsSpend, type LimitType } from '@parley/contract/guard/limits.ts';
import {
  type LimitSuggestion,
  SUGGESTION_DAYS,
  SUGGESTION_FACTORS,
  suggestLimit,
} from '@parley/contract/guard/suggestions.ts';
import { IconBulb } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { formatCount, formatMoney } from '../../ui/data/format.ts';
import { countryName } from '../../ui/form/countries.ts';
import { type LimitValues, limitBody, MICROS } from './limit_values.ts';
import styles from './SmsLimits.module.css';

interface Shown {
  type: LimitType;
  interval: string;
  suggestion: LimitSuggestion;
}

export function SuggestionPart({ form }: { form: UseFormReturnType<LimitValues> }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const forget = () => setShown(null);
  form.watch('type', forget);
  form.watch('interval', forget);
  form.watch('countries', forget);
  form.watch('prefixes', forget);
  form.watch('channels', forget);
  const action = useAction(suggestLimit);
  const suggest = () => {
    const { type, interval, channels, countries, prefixes } = limitBody(form.getValues());
    action.mutate(
      { body: { type, interval, channels, countries, prefixes } },
      {
        onSuccess: ({ data: suggestion }) => {
          setShown({ type, interval, suggestion });
          const { suggested } = suggestion;
          if (suggested !== null) form.setFieldValue('limit', countsSpend(type) ? suggested / MICROS : suggested);
        },
      },
    );
  };
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconBulb size={14} aria-hidden />}
        loading={action.isPending}
        onClick={suggest}
      >
        Suggest a limit
      </Button>
      <p className={styles.hint} role="status">
        {shown ? suggestionText(shown) : `Based on your traffic from the last ${SUGGESTION_DAYS} days.`}
      </p>
    </div>
  );
}

const NOT_COUNTED = 'Your traffic is not counted yet. Messages are counted 14 hours after they are created.';
const REASONS = {
  rule:
    'No suggestions are available for limits per minute, per recipient, per IP address, or with number prefixes, or ' +
    'for countries of one sender, API key, user, or campaign.',
  permission: 'You need access to payments or rates to see suggestions for spend limits.',
  no_traffic: `Your account sent no messages like these in the last ${SUGGESTION_DAYS} days. Enter a limit yourself.`,
} as const;

const SUBJECTS: Partial<Record<LimitType, string>> = {
  messages_per_sender: 'one sender sent',
  messages_per_key: 'one API key sent',
  spend_per_key: 'one API key spent',
  spend_per_user: 'one user spent',
  spend_per_campaign: 'one campaign cost',
  spend: 'you spent',
};

export function suggestionText({ type, interval, suggestion }: Shown): string {
  const { suggested, highest, highest_date, until_date, reason, currency, days } = suggestion;
  if (suggested === null || highest === null)
    return reason === 'no_traffic' && until_date === null ? NOT_COUNTED : REASONS[reason ?? 'no_traffic'];
  const format = (amount: number) =>
    countsSpend(type) ? formatMoney(amount, currency) : formatCount(amount, 'message');
  const subject = SUBJECTS[type] ?? 'you sent';
  const per = highest_date && `at most ${format(highest)} per ${interval} (${highest_date.slice(0, 16)} UTC)`;
  const total = `${format(Math.round(highest / 2))}, which is ${format(highest)} in 30 days`;
  const most = `In the last ${days} days, ${subject} ${per ?? total}.`;
  const times = FACTORS[suggestion.risk?.level ?? 'low'];
  return `${most} The suggestion of ${format(suggested)} is ${times} that, rounded up.${riskText(suggestion)}`;
}

const FACTORS: Readonly<Record<keyof typeof SUGGESTION_FACTORS, string>> = {
  low: 'twice',
  elevated: `${SUGGESTION_FACTORS.elevated} times`,
  high: `${SUGGESTION_FACTORS.high} times`,
};

function riskText({ risk, days }: LimitSuggestion): string {
  if (!risk || risk.level === 'low') return '';
  const { level, country, cost_times, delivered } = risk;
  const cost = cost_times === null ? '' : `, and a message there costs ${cost_times.toFixed(1)} times your average`;
  const share = `${Math.round(delivered * 100)}% of your messages to ${countryName(country)} were delivered`;
  return ` The risk of SMS pumping is ${level}: ${share} in the last ${days} days${cost}.`;
}
