import { getStatement, KIND_TITLES, type Statement } from '@parley/contract/billing/statements.ts';
import { Fragment } from 'react';
import { channelLabel } from '../channels/index.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { formatCount, formatMoney, formatNumber } from '../ui/data/format.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { countryName } from '../ui/form/countries.ts';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import styles from './Billing.module.css';
import { monthLabel, statementQuery } from './statements.ts';

interface StatementPanelProps {
  month: string | null;
  account_id: string;
  onClose: () => void;
}

/** The movements of a month by kind, with exact amounts that add up. */
export function StatementPanel({ month, account_id, onClose }: StatementPanelProps) {
  const query = useEndpoint(
    getStatement,
    { params: { month: month ?? '' }, query: statementQuery(account_id) },
    { enabled: month !== null },
  );
  const statement = query.data?.data;
  return (
    <SidePanel
      open={month !== null}
      onClose={onClose}
      title={month === null ? 'Statement' : monthLabel(month)}
      description={statement?.company_name}
    >
      {statement ? (
        <>
          <Movements statement={statement} />
          <Volumes statement={statement} />
        </>
      ) : query.error ? (
        <ErrorState
          title="The statement could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={6} />
      )}
    </SidePanel>
  );
}

/** What counts in the volume prices of the month. */
function Volumes({ statement: { volumes, currency } }: { statement: Statement }) {
  if (volumes.length === 0) return null;
  return (
    <table className={styles.statement}>
      <caption className={styles.caption}>Counted for volume prices</caption>
      <tbody>
        {volumes.map(({ channel, country, mccmnc, network, purpose, units, steps }) => (
          <Fragment key={[channel, country, mccmnc, purpose].join(' ')}>
            <tr>
              <th scope="row">
                {[channelLabel(channel), countryName(country), network ?? mccmnc, purpose].filter(Boolean).join(', ')}
              </th>
              <td>{formatNumber(units)}</td>
            </tr>
            {steps.map((step) => (
              <tr key={step.above_units} className={styles.dim}>
                <th scope="row">{stepLabel(step, currency)}</th>
                <td>{formatNumber(step.units)}</td>
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** Such as "Above 10,000 at $0.038". */
const stepLabel = (
  { above_units, price_micros }: Statement['volumes'][number]['steps'][number],
  currency: Statement['currency'],
): string =>
  price_micros === null
    ? 'At the list price'
    : `Above ${formatNumber(above_units)} at ${formatMoney(price_micros, currency, { exact: true })}`;

function Movements({ statement }: { statement: Statement }) {
  const money = (micros: number, sign = '') => `${sign}${formatMoney(micros, statement.currency, { exact: true })}`;
  const { movements } = statement;
  return (
    <table className={styles.statement}>
      <tbody>
        <tr className={styles.sum}>
          <th scope="row">Opening balance</th>
          <td>{money(statement.opening_micros)}</td>
        </tr>
        {movements.map(({ kind, entries_count, amount_micros }) => (
          <tr key={kind}>
            <th scope="row">
              {KIND_TITLES[kind]} <span className={styles.dim}>{formatCount(entries_count, 'entry', 'entries')}</span>
            </th>
            <td>{money(amount_micros, amount_micros > 0 ? '+' : '')}</td>
          </tr>
        ))}
        {movements.length === 0 && (
          <tr>
            <th scope="row" className={styles.dim}>
              No activity this month
            </th>
            <td />
          </tr>
        )}
        <tr className={styles.sum}>
          <th scope="row">Closing balance</th>
          <td>{money(statement.closing_micros)}</td>
        </tr>
        <tr>
          <th scope="row">Available</th>
          <td>{money(statement.available_micros)}</td>
        </tr>
        <tr>
          <th scope="row">Reserved for messages</th>
          <td>{money(statement.held_micros)}</td>
        </tr>
        <tr>
          <th scope="row">In review</th>
          <td>{money(statement.frozen_micros)}</td>
        </tr>
      </tbody>
    </table>
  );
}
