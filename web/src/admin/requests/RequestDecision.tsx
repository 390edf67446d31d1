/** Approves or rejects a request, or requests more information. Every kind of request uses this form. */
import { Button, MultiSelect, SegmentedControl, Textarea } from '@mantine/core';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { type FormEvent, type KeyboardEvent, useRef } from 'react';
import { useRecordActions } from '../../kernel/commands.ts';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { REQUESTS } from '../../paths.ts';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from '../Admin.module.css';
import { ApproveFields } from './ApproveFields.tsx';
import { type Decision, useDecision } from './decision.ts';
import review_styles from './Review.module.css';

const DECISIONS: readonly { value: Decision; label: string }[] = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
  { value: 'ask', label: 'Request info' },
];
const BUTTONS: Record<Decision, string> = {
  approve: 'Approve request',
  reject: 'Reject request',
  ask: 'Request information',
};
const FIRST_CONTROL = 'textarea, input:not([type="radio"]), button[type="submit"]';

interface RequestDecisionProps {
  request: RequestDetail;
  onDecided: (id: string) => void;
}

export function RequestDecision({ request, onDecided }: RequestDecisionProps) {
  const state = useDecision(request, onDecided);
  const { decision } = state;
  const form = useRef<HTMLFormElement>(null);
  // A shortcut only selects the outcome and focuses the form. Submitting takes a second key press.
  const choose = (value: Decision) => {
    state.setDecision(value);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(FIRST_CONTROL)?.focus());
  };
  useRecordActions({ kind: 'request', id: request.id, title: request.name, path: `${REQUESTS}?open=${request.id}` }, [
    { label: 'Approve', run: () => choose('approve') },
    { label: 'Reject', run: () => choose('reject') },
    { label: 'Request information', keywords: 'ask', run: () => choose('ask') },
  ]);
  useShortcuts('Request', [
    { keys: 'A', label: 'Approve the request', run: () => choose('approve'), inDialogs: true },
    { keys: 'R', label: 'Reject the request', run: () => choose('reject'), inDialogs: true },
    { keys: 'Q', label: 'Request information', run: () => choose('ask'), inDialogs: true },
  ]);
  const onSubmit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    state.submit();
  };
  return (
    <form
      ref={form}
      className={review_styles.decision}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit(event);
      }}
      noValidate
      aria-label="Decision"
    >
      <SegmentedControl
        fullWidth
        aria-label="Decision"
        data={[...DECISIONS]}
        value={decision}
        onChange={(value) => state.setDecision(value as Decision)}
      />
      {decision === 'approve' ? (
        <ApproveFields
          request={request}
          approval={state.approval}
          errors={state.errors}
          onChange={state.changeApproval}
        />
      ) : (
        <ReasonFields state={state} />
      )}
      {!state.canSubmit && (
        <p className={styles.hint}>
          Waiting for the customer’s reply. You can approve the request once they resubmit it.
        </p>
      )}
      <Buttons>
        <Button
          type="submit"
          loading={state.isPending}
          disabled={!state.canSubmit}
          {...(decision === 'reject' ? { color: 'red' } : {})}
        >
          {BUTTONS[decision]}
        </Button>
        <KeyHint keys={['mod', 'Enter']} />
      </Buttons>
      <p className={styles.hint}>
        Shortcuts: A to approve, R to reject, Q to request information, J for the next request, and K for the previous
        request.
      </p>
    </form>
  );
}

/** The reasons sent to the customer, with a preview of the message. */
function ReasonFields({ state }: { state: ReturnType<typeof useDecision> }) {
  const { canned, chosen, note, errors, message } = state;
  return (
    <>
      <MultiSelect
        label="Reasons"
        description="Each reason points the customer to a field in the form."
        data={canned.map(({ key, text }) => ({ value: key, label: text }))}
        searchable
        value={chosen}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear reasons' }}
        onChange={state.setChosen}
      />
      <Textarea
        label="In your own words"
        maxLength={1_000}
        autosize
        minRows={3}
        value={note}
        error={errors.note}
        onChange={(event) => state.setNote(event.currentTarget.value)}
      />
      {message && (
        <p className={review_styles.preview} aria-live="polite">
          Message to the customer: {message}
        </p>
      )}
    </>
  );
}
