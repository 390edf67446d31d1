import { MultiSelect, NumberInput, Switch, TagsInput } from '@mantine/core';
import { type CreditAlert, getCreditAlert, saveCreditAlert } from '@parley/contract/billing/low_balance.ts';
import { getAnomalyAlerts } from '@parley/contract/insights/anomalies.ts';
import { Link } from '@tanstack/react-router';
import { AnomalyAlertsForm } from '../../insights/anomalies/AnomalyAlertsForm.tsx';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { INSIGHTS, linkTo } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { SettingsLayout } from '../SettingsLayout.tsx';

const MICROS = 1_000_000;
const LEVELS = ['first', 'second', 'third'] as const;
const LABELS = { first: 'First amount', second: 'Second amount', third: 'Third amount' };

export default function AlertsPage() {
  const { account } = useSession();
  const query = useEndpoint(getCreditAlert, { params: { id: account.id } });
  const anomalies = useEndpoint(getAnomalyAlerts);
  return (
    <SettingsLayout title="Alerts" description="Alerts about a low balance and unusual traffic.">
      <RecordPage query={query} noun="alert">
        {(alert) => <AlertForm alert={alert} />}
      </RecordPage>
      <Section
        title="Anomalies"
        anchor="anomalies"
        description={
          <>
            Each hour of traffic to a country is compared with the same hour of the previous six weeks.{' '}
            <Link {...linkTo(INSIGHTS, { tab: 'anomalies' })}>View anomalies</Link>
          </>
        }
      >
        <RecordPage query={anomalies} noun="anomaly alerts">
          {(alerts) => <AnomalyAlertsForm alerts={alerts} />}
        </RecordPage>
      </Section>
    </SettingsLayout>
  );
}

interface Values extends Record<string, unknown> {
  enabled: boolean;
  first: number | string;
  second: number | string;
  third: number | string;
  emails: string[];
  phone_user_ids: string[];
}

const toBody = ({ enabled, emails, phone_user_ids, ...levels }: Values) => ({
  ...{ enabled, emails, phone_user_ids },
  thresholds_micros: LEVELS.map((level) => levels[level])
    .filter((amount) => amount !== '')
    .map((amount) => Math.round(Number(amount) * MICROS)),
});

function AlertForm({ alert }: { alert: CreditAlert }) {
  const { account, user } = useSession();
  const [first = '', second = '', third = ''] = alert.thresholds_micros.map((micros) => micros / MICROS);
  const initial: Values = {
    enabled: alert.enabled,
    first,
    second,
    third,
    emails: alert.emails.length > 0 ? alert.emails : [user.email],
    phone_user_ids: alert.phone_user_ids,
  };
  const { form, bind, saveBar } = useContractForm(saveCreditAlert, {
    initial,
    draft: useSavedDraft('alerts', initial),
    body: toBody,
    input: (values) => ({ params: { id: account.id }, body: toBody(values) }),
    check: (values) => ({ first: values.first === '' ? 'Enter an amount' : null }),
    labels: { ...LABELS, emails: 'Email addresses', phone_user_ids: 'Text messages to' },
    onDone: () => toast.success('Alert saved'),
  });
  return (
    <Section title="Low balance" description="You get an alert each time the balance falls below one of these amounts.">
      <Form {...bind} className={styles.form} aria-label="Low balance">
        <Field form={form} name="enabled" as={Switch} type="checkbox" label="Send an alert when the balance is low" />
        {LEVELS.map((level) => (
          <Field
            key={level}
            form={form}
            name={level}
            as={NumberInput}
            label={`${LABELS[level]} (${account.currency})`}
            min={0}
            decimalScale={2}
            thousandSeparator=","
            hideControls
          />
        ))}
        <Field
          form={form}
          name="emails"
          as={TagsInput}
          label="Email addresses"
          description="Press Enter after each address."
          maxTags={10}
        />
        <Field
          form={form}
          name="phone_user_ids"
          as={MultiSelect}
          label="Text messages to"
          description="Users with a confirmed phone number. They get at most one message per hour, at no charge."
          placeholder={alert.phone_users.length === 0 ? 'No user has a confirmed phone number' : undefined}
          data={alert.phone_users.map(({ id, full_name, phone_ending }) => ({
            value: id,
            label: `${full_name} (number ending in ${phone_ending})`,
          }))}
          maxValues={10}
          searchable
          hidePickedOptions
        />
        <SaveBar {...saveBar} save="Save alert" />
      </Form>
    </Section>
  );
}
