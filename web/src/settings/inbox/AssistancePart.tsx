/** Turns assistance by a language model on or off for the account. */
import { NativeSelect, NumberInput, Switch } from '@mantine/core';
import {
  type AssistanceSettings,
  getAssistanceSettings,
  RETENTION_DAYS,
  updateAssistanceSettings,
} from '@parley/contract/assistance/assistance.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { formatCount, formatMoney } from '../../ui/data/format.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const MICROS = 1_000_000;

export function AssistancePart() {
  const query = useEndpoint(getAssistanceSettings);
  if (query.error)
    return (
      <ErrorState title="The settings could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={4} />;
  const settings = query.data.data;
  if (!settings.available && !settings.enabled)
    return <p className={styles.sectionText}>No language model is available yet. Contact support to set it up.</p>;
  return <AssistanceForm key={JSON.stringify(settings)} settings={settings} />;
}

function AssistanceForm({ settings }: { settings: AssistanceSettings }) {
  const { user } = useSession();
  const reason = user.is_owner ? null : 'Only the owner can change this.';
  const saved = {
    enabled: settings.enabled,
    masks_personal_data: settings.masks_personal_data,
    monthly_cap_micros: settings.monthly_cap_micros,
    retention_days: settings.retention_days,
  };
  const [values, setValues] = useState(saved);
  const save = useAction(updateAssistanceSettings, { onSuccess: () => toast.success('Assistance saved') });
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);
  useUnsavedGuard(() => isDirty);
  const change = (next: Partial<typeof saved>) => setValues((old) => ({ ...old, ...next }));
  const common = { disabled: reason !== null };
  return (
    <form
      className={styles.form}
      aria-label="Assistance"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { ...values, retention_days: values.retention_days as 30 } });
      }}
    >
      <Switch
        {...common}
        label="Assistance in the inbox"
        description={
          reason ??
          `When a user asks for help, the conversation is sent to ${settings.model ?? 'the language model'} ` +
            `at ${settings.host ?? 'its host'}. Nothing is sent to contacts automatically.`
        }
        checked={values.enabled}
        onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
      />
      <Switch
        {...common}
        label="Hide personal data from the language model"
        description="The model gets placeholders instead of numbers, email addresses, and names."
        checked={values.masks_personal_data}
        onChange={({ currentTarget: { checked } }) => change({ masks_personal_data: checked })}
      />
      <NumberInput
        {...common}
        label="Monthly limit (USD)"
        description={`Leave empty for the operator’s limit. Used this month: ${spentText(settings)}.`}
        value={values.monthly_cap_micros === null ? '' : values.monthly_cap_micros / MICROS}
        onChange={(value) => change({ monthly_cap_micros: value === '' ? null : Math.round(Number(value) * MICROS) })}
        min={0}
        max={1_000_000}
        decimalScale={2}
        thousandSeparator=","
        hideControls
      />
      <NativeSelect
        {...common}
        label="Keep the log for"
        value={String(values.retention_days)}
        data={RETENTION_DAYS.map((days) => ({ value: String(days), label: formatCount(days, 'day') }))}
        onChange={({ currentTarget: { value } }) => change({ retention_days: Number(value) })}
      />
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setValues(saved)}
        save="Save assistance"
        reason={reason}
      />
    </form>
  );
}

const spentText = ({ used_micros, cap_micros }: AssistanceSettings): string =>
  `${formatMoney(used_micros, 'USD', { exact: true })} of ${formatMoney(cap_micros, 'USD')}`;
