/** Sets what happens when codes show a sign of fraud. A default export, because it loads when it opens. */
import { Button, Modal, NumberInput } from '@mantine/core';
import type { TrafficBackTest } from '@parley/contract/guard/back_tests.ts';
import { PUMPING_SIGNALS } from '@parley/contract/guard/pumping.ts';
import { backTestCodes } from '@parley/contract/verifications/back_tests.ts';
import {
  type FraudProtection,
  getFraudProtection,
  MAX_LIFT_HOURS,
  SIGNAL_WORDS,
  type SignalAction,
  saveFraudProtection,
} from '@parley/contract/verifications/stops.ts';
import { useState } from 'react';
import { CODE_WORDS } from '../guard/back_test/BackTestSection.tsx';
import { ProtectionBackTest } from '../guard/stops/ProtectionBackTest.tsx';
import type { ApiError } from '../kernel/http/client.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { Segments } from '../ui/controls/Segments.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Buttons, FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Verifications.module.css';

const ACTIONS: { value: SignalAction; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'notify', label: 'Notify' },
  { value: 'stop', label: 'Stop' },
];

export default function ProtectionDialog({ onClose }: { onClose: () => void }) {
  const query = useEndpoint(getFraudProtection);
  return (
    <Modal opened onClose={onClose} title="Fraud protection" size="lg" centered>
      {query.data ? (
        <ProtectionForm protection={query.data.data} onClose={onClose} />
      ) : query.error ? (
        <ErrorState
          title="Fraud protection could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={5} />
      )}
    </Modal>
  );
}

function ProtectionForm({ protection, onClose }: { protection: FraudProtection; onClose: () => void }) {
  const reason = useReason(saveFraudProtection);
  const [actions, setActions] = useState(protection.actions);
  const [hours, setHours] = useState<number | string>(protection.lift_hours);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useAction(saveFraudProtection, {
    invalidates: ['verifications'],
    onSuccess: () => {
      toast.success('Fraud protection saved');
      onClose();
    },
    onError: ({ message }: ApiError) => setProblem(message),
  });
  return (
    <form
      className={styles.form}
      aria-label="Fraud protection"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { actions, lift_hours: Number(hours) } });
      }}
    >
      <p className={styles.lead}>
        Each sign is measured against your own codes and needs a minimum volume. Owners get an email about each sign. A
        stop refuses codes to the destination at no charge.
      </p>
      {PUMPING_SIGNALS.map((signal) => (
        <div key={signal} className={styles.signal}>
          <div>
            <p className={styles.heading}>{SIGNAL_WORDS[signal].label}</p>
            <p className={styles.lead}>{SIGNAL_WORDS[signal].description}</p>
          </div>
          <Segments
            aria-label={SIGNAL_WORDS[signal].label}
            value={actions[signal]}
            data={ACTIONS}
            onChange={(action) => setActions({ ...actions, [signal]: action as SignalAction })}
          />
        </div>
      ))}
      <NumberInput
        label="Allow codes again after (hours)"
        description="Stops for unused codes and consecutive numbers end earlier if people enter the codes."
        value={hours}
        onChange={setHours}
        min={1}
        max={MAX_LIFT_HOURS}
        allowDecimal={false}
        hideControls
      />
      <TestedSettings key={JSON.stringify([actions, hours])} settings={{ actions, lift_hours: Number(hours) }} />
      <FormProblem>{problem}</FormProblem>
      <Buttons>
        <Disabled reason={reason}>
          <Button type="submit" loading={save.isPending}>
            Save fraud protection
          </Button>
        </Disabled>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}

/** The result is hidden when the settings change. */
function TestedSettings({ settings }: { settings: Pick<FraudProtection, 'actions' | 'lift_hours'> }) {
  const [result, setResult] = useState<TrafficBackTest | null>(null);
  const test = useAction(backTestCodes, { onSuccess: ({ data }) => setResult(data) });
  const run = () => test.mutate({ body: settings });
  return <ProtectionBackTest words={CODE_WORDS} result={result} isRunning={test.isPending} onRun={run} />;
}
