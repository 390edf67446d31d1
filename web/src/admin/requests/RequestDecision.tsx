/** Approve, reject by field, ask: the same for all kinds. What the customer will read is shown before it is sent. */
import { Button, MultiSelect, SegmentedControl, Textarea } from '@mantine/core';
import { cannedReasons } from '@parley/contract/admin/request_reasons.ts';
import { decideRequest, type RequestDetail } from '@parley/contract/admin/requests.ts';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from '../Admin.module.css';
import { type Approval, ApproveFields, missing, type Wrong } from './ApproveFields.tsx';
import { useKeys } from './keys.ts';
import review_styles from './Review.module.css';

type Decision = 'approve' | 'reject' | 'ask';
const DECISIONS: readonly { value: Decision; label: string }[] = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
  { value: 'ask', label: 'Ask for more' },
];
const BUTTONS: Record<Decision, string> = {
  approve: 'Approve request',
  reject: 'Reject request',
  ask: 'Ask the customer',
};
const DONE: Record<Decision, string> = {
  approve: ' is approved',
  reject: ' was rejected',
  ask: ': the customer is asked',
};
/** Where the words of the server go, by its field. */
const FIELDS = { code: 'code', connection_id: 'connection', carrier_address: 'address', reason: 'note' } as const;

export interface RequestDecisionProps {
  request: RequestDetail;
  onDecided: (id: string) => void;
}

export function RequestDecision({ request, onDecided }: RequestDecisionProps) {
  const awaited = request.status === 'asked';
  const [decision, setDecision] = useState<Decision>(awaited ? 'ask' : 'approve');
  const [approval, setApproval] = useState<Approval>({
    code: '',
    connection_id:
      request.sender?.connection_id ?? request.sender?.connections.find(({ enabled }) => enabled)?.id ?? null,
    address: request.sender?.carrier_address ?? '',
    external_id: '',
  });
  const [chosen, setChosen] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useRef<HTMLFormElement>(null);
  const canned = cannedReasons(request.kind);
  const reasons = canned.filter(({ key }) => chosen.includes(key)).map(({ field, text }) => ({ field, text }));
  const reads = [...reasons.map(({ text }) => text), note.trim()].filter(Boolean).join(' ');
  const decide = useAction(decideRequest, {
    invalidates: ['request_details', 'customers'],
    onSuccess: () => {
      toast.success(`${request.name}${DONE[decision]}`);
      onDecided(request.id);
    },
    onError: (error) => {
      const about = error instanceof ApiError ? error.errors.find(({ field }) => field && field in FIELDS) : undefined;
      if (about) setWrong({ [FIELDS[about.field as keyof typeof FIELDS]]: about.message });
      else toastError(error);
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (decide.isPending || (decision === 'approve' && awaited)) return;
    const wrong: Wrong =
      decision === 'approve'
        ? missing(request, approval)
        : reads === ''
          ? { note: 'The customer needs to know: choose a reason or write one' }
          : {};
    setWrong(wrong);
    if (Object.keys(wrong).length > 0) return;
    const { code, connection_id, address, external_id } = approval;
    decide.mutate({
      params: { id: request.id },
      body: {
        decision,
        revision: request.revision,
        ...(decision === 'approve'
          ? {
              ...(code.trim() ? { code: code.trim() } : {}),
              ...(connection_id ? { connection_id, carrier_address: address.trim() } : {}),
              ...(external_id.trim() ? { external_id: external_id.trim() } : {}),
            }
          : { reasons, note: note.trim() }),
      },
    });
  };
  const choose = (value: Decision) => {
    setDecision(value);
    setWrong({});
    // Nothing is decided by one key: it leads to the form, where another decides.
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('textarea, input:not([type="radio"]), button[type="submit"]')?.focus(),
    );
  };
  useKeys({ a: () => choose('approve'), r: () => choose('reject'), q: () => choose('ask') });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event as unknown as FormEvent);
  };
  return (
    <form
      ref={form}
      className={review_styles.decision}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      noValidate
      aria-label="Decision"
    >
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
        <ApproveFields
          request={request}
          approval={approval}
          wrong={wrong}
          onChange={(change) => {
            setApproval({ ...approval, ...change });
            setWrong({});
          }}
        />
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
      {decision === 'approve' && awaited && (
        <p className={styles.hint}>The customer’s answer is awaited: it can be approved when it has come.</p>
      )}
      <div className={styles.buttons}>
        <Button
          type="submit"
          loading={decide.isPending}
          disabled={decision === 'approve' && awaited}
          {...(decision === 'reject' ? { color: 'red' } : {})}
        >
          {BUTTONS[decision]}
        </Button>
        <KeyHint keys={['mod', 'Enter']} />
      </div>
      <p className={styles.hint}>Keys: A approve, R reject, Q ask, J and K the next and the previous request.</p>
    </form>
  );
}
