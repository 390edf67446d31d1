/** The results of an A/B test by variant, and the choice of the winner. */
import { Button } from '@mantine/core';
import { chooseWinner, type VariantResults } from '@parley/contract/campaigns/ab_tests.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { getCampaignResults } from '@parley/contract/campaigns/results.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber, formatPercent } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import styles from '../Campaigns.module.css';

const COLUMNS: [keyof VariantResults & ('delivered' | 'read' | 'clicked' | 'replied' | 'opt_outs'), string][] = [
  ['delivered', 'Delivered'],
  ['read', 'Read'],
  ['clicked', 'Clicked'],
  ['replied', 'Replied'],
  ['opt_outs', 'Opt-outs'],
];
const ACTIVE: readonly Campaign['status'][] = ['in_progress', 'paused'];

export default function TestResults({ campaign }: { campaign: Campaign }) {
  const { id, test_state, status } = campaign;
  const query = useEndpoint(getCampaignResults, { params: { id } });
  const choose = useAction(chooseWinner, { invalidates: ['campaigns', 'campaign_results'] });
  const variants = query.data?.data.variants ?? [];
  if (!test_state || variants.length === 0) return null;
  const isOpen = test_state.winner === null && ACTIVE.includes(status);
  const pick = async ({ variant }: VariantResults) => {
    const confirmed = await confirm({
      title: `Send variant ${variant} to the rest?`,
      consequence: 'The recipients outside the test get this variant. You cannot change this afterward.',
      action: `Send variant ${variant}`,
    });
    if (confirmed) choose.mutate({ params: { id }, body: { variant } });
  };
  return (
    <section className={`${styles.forecast} ${styles.part}`} aria-label="A/B test">
      <h2>A/B test</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table */}
      <section className={styles.forecastBox} aria-label="A/B test, table" tabIndex={0}>
        <table className={styles.forecastTable}>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              <th scope="col">Recipients</th>
              {COLUMNS.map(([key, label]) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
              {isOpen && <th scope="col">Winner</th>}
            </tr>
          </thead>
          <tbody>
            {variants.map((row) => (
              <tr key={row.variant}>
                <th scope="row">
                  {row.variant}
                  {test_state.winner === row.variant && ' (winner)'}
                  <bdi className={styles.variantText}>{row.text}</bdi>
                </th>
                <td>{formatNumber(row.messages)}</td>
                {COLUMNS.map(([key]) => (
                  <td key={key}>
                    {formatNumber(row[key])}
                    {row.messages > 0 && row[key] > 0 && ` (${formatPercent(row[key], row.messages)})`}
                  </td>
                ))}
                {isOpen && (
                  <td>
                    <Allow needs={chooseWinner.needs}>
                      <Button size="compact-xs" variant="default" onClick={() => void pick(row)}>
                        Choose {row.variant}
                      </Button>
                    </Allow>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.forecastNote}>
        <State campaign={campaign} />
      </p>
    </section>
  );
}

function State({ campaign: { test_state, status } }: { campaign: Campaign }) {
  if (!test_state) return null;
  const { winner, end_date, recipients } = test_state;
  if (winner) return <>Recipients outside the test get variant {winner}.</>;
  if (!ACTIVE.includes(status)) return <>The campaign ended without a winner.</>;
  if (test_state.status === 'choosing') return <>The test has ended. Choose the variant for the rest.</>;
  if (end_date)
    return (
      <>
        The test ends at <DateTime value={end_date} />. Then the winner is sent to the rest.
      </>
    );
  return <>The variants are sent to {formatCount(recipients, 'recipient')} first.</>;
}
