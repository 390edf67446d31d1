/** Approve, reject by field, ask. What the customer will read is shown before it is sent. */
import { Button, MultiSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { Data } from '@parley/contract/endpoint.ts';
import { cannedReasons, decideSenderRequest, type getSenderRequest } from '@parley/contract/sender_requests.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../kernel/client.ts';
import { toastError, useAction } from '../kernel/query.ts';
import { toast } from '../ui/Toasts.tsx';
import styles from './Admin.module.css';
import { type Carrier, CarrierFields } from './CarrierFields.tsx';
import review_styles from './Review.module.css';

type Decision = 'approve' | 'reject' | 'ask';
const DECISIONS: readonly { value: Decision; label: string }[] = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
  { value: 'ask', label: 'Ask' },
];
const BUTTONS: Record<Decision, string> = {
  approve: 'Approve sender',
  reject: 'Reject request',
  ask: 'Ask the customer',
};
const DONE: Record<Decision, string> = {
  approve: 'is approved',
  reject: 'was rejected',
  ask: ': the customer is asked',
};

interface Wrong {
  code?: string;
  note?: string;
  connection?: string;
  address?: string;
}
/** Where the words of the server go, by its field. */
const FIELDS = { code: 'code', connection_id: 'connection', carrier_address: 'address' } as const;

export interface SenderDecisionProps {
  request: Data<typeof getSenderRequest>;
  onDecided: (id: string) => void;
}

export function SenderDecision({ request, onDecided }: SenderDecisionProps) {
  const [decision, setDecision] = useState<Decision>(request.asked ? 'ask' : 'approve');
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [carrier, setCarrier] = useState<Carrier>({
    connection_id: request.connection_id ?? request.connections.find(({ enabled }) => enabled)?.id ?? null,
    address: request.carrier_address ?? '',
  });
  const [wrong, setWrong] = useState<Wrong>({});
  const access = request.kind === 'whatsapp' || request.kind === 'viber';
  const canned = cannedReasons(request.kind);
  const shown = request.code || request.name;
  const reasons = canned.filter(({ key }) => chosen.includes(key)).map(({ field, text }) => ({ field, text }));
  const reads = [...reasons.map(({ text }) => text), note.trim()].filter(Boolean).join(' ');
  const decide = useAction(decideSenderRequest, {
    invalidates: ['customers'],
    onSuccess: () => {
      toast.success(`${shown} ${DONE[decision]}`.replace(' :', ':'));
      onDecided(request.id);
    },
    onError: (error) => {
      const about = error instanceof ApiError ? error.errors.find(({ field }) => field && field in FIELDS) : undefined;
      if (about) setWrong({ [FIELDS[about.field as keyof typeof FIELDS]]: about.message });
      else toastError(error);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (decision === 'approve' && request.kind === 'short_code' && code.trim() === '')
      return setWrong({ code: 'The code is required!' });
    if (decision === 'approve' && access && !carrier.connection_id)
      return setWrong({ connection: 'Connection is required!' });
    if (decision === 'approve' && request.kind === 'viber' && carrier.address.trim() === '')
      return setWrong({ address: 'The service id is required' });
    if (decision !== 'approve' && reads === '')
      return setWrong({ note: 'The customer needs to know: choose a reason or write one' });
    decide.mutate({
      params: { id: request.id },
      body:
        decision === 'approve'
          ? {
              decision,
              revision: request.revision,
              ...(request.kind === 'short_code' ? { code: code.trim() } : {}),
              ...(access && carrier.connection_id
                ? { connection_id: carrier.connection_id, carrier_address: carrier.address.trim() }
                : {}),
            }
          : { decision, revision: request.revision, reasons, note: note.trim() },
    });
  };
  return (
    <form className={review_styles.decision} onSubmit={submit} noValidate>
      <SegmentedControl
        fullWidth
        aria-label="Decision"
        data={[...DECISIONS]}
        value={decision}
        onChange={(value) => {
          setDecision(value as Decision);
          setWrong({});
        }}
      />
      {decision === 'approve' ? (
        request.kind === 'short_code' ? (
          <TextInput
            label="Short code"
            description="The code that the carriers have assigned."
            required
            inputMode="numeric"
            maxLength={8}
            value={code}
            error={wrong.code}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setWrong({});
            }}
          />
        ) : access ? (
          <CarrierFields
            request={request}
            carrier={carrier}
            wrong={wrong}
            onChange={(change) => {
              setCarrier({ ...carrier, ...change });
              setWrong({});
            }}
          />
        ) : (
          <p className={styles.hint}>The customer can send from it at once.</p>
        )
      ) : (
        <>
          <MultiSelect
            label="Reasons"
            description="Each belongs to a field of the form; the customer is led there."
            data={canned.map(({ key, text }) => ({ value: key, label: text }))}
            searchable
            value={chosen}
            clearable
            clearButtonProps={{ 'aria-label': 'No canned reasons' }}
            onChange={(value) => {
              setChosen(value);
              setWrong({});
            }}
          />
          <Textarea
            label="In your own words"
            maxLength={1_000}
            autosize
            minRows={3}
            value={note}
            error={wrong.note}
            onChange={(event) => {
              setNote(event.currentTarget.value);
              setWrong({});
            }}
          />
          {reads && (
            <p className={review_styles.preview} aria-live="polite">
              They read: {reads}
            </p>
          )}
        </>
      )}
      {decision === 'approve' && request.asked && (
        <p className={styles.hint}>The customer’s answer is awaited: it can be approved when it has come.</p>
      )}
      <div className={styles.buttons}>
        <Button
          type="submit"
          loading={decide.isPending}
          disabled={decision === 'approve' && request.asked}
          {...(decision === 'reject' ? { color: 'red' } : {})}
        >
          {BUTTONS[decision]}
        </Button>
      </div>
    </form>
  );
}
