/** The contact sync with a CRM, and the messages that the stages of its deals send. */
import { Button } from '@mantine/core';
import { CRM_LABELS, type CrmName } from '@parley/contract/crm/crm.ts';
import { type CrmSync, getCrmSync, startCrmSync } from '@parley/contract/crm/sync.ts';
import { useAction, useEndpoint } from '../../../kernel/http/query.ts';
import { RecordPage } from '../../../kernel/record/RecordPage.tsx';
import { INTEGRATIONS } from '../../../paths.ts';
import { DateTime } from '../../../ui/data/DateTime.tsx';
import { formatNumber } from '../../../ui/data/format.ts';
import { StatusBadge } from '../../../ui/data/StatusBadge.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { toast } from '../../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../../ui/form/FormParts.tsx';
import { Back } from '../../../ui/layout/Back.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Section } from '../../Section.tsx';
import settings from '../../Settings.module.css';
import { ErrorsPart } from './ErrorsPart.tsx';
import styles from './Sync.module.css';
import { SyncForm } from './SyncForm.tsx';
import { TriggersPart } from './TriggersPart.tsx';

export default function SyncPage({ provider }: { provider: CrmName }) {
  const query = useEndpoint(getCrmSync, { params: { provider } }, { refetchInterval: 5_000 });
  const label = CRM_LABELS[provider];
  return (
    <RecordPage
      query={query}
      noun="connection"
      back={<Back to={INTEGRATIONS}>Integrations</Back>}
      list={{ to: INTEGRATIONS, label: 'Integrations' }}
    >
      {(sync) => (
        <>
          <PageHeader
            title={`${label} sync`}
            description={`Contacts and opt-outs shared with ${label}, and messages sent when deals change stage.`}
          />
          <Section title="State" description="Changes arrive within a minute. A full comparison runs once a week.">
            <State sync={sync} label={label} />
          </Section>
          {sync.failed_count > 0 && (
            <Section title="Not synced" description="Correct these records, then retry.">
              <ErrorsPart sync={sync} />
            </Section>
          )}
          <Section
            title="Contacts"
            description="Which fields are copied, in which direction, and which side wins a conflict."
          >
            <SyncForm key={sync.provider} sync={sync} label={label} />
          </Section>
          <Section
            title="Messages from deals"
            description="Send a deal’s person a template when the deal enters a stage."
          >
            <TriggersPart provider={provider} label={label} />
          </Section>
        </>
      )}
    </RecordPage>
  );
}

function State({ sync, label }: { sync: CrmSync; label: string }) {
  const start = useAction(startCrmSync, { onSuccess: () => toast.success('A full sync has started') });
  const isRunning = sync.is_on && sync.stage !== 'idle';
  return (
    <div className={settings.state}>
      <div className={settings.stateHead}>
        <span>{describe(sync, label)}</span>
        <Badge sync={sync} />
      </div>
      {sync.is_on && sync.last_error && <Notice tone="fail">{sync.last_error}</Notice>}
      <dl className={styles.figures}>
        <div>
          <dt>Synced people</dt>
          <dd>{formatNumber(sync.linked_count)}</dd>
        </div>
        <div>
          <dt>Waiting</dt>
          <dd>{formatNumber(sync.waiting_count)}</dd>
        </div>
        <div>
          <dt>Not synced</dt>
          <dd>{formatNumber(sync.failed_count)}</dd>
        </div>
        <div>
          <dt>Last sync</dt>
          <dd>{sync.sync_date ? <DateTime value={sync.sync_date} /> : 'never'}</dd>
        </div>
      </dl>
      {sync.is_on && (
        <Buttons>
          <Button
            variant="default"
            disabled={isRunning}
            loading={start.isPending}
            onClick={() => start.mutate({ params: { provider: sync.provider } })}
          >
            Compare everything now
          </Button>
        </Buttons>
      )}
    </div>
  );
}

function Badge({ sync }: { sync: CrmSync }) {
  if (!sync.is_on) return <StatusBadge label="Off" tone="off" icon="paused" />;
  if (sync.last_error) return <StatusBadge label="Waiting" tone="wait" icon="clock" />;
  return <StatusBadge label="On" tone="ok" icon="check" />;
}

function describe({ is_on, stage, processed_count, full_date }: CrmSync, label: string): string {
  if (!is_on) return 'The contact sync is off.';
  if (stage === 'records') return `Reading people from ${label}: ${formatNumber(processed_count)} so far.`;
  if (stage === 'contacts') return `Comparing contacts: ${formatNumber(processed_count)} so far.`;
  return full_date ? 'Everything is synced.' : 'The first sync starts in a moment.';
}
