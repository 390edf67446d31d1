import {
  getShortUrl,
  getShortUrlStat,
  type ShortUrl,
  type ShortUrlStat,
  updateShortUrl,
} from '@parley/contract/links/links.ts';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { LINKS } from '../paths.ts';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatChips } from '../ui/data/StatChips.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Form } from '../ui/form/Form.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { LinkFields, linkBody, linkValues } from './LinkFields.tsx';
import styles from './Links.module.css';
import { clickCountry, deviceLabel, linkState, linkTitle, referrerLabel } from './words.ts';

// Contains the QR encoder.
const LinkCode = lazyPart(() => import('./LinkCode.tsx'));

export default function LinkPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getShortUrl, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="link"
      list={{ to: LINKS, label: 'Link management' }}
      back={<Back to={LINKS}>Link management</Back>}
    >
      {(link) => <LinkDetails key={link.id} link={link} />}
    </RecordPage>
  );
}

function LinkDetails({ link }: { link: ShortUrl }) {
  const { data } = useEndpoint(getShortUrlStat, { query: { filter: { id: link.id } } });
  const stat = data?.data;
  return (
    <>
      <PageHeader title={linkTitle(link)} description={link.url} badge={<StatusBadge {...linkState(link)} />} />
      <div className={styles.page}>
        <StatChips
          label="Clicks"
          stats={[
            { key: 'clicks', label: 'Clicks', value: formatNumber(link.clicks) },
            { key: 'people', label: 'People', value: formatNumber(link.unique_clicks) },
            { key: 'bots', label: 'Bots and previews', value: formatNumber(link.bot_clicks) },
            ...(link.short_url === null
              ? [{ key: 'recipients', label: 'Recipients', value: formatNumber(link.recipients) }]
              : []),
            {
              key: 'first',
              label: 'First click',
              value: link.first_click_date ? <DateTime value={link.first_click_date} /> : '\u2013',
            },
          ]}
        />
        {link.short_url !== null && (
          <section className={styles.code} aria-label="Short URL">
            <Suspense>
              <LinkCode url={link.short_url} />
            </Suspense>
          </section>
        )}
        <ClickChart stat={stat} />
        {stat && stat.clicks > 0 && <Shares stat={stat} hasRecipients={link.short_url === null} />}
        <EditForm link={link} />
      </div>
    </>
  );
}

const ClickChart = ({ stat }: { stat: ShortUrlStat | undefined }) => (
  <Chart
    title="Clicks by day"
    kind="bar"
    rows={stat?.days}
    x={{ key: 'date', label: 'Day' }}
    series={[
      { key: 'clicks', label: 'Clicks', color: 'var(--accent)' },
      { key: 'bot_clicks', label: 'Bots and previews', color: 'var(--flight-mark)' },
    ]}
    file="clicks"
    empty={<EmptyState title="No clicks yet">Clicks appear here as soon as someone opens the link.</EmptyState>}
  />
);

const Shares = ({ stat, hasRecipients }: { stat: ShortUrlStat; hasRecipients: boolean }) => (
  <div className={styles.shares}>
    <ShareList title="Device" rows={stat.devices} label={deviceLabel} />
    <ShareList title="Referrer" rows={stat.referrers} label={referrerLabel} />
    <ShareList
      title="Recipient’s country"
      rows={hasRecipients ? stat.countries : []}
      label={clickCountry}
      note={hasRecipients ? 'Based on the recipient’s number.' : 'Not available: IP addresses are not geolocated.'}
    />
  </div>
);

interface ShareListProps {
  title: string;
  rows: ShortUrlStat['devices'];
  label: (name: string) => string;
  note?: string;
}

const ShareList = ({ title, rows, label, note }: ShareListProps) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {rows.map(({ name, clicks }) => (
      <div key={name} className={styles.row}>
        <span className={styles.cut}>{label(name)}</span>
        <span>{formatNumber(clicks)}</span>
      </div>
    ))}
    {note && <p className={styles.note}>{note}</p>}
  </section>
);

function EditForm({ link }: { link: ShortUrl }) {
  const zone = useZone();
  const reason = useReason(updateShortUrl.needs);
  const isFixed = link.source === 'message' || link.source === 'campaign';
  const { form, bind, saveBar } = useContractForm(updateShortUrl, {
    initial: linkValues(link, zone),
    body: (values) => linkBody(values, zone),
    input: (values) => ({ params: { id: link.id }, body: linkBody(values, zone) }),
    onDone: () => toast.success('Link saved'),
  });
  return (
    <Form {...bind} className={styles.form} aria-label="Edit link">
      <h2 className={styles.heading}>Settings</h2>
      <LinkFields form={form} isFixed={isFixed} hasPassword={link.has_password} />
      <SaveBar {...saveBar} save="Save link" reason={reason} />
    </Form>
  );
}
