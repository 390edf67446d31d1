/** The reminders about overdue balances: their days and texts, and the pause of sending. */
import { Button, Checkbox, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import {
  type DunningSettings,
  type DunningStep,
  getDunningSettings,
  updateDunningSettings,
} from '@parley/contract/admin/dunning.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';

const MAX_STEPS = 6;

export function RemindersPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const query = useEndpoint(getDunningSettings, {}, { enabled: open });
  const settings = query.data?.data;
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Reminders"
      description="Sent at 09:00 in the account’s time zone. No interest is charged."
    >
      {open && query.error && <FormProblem>{query.error.message}</FormProblem>}
      {open && !settings && !query.error && <SkeletonLines lines={6} />}
      {open && settings && <RemindersForm initial={settings} onDone={onClose} />}
    </SidePanel>
  );
}

function RemindersForm({ initial, onDone }: { initial: DunningSettings; onDone: () => void }) {
  const [enabled, setEnabled] = useState(initial.enabled);
  const [steps, setSteps] = useState<DunningStep[]>(initial.steps);
  const save = useAction(updateDunningSettings, {
    onSuccess: () => {
      toast.success('Reminders saved');
      onDone();
    },
  });
  const change = (index: number, fields: Partial<DunningStep>) =>
    setSteps(steps.map((step, n) => (n === index ? { ...step, ...fields } : step)));
  const pauses = steps.at(-1)?.pauses ?? false;
  const setPauses = (isOn: boolean) =>
    setSteps(steps.map((step, n) => ({ ...step, pauses: isOn && n === steps.length - 1 })));
  return (
    <div className={styles.panelForm}>
      <FormProblem>{save.error?.message}</FormProblem>
      <Switch label="Send reminders" checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity, and their order is their number
        <StepFields key={index} number={index + 1} step={step} onChange={(fields) => change(index, fields)} />
      ))}
      <div className={styles.buttons}>
        {steps.length < MAX_STEPS && (
          <Button
            variant="default"
            onClick={() =>
              setSteps([
                ...steps.map((step) => ({ ...step, pauses: false })),
                { days: (steps.at(-1)?.days ?? 0) + 7, subject: '', text: '', pauses },
              ])
            }
          >
            Add reminder
          </Button>
        )}
        {steps.length > 1 && (
          <Button
            variant="default"
            onClick={() =>
              setSteps(steps.slice(0, -1).map((step, n, all) => ({ ...step, pauses: pauses && n === all.length - 1 })))
            }
          >
            Remove last reminder
          </Button>
        )}
      </div>
      <Checkbox
        label="Pause sending with the last reminder"
        checked={pauses}
        onChange={(event) => setPauses(event.currentTarget.checked)}
      />
      <Button loading={save.isPending} onClick={() => save.mutate({ body: { enabled, steps } })}>
        Save reminders
      </Button>
    </div>
  );
}

interface StepProps {
  number: number;
  step: DunningStep;
  onChange: (fields: Partial<DunningStep>) => void;
}

function StepFields({ number, step, onChange }: StepProps) {
  return (
    <fieldset className={styles.fields}>
      <legend>Reminder {number}</legend>
      <NumberInput
        label="Days after the balance became overdue"
        min={0}
        max={365}
        value={step.days}
        onChange={(value) => onChange({ days: Number(value) })}
      />
      <TextInput
        label="Subject"
        maxLength={200}
        value={step.subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <Textarea
        label="Text"
        description="The email also states the amount."
        autosize
        maxLength={2_000}
        value={step.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
    </fieldset>
  );
}
