import { getBalance } from '@parley/contract/billing/billing.ts';
import { getAutoTopUp } from '@parley/contract/billing/low_balance.ts';
import { type BalanceForecast, FORECAST_DAYS, getBalanceForecast } from '@parley/contract/insights/balance_forecast.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { AUTO_TOP_UP, messagesPath, PAYMENTS } from '../paths.ts';
import { formatMoney } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { type Stat, StatChips } from '../ui/data/StatChips.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Billing.module.css';
import { BillingLayout } from './BillingLayout.tsx';
import { CardsPart } from './CardsPart.tsx';
import { LedgerPart } from './ledger/LedgerPart.tsx';
import { PaymentChoices } from './PaymentChoices.tsx';

const MICROS = 1_000_000;

/** The balance, the saved cards, and the ledger. */
export default function BillingPage() {
  const { account } = useSession();
  const reason = useReason(getBalance.needs);
  const isAllowed = reason === null;
  const mayMessages = useReason('MESSAGES:view') === null;
  const balance = useEndpoint(getBalance, { params: { id: account.id } }, { enabled: isAllowed }).data?.data;
  const auto = useEndpoint(getAutoTopUp, { params: { id: account.id } }, { enabled: isAllowed }).data?.data;
  const forecast = useEndpoint(getBalanceForecast, { params: { id: account.id } }, { enabled: isAllowed }).data?.data;
  const currency = balance?.currency ?? account.currency;
  const money = (micros: number | undefined) =>
    micros === undefined ? undefined : <Money micros={micros} currency={currency} />;
  return (
    <BillingLayout title="Billing" description="Your balance, saved cards, and all transactions.">
      {isAllowed ? (
        <>
          {auto !== undefined && auto.stop_reason !== null && (
            <Notice tone="fail" className={styles.notice}>
              Auto top-up has stopped. <Link to={AUTO_TOP_UP}>See why</Link>.
            </Notice>
          )}
          {balance !== undefined && balance.frozen_micros > 0 && (
            <Notice tone="wait" className={styles.notice}>
              A payment is in review. Its amount is frozen until the review ends.
            </Notice>
          )}
          <StatChips
            label="Balance"
            stats={[
              { key: 'available', label: 'Available', value: money(balance?.available_micros) },
              {
                key: 'held',
                label: 'Reserved',
                value: money(balance?.held_micros),
                href: mayMessages ? messagesPath(FIGURES.reserved) : undefined,
              },
              {
                key: 'frozen',
                label: 'Frozen',
                value: money(balance?.frozen_micros),
                href: `${PAYMENTS}?statuses=FROZEN`,
              },
              {
                key: 'limit',
                label: 'Credit limit',
                value: money(balance && Math.round(balance.configuration.credit_limit * MICROS)),
              },
              { key: 'days', label: 'Days left', ...describeForecast(forecast) },
            ]}
          />
          <CardsPart />
          <LedgerPart />
          <PaymentChoices />
        </>
      ) : (
        <p className={styles.dim}>{reason}</p>
      )}
    </BillingLayout>
  );
}

/** Based on the average of the last days. The exact number matters only near the end. */
function describeForecast(forecast: BalanceForecast | undefined): Pick<Stat, 'value' | 'hint'> {
  if (!forecast) return { value: undefined };
  const { days_left, spend_per_day_micros, currency } = forecast;
  if (days_left === null) return { value: '–', hint: `No messages in the last ${FORECAST_DAYS} days` };
  const value = days_left < 1 ? 'Less than 1' : days_left > 365 ? 'More than 365' : `About ${Math.floor(days_left)}`;
  const pace = formatMoney(spend_per_day_micros, currency);
  return { value, hint: `At ${pace} per day, the average spend on messages in the last ${FORECAST_DAYS} days` };
}
