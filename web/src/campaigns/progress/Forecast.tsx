import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
import { formatMoney, formatNumber } from '../../ui/data/format.ts';
import { countryName } from '../../ui/form/countries.ts';
import styles from '../Campaigns.module.css';
import { explainDifference } from './difference.ts';

/** Compares the expected cost of the campaign with its actual cost, by country. */
export function Forecast({ campaign, results }: { campaign: Campaign; results: CampaignResults }) {
  const { forecast, actual, currency } = results;
  if (!forecast || forecast.total_micros === null) return null;
  const codes = [...new Set([...forecast.countries, ...actual].map(({ country }) => country))];
  const rows = codes.map((country) => ({
    country,
    expected: forecast.countries.find((row) => row.country === country),
    counted: actual.find((row) => row.country === country),
  }));
  const sum = (of: (row: (typeof rows)[number]) => number | null | undefined) =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  const money = (micros: number) => formatMoney(micros, currency);
  return (
    <section className={styles.forecast}>
      <h2>Forecast and actual cost</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table */}
      <section className={styles.forecastBox} aria-label="Forecast and actual cost, table" tabIndex={0}>
        <table className={styles.forecastTable}>
          <thead>
            <tr>
              <th scope="col">Country</th>
              <th scope="col">Expected recipients</th>
              <th scope="col">Recipients</th>
              <th scope="col">Forecast</th>
              <th scope="col">Actual</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ country, expected, counted }) => (
              <tr key={country}>
                <th scope="row">{countryName(country)}</th>
                <td>{formatNumber(expected?.recipients ?? 0)}</td>
                <td>{formatNumber(counted?.recipients ?? 0)}</td>
                <td>{money(expected?.cost_micros ?? 0)}</td>
                <td>{money(counted?.cost_micros ?? 0)}</td>
                <td>{money((counted?.cost_micros ?? 0) - (expected?.cost_micros ?? 0))}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td>{formatNumber(forecast.will_receive)}</td>
              <td>{formatNumber(sum(({ counted }) => counted?.recipients))}</td>
              <td>{money(forecast.total_micros)}</td>
              <td>{money(sum(({ counted }) => counted?.cost_micros))}</td>
              <td>{money(sum(({ counted }) => counted?.cost_micros) - forecast.total_micros)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <ul className={styles.forecastNote}>
        {explainDifference(campaign, results).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
