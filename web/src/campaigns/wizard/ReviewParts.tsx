/** The parts of the review before sending: recipients, cost by country, blockers, and warnings. */
import type { CampaignPreview, PreviewFinding } from '@parley/contract/campaigns/previews.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import { formatCount, formatMoney, formatNumber } from '../../ui/data/format.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import { FixLink } from '../FixLink.tsx';
import { type Draft, freeText } from './draft.ts';
import styles from './Wizard.module.css';

/** `preview` is undefined while the recipients are being counted. */
export function previewStats(preview: CampaignPreview | undefined): Stat[] {
  if (!preview) return [{ key: 'will', label: 'Will receive', value: undefined, tone: 'ok' }];
  const {
    will_receive,
    stop_list,
    no_route,
    no_price,
    too_long,
    no_text,
    no_value,
    country,
    country_blocked,
    duplicate,
    excluded: excluded_count,
    no_window,
    missed,
    frequency_cap,
    landline,
    not_in_use,
    no_session,
  } = preview.counts;
  const excluded: [string, string, number][] = [
    ['stop_list', 'On the stop list', stop_list],
    ['excluded', 'In an excluded audience', excluded_count],
    ['duplicate', 'In several audiences', duplicate],
    ['no_route', 'No route', no_route],
    ['no_price', 'No price', no_price],
    ['too_long', 'Over 10 segments', too_long],
    ['no_text', 'Empty message', no_text],
    ['no_value', 'No value for a variable', no_value],
    ['country', 'Outside the targeted countries', country],
    ['country_blocked', 'In blocked countries', country_blocked],
    ['frequency_cap', 'Frequency cap reached', frequency_cap],
    ['no_window', 'Only quiet hours', no_window],
    ['missed', 'Local time has passed', missed],
    ['landline', 'Landline', landline],
    ['not_in_use', 'Number not in use', not_in_use],
    ['no_session', 'No message in 24 hours', no_session],
  ];
  return [
    { key: 'will', label: 'Will receive', value: formatNumber(will_receive), tone: 'ok' },
    ...excluded
      .filter(([key, , count]) => count > 0 || key === 'stop_list')
      .map(([key, label, count]) => ({ key, label, value: formatNumber(count), tone: 'off' as const })),
  ];
}

export function Findings({
  kind,
  findings,
  onStep,
}: {
  kind: 'blocker' | 'warning';
  findings: readonly PreviewFinding[];
  onStep: (step: string) => void;
}) {
  if (findings.length === 0) return null;
  const Icon = kind === 'blocker' ? IconBan : IconAlertTriangle;
  return (
    <section className={styles.findings} data-kind={kind} aria-label={kind === 'blocker' ? 'Blockers' : 'Warnings'}>
      <h3>{kind === 'blocker' ? 'Fix before sending' : 'Good to know'}</h3>
      <ul>
        {findings.map((finding) => (
          <li key={finding.code + finding.message}>
            <Icon size={15} aria-hidden />
            <span>{finding.message}.</span>
            <FixLink fix={finding.fix} onStep={onStep} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code);

export function RecipientCounts({ preview }: { preview: CampaignPreview | undefined }) {
  return (
    <section className={styles.block}>
      <h3>Recipients</h3>
      <StatChips label="Recipients" stats={previewStats(preview)} />
    </section>
  );
}

/** States who gets the free text, and what the others get. */
export function SessionSplit({ preview, draft }: { preview: CampaignPreview | undefined; draft: Draft }) {
  if (freeText(draft) === null || draft.when !== 'auto') return null;
  const others = draft.template_id
    ? 'Everyone else gets the template.'
    : draft.fallbacks.length > 0
      ? 'Everyone else gets the fallback.'
      : 'Everyone else is skipped.';
  const open = preview?.open_sessions;
  const now =
    preview && open != null && preview.counts.total > 0
      ? ` At the moment, that is ${formatNumber(open)} of ${formatCount(preview.counts.total, 'contact')}.`
      : '';
  return (
    <section className={styles.block}>
      <h3>Message</h3>
      <p className={styles.split}>
        People who messaged you in the last 24 hours get your free text.{now} {others} This is decided for each person
        when their message is sent.
      </p>
    </section>
  );
}

export function Cost({
  channel,
  preview,
  total,
}: {
  channel: ChannelName;
  preview: CampaignPreview;
  /** The label of the total. */
  total: string;
}) {
  const { counts, charged_at } = channelRules(channel);
  const isSegmented = counts === 'segments';
  const { cost, currency, total_micros, available_micros, lookups } = preview;
  if (cost.length === 0 || total_micros === null) return null;
  const price = (low: number | null, high: number | null) =>
    low === high
      ? formatMoney(low, currency, { exact: true })
      : `${formatMoney(low, currency, { exact: true })} to ${formatMoney(high, currency, { exact: true })}`;
  return (
    <section className={styles.block}>
      <h3>Cost</h3>
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Country</th>
              <th scope="col">Recipients</th>
              {isSegmented && <th scope="col">Segments</th>}
              <th scope="col" className={styles.wide}>
                {isSegmented ? 'Per segment' : 'Per message'}
              </th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {cost.map((row) => (
              <tr key={row.country}>
                <th scope="row">{countryName(row.country)}</th>
                <td>{formatNumber(row.recipients)}</td>
                {isSegmented && <td>{formatNumber(row.segments)}</td>}
                <td className={styles.wide}>{price(row.price_micros, row.price_max_micros)}</td>
                <td>{formatMoney(row.cost_micros, currency)}</td>
              </tr>
            ))}
            {lookups && lookups.numbers > 0 && (
              <tr>
                <th scope="row">Carrier lookups</th>
                <td>{formatNumber(lookups.numbers)}</td>
                {isSegmented && <td />}
                <td className={styles.wide}>{price(lookups.price_micros, lookups.price_micros)}</td>
                <td>{formatMoney(lookups.cost_micros, currency)}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{total}</th>
              <td>{formatNumber(preview.counts.will_receive)}</td>
              {isSegmented && <td>{formatNumber(preview.segments.total)}</td>}
              <td className={styles.wide} />
              <td>{formatMoney(total_micros + (lookups?.cost_micros ?? 0), currency)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={styles.hint}>
        {available_micros !== null && `${formatMoney(available_micros, currency)} is available. `}
        {lookups && lookups.numbers > 0 && 'You are charged for numbers that the lookup finds. '}
        {charged_at === 'sent'
          ? 'You are charged as carriers accept messages. You are not charged for messages that fail before that.'
          : 'You are charged for delivered messages only.'}
      </p>
    </section>
  );
}
