/** The settings of anomaly alerts: what is compared, how much must differ, and who gets the alerts. */
import { Checkbox, Select, Switch, TagsInput } from '@mantine/core';
import {
  ANOMALY_METRICS,
  type AnomalyAlerts,
  type AnomalyMetric,
  METRIC_WORDS,
  SENSITIVITIES,
  type Sensitivity,
  saveAnomalyAlerts,
} from '@parley/contract/insights/anomalies.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Insights.module.css';

const SENSITIVITY_LABELS: Readonly<Record<Sensitivity, string>> = {
  low: 'Low: only extreme differences, such as a fifth of the usual volume',
  medium: 'Medium: large differences, such as a third of the usual volume',
  high: 'High: smaller differences too, such as half the usual volume',
};

interface Values extends Record<string, unknown> {
  enabled: boolean;
  metrics: AnomalyMetric[];
  sensitivity: Sensitivity;
  send_emails: boolean;
  emails: string[];
  notify_in_app: boolean;
}

export function AnomalyAlertsForm({ alerts, routes = false }: { alerts: AnomalyAlerts; routes?: boolean }) {
  const { account_id: _, ...initial } = alerts;
  const { form, bind, saveBar } = useContractForm(saveAnomalyAlerts, {
    initial: initial as Values,
    draft: useSavedDraft('anomaly_alerts', initial as Values),
    labels: {
      enabled: 'Alerts',
      metrics: 'Figures',
      sensitivity: 'Sensitivity',
      emails: 'Email addresses',
    },
    onDone: () => toast.success('Anomaly alerts saved'),
  });
  const shown = ANOMALY_METRICS.filter((metric) => !(routes && metric === 'spend'));
  return (
    <Form {...bind} className={styles.form} aria-label="Anomaly alerts">
      <Field form={form} name="enabled" as={Switch} type="checkbox" label="Turn on anomaly alerts" />
      <Field form={form} name="metrics" as={Checkbox.Group} label="Figures">
        {shown.map((metric) => (
          <Checkbox
            key={metric}
            value={metric}
            mt={8}
            label={METRIC_WORDS[metric].label}
            description={METRIC_WORDS[metric].description}
          />
        ))}
      </Field>
      <Field
        form={form}
        name="sensitivity"
        as={Select}
        label="Sensitivity"
        allowDeselect={false}
        data={SENSITIVITIES.map((value) => ({ value, label: SENSITIVITY_LABELS[value] }))}
      />
      <Field form={form} name="notify_in_app" as={Switch} type="checkbox" label="Show a notification in the app" />
      <Field form={form} name="send_emails" as={Switch} type="checkbox" label="Send emails" />
      <Field
        form={form}
        name="emails"
        as={TagsInput}
        label="Email addresses"
        description="Leave empty to email the owners. Press Enter after each address."
        maxTags={10}
      />
      <SaveBar {...saveBar} save="Save anomaly alerts" />
    </Form>
  );
}
