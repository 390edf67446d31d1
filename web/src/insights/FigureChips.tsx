import type { ChartFigures, Charts } from '@parley/contract/insights/charts.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { messagesPath } from '../paths.ts';
import { formatNumber, formatPercent } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { type Stat, StatChips } from '../ui/data/StatChips.tsx';
import { formatChange } from './figures.ts';

type Counts = Pick<ChartFigures, 'sent' | 'delivered' | 'failed' | 'received' | 'spend_micros'> &
  Partial<Pick<ChartFigures, 'read'>>;

interface FigureChipsProps {
  label: string;
  /** Undefined while they load. */
  total: Counts | undefined;
  before: Counts | undefined;
  /** Shown unless undefined. Null while they load. */
  optOuts?: Charts['opt_outs'] | null;
  /** The days, and the channel if there is one, as filters of the log. */
  scope: Record<string, string> | undefined;
  mayMessages: boolean;
  mayMoney: boolean;
  currency: string;
}

/** The figures of a period with their change. Each links to the messages that it counts. */
export function FigureChips(props: FigureChipsProps) {
  return <StatChips label={props.label} stats={buildStats(props)} />;
}

function buildStats(props: FigureChipsProps): Stat[] {
  const { total, before, optOuts, scope, mayMessages, mayMoney, currency } = props;
  const count = (
    key: 'sent' | 'delivered' | 'read' | 'failed' | 'received',
    label: string,
    tone?: Stat['tone'],
  ): Stat => ({
    key,
    label,
    value: total && formatNumber(total[key]),
    href: scope && messagesPath({ ...FIGURES[key], ...scope }),
    ...(tone ? { tone } : {}),
    note:
      total && before
        ? [
            key === 'sent' || key === 'received' ? null : total.sent > 0 && formatPercent(total[key] ?? 0, total.sent),
            formatChange(total[key] ?? 0, before[key] ?? 0),
          ]
            .filter(Boolean)
            .join(' · ')
        : null,
  });
  const spend: Stat = {
    key: 'spend',
    label: 'Spend',
    value: total && <Money micros={total.spend_micros} currency={currency} />,
    href: scope && mayMessages ? messagesPath({ ...FIGURES.spend, ...scope }) : undefined,
    note: total && before ? formatChange(total.spend_micros ?? 0, before.spend_micros ?? 0) : null,
  };
  return [
    ...(mayMessages
      ? [
          count('sent', 'Messages sent'),
          count('delivered', MESSAGE_GROUPS.delivered.label, 'ok'),
          ...(total && total.read !== undefined ? [count('read', 'Read', 'ok')] : []),
          count('failed', MESSAGE_GROUPS.undelivered.label, 'fail'),
          count('received', 'Messages received'),
        ]
      : []),
    ...(optOuts === undefined
      ? []
      : [
          {
            key: 'opt_outs',
            label: 'Opted out',
            value: optOuts ? formatNumber(optOuts.total) : undefined,
            note: optOuts && formatChange(optOuts.total, optOuts.before),
            hint: 'Contacts who replied STOP, used an opt-out link, or opted out at the carrier',
          },
        ]),
    ...(mayMoney ? [spend] : []),
  ];
}
