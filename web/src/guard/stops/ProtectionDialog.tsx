/** Sets what happens when messages show a sign of fraud. A default export, because it loads when it opens. */
import { Button, Modal, NumberInput } from '@mantine/core';
import { backTestTraffic, type TrafficBackTest } from '@parley/contract/guard/back_tests.ts';
import {
  getTrafficProtection,
  MAX_STOP_HOURS,
  MESSAGE_TRAFFIC,
  type MessageTraffic,
  saveTrafficProtection,
  TRAFFIC_WORDS,
  type TrafficAction,
  type TrafficProtection,
} from '@parley/contract/guard/traffic_stops.ts';
import { useState } from 'react';
import type { ApiError } from '../../kernel/http/client.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { brandName } from '../../ui/brand.ts';
import { Segments } from '../../ui/controls/Segments.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Buttons, FormProblem } from '../../ui/form/FormParts.tsx';
import { ProtectionBackTest } from './ProtectionBackTest.tsx';
import styles from './Stops.module.css';

const ACTIONS: { value: TrafficAction; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'notify', label: 'Notify' },
  { value: 'block', label: 'Block' },
];
const DESCRIPTIONS: Readonly<Record<MessageTraffic, string>> = {
  messages: 'API, SMPP, and inbox messages. If set to Block, they are refused.',
  campaigns: 'If set to Block, a campaign pauses before the first contact in the range or country.',
};

export default function ProtectionDialog({ onClose }: { onClose: () => void }) {
  const query = useEndpoint(getTrafficProtection);
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
        <SkeletonFields count={3} />
      )}
    </Modal>
  );
}

function ProtectionForm({ protection, onClose }: { protection: TrafficProtection; onClose: () => void }) {
  const reason = useReason(saveTrafficProtection);
  const [actions, setActions] = useState({ messages: protection.messages, campaigns: protection.campaigns });
  const [hours, setHours] = useState<number | string>(protection.lift_hours);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useAction(saveTrafficProtection, {
    invalidates: ['traffic_protection', 'traffic_stops'],
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
        save.mutate({ body: { ...actions, lift_hours: Number(hours) } });
      }}
    >
      <p className={styles.lead}>
        {brandName()} compares the messages to each number range and country with your own traffic over the last 15
        days. Signs of fraud are runs of consecutive numbers, a range that suddenly gets most messages, sudden growth,
        and a falling share of delivered or answered messages. Owners get an email about each sign.
      </p>
      {MESSAGE_TRAFFIC.map((traffic) => (
        <div key={traffic} className={styles.choice}>
          <div>
            <p className={styles.heading}>{TRAFFIC_WORDS[traffic]}</p>
            <p className={styles.lead}>{DESCRIPTIONS[traffic]}</p>
          </div>
          <Segments
            aria-label={TRAFFIC_WORDS[traffic]}
            value={actions[traffic]}
            data={ACTIONS}
            onChange={(action) => setActions({ ...actions, [traffic]: action as TrafficAction })}
          />
        </div>
      ))}
      <NumberInput
        label="Lift stops after (hours)"
        value={hours}
        onChange={setHours}
        min={1}
        max={MAX_STOP_HOURS}
        allowDecimal={false}
        hideControls
      />
      <TestedSettings key={JSON.stringify([actions, hours])} settings={{ ...actions, lift_hours: Number(hours) }} />
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
function TestedSettings({ settings }: { settings: Omit<TrafficProtection, 'account_id'> }) {
  const [result, setResult] = useState<TrafficBackTest | null>(null);
  const test = useAction(backTestTraffic, { onSuccess: ({ data }) => setResult(data) });
  return (
    <ProtectionBackTest result={result} isRunning={test.isPending} onRun={() => test.mutate({ body: settings })} />
  );
}
