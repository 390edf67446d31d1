import { Button } from '@mantine/core';
import {
  getOptInForm,
  getOptInFormStat,
  type OptInForm,
  updateOptInForm,
} from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useContactFields } from '../audiences/people/contact_fields.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { audiencePath, OPT_IN_FORMS } from '../paths.ts';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatChips } from '../ui/data/StatChips.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Form } from '../ui/form/Form.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { FormFields } from './FormFields.tsx';
import { storedValues, toSettings } from './form_values.ts';
import styles from './OptIn.module.css';
import { pageFieldLabel } from './PageFields.tsx';
import { formState, frameSnippet, htmlSnippet } from './words.ts';

// Contains the QR encoder.
const LinkCode = lazyPart(() => import('../links/LinkCode.tsx'));

export default function OptInFormPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getOptInForm, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="opt-in form"
      list={{ to: OPT_IN_FORMS, label: 'Opt-in forms' }}
      back={<Back to={OPT_IN_FORMS}>Opt-in forms</Back>}
    >
      {(form) => <FormDetails key={form.id} form={form} />}
    </RecordPage>
  );
}

const share = (part: number, whole: number): string | undefined =>
  whole === 0 ? undefined : `${Math.round((part / whole) * 100)}%`;

function FormDetails({ form }: { form: OptInForm }) {
  const own = useContactFields();
  return (
    <>
      <FormHeader form={form} />
      <div className={styles.page}>
        {form.last_refusal !== '' && (
          <Notice tone="wait">
            {formatNumber(form.refused)} {form.refused === 1 ? 'code was' : 'codes were'} not sent. The last one{' '}
            {form.last_refusal_date && <DateTime value={form.last_refusal_date} />}: {form.last_refusal}
          </Notice>
        )}
        <StatChips
          label="Figures"
          stats={[
            { key: 'views', label: 'Views', value: formatNumber(form.views), hint: 'Excludes bots and link previews.' },
            {
              key: 'started',
              label: 'Started',
              value: formatNumber(form.started),
              note: share(form.started, form.views),
              hint: 'How often people entered a number.',
            },
            {
              key: 'confirmed',
              label: 'Confirmed',
              value: formatNumber(form.confirmed),
              note: share(form.confirmed, form.started),
              href: audiencePath(form.audience_id),
            },
          ]}
        />
        <section className={styles.part} aria-label="Address">
          <div className={styles.code}>
            <Suspense>
              <LinkCode url={form.url} noun="address" title="Address" />
            </Suspense>
          </div>
        </section>
        <FormChart id={form.id} />
        <section className={styles.part}>
          <h2>Add it to your website</h2>
          <h3>In a frame</h3>
          {form.origins.length === 0 && (
            <p className={styles.note}>First add your website under Allowed websites below.</p>
          )}
          <CodeBlock label="frame" code={frameSnippet(form)} />
          <h3>As an HTML form</h3>
          <p className={styles.note}>No script needed. People enter the code on the form’s own page.</p>
          <CodeBlock label="HTML form" code={htmlSnippet(form, (key) => pageFieldLabel(own, key))} />
        </section>
        <EditForm form={form} />
      </div>
    </>
  );
}

function FormHeader({ form }: { form: OptInForm }) {
  const reason = useReason(updateOptInForm.needs);
  const update = useAction(updateOptInForm);
  const isActive = form.status === 'active';
  const toggle = () => update.mutate({ params: { id: form.id }, body: { status: isActive ? 'paused' : 'active' } });
  return (
    <PageHeader
      title={form.name}
      description={`People join ${form.audience_name}.`}
      badge={<StatusBadge {...formState(form)} />}
      secondary={
        <Disabled reason={reason}>
          <Button variant="default" onClick={toggle} loading={update.isPending}>
            {isActive ? 'Pause form' : 'Resume form'}
          </Button>
        </Disabled>
      }
      action={
        <Button
          component="a"
          href={form.url}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open page
        </Button>
      }
    />
  );
}

function FormChart({ id }: { id: string }) {
  const { data, error, refetch } = useEndpoint(getOptInFormStat, { params: { id } });
  if (error && !data)
    return (
      <ErrorState title="The figures of the last 30 days could not be loaded" onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    );
  return (
    <Chart
      title="Last 30 days"
      kind="bar"
      rows={data?.data.days}
      x={{ key: 'date', label: 'Day' }}
      series={[
        { key: 'views', label: 'Views', color: 'var(--off-mark)' },
        { key: 'started', label: 'Started', color: 'var(--flight-mark)' },
        { key: 'confirmed', label: 'Confirmed', color: 'var(--accent)' },
      ]}
      file="opt-in-form"
      empty={<EmptyState title="No views yet">Share the address or the QR code.</EmptyState>}
    />
  );
}

function EditForm({ form: stored }: { form: OptInForm }) {
  const { account } = useSession();
  const reason = useReason(updateOptInForm.needs);
  const { form, bind, saveBar } = useContractForm(updateOptInForm, {
    initial: storedValues(stored),
    body: toSettings,
    input: (values) => ({ params: { id: stored.id }, body: toSettings(values) }),
    labels: { sender_id: 'Sender' },
    onDone: () => toast.success('Opt-in form saved'),
  });
  return (
    <Form {...bind} className={styles.form} aria-label="Edit opt-in form">
      <FormFields
        form={form}
        company={account.company_name ?? ''}
        sender={{ value: stored.sender_id, label: stored.sender_name }}
      />
      <SaveBar {...saveBar} save="Save form" reason={reason} />
    </Form>
  );
}
