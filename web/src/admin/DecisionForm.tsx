/** Approve, reject, ask: with canned words, own words, or both. What the company will read is shown before it is sent. */
import { Button, SegmentedControl, Select, Textarea } from '@mantine/core';
import { type AccountReview, REVIEW_REASONS } from '@parley/contract/company.ts';
import { decideReview } from '@parley/contract/customers.ts';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { ApiError } from '../kernel/client.ts';
import { toastError, useAction } from '../kernel/query.ts';
import { KeyHint } from '../ui/KeyHint.tsx';
import { toast } from '../ui/Toasts.tsx';
import styles from './Admin.module.css';
import review_styles from './Review.module.css';

type Decision = 'approve' | 'reject' | 'ask';
type ReasonCode = keyof typeof REVIEW_REASONS;

const DECISIONS: readonly { value: Decision; label: string }[] = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
  { value: 'ask', label: 'Ask for more' },
];
const BUTTONS: Record<Decision, string> = {
  approve: 'Approve company',
  reject: 'Reject company',
  ask: 'Ask the company',
};
const DONE: Record<Decision, string> = {
  approve: 'is approved',
  reject: 'was rejected',
  ask: 'is asked for more',
};
const REASONS = Object.entries(REVIEW_REASONS).map(([value, words]) => ({
  value,
  label: words || 'Another reason, in your own words',
}));

export interface DecisionFormProps {
  review: Pick<AccountReview, 'id' | 'form'>;
  onDecided: (id: string) => void;
}

export function DecisionForm({ review, onDecided }: DecisionFormProps) {
  const [decision, setDecision] = useState<Decision>('approve');
  const [code, setCode] = useState<ReasonCode | null>(null);
  const [words, setWords] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const decide = useAction(decideReview, {
    invalidates: ['customers'],
    onSuccess: () => {
      toast.success(`${review.form.company_name} ${DONE[decision]}`);
      onDecided(review.id);
    },
    onError: (error) => {
      const about = error instanceof ApiError && error.errors.find(({ field }) => field === 'reason');
      if (about) setMissing(about.message);
      else toastError(error);
    },
  });
  const reads = [code ? REVIEW_REASONS[code] : '', words.trim()].filter(Boolean).join(' ');
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (decide.isPending) return;
    if (decision !== 'approve' && reads === '') {
      setMissing('The company needs to know why: choose a reason or write one');
      document.getElementById('decision-words')?.focus();
      return;
    }
    const grounds = decision === 'approve' ? {} : { reason_code: code, reason: words.trim() };
    decide.mutate({ params: { id: review.id }, body: { decision, ...grounds } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event as unknown as FormEvent);
  };
  return (
    <form className={review_styles.decision} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <SegmentedControl
        fullWidth
        aria-label="Decision"
        data={[...DECISIONS]}
        value={decision}
        onChange={(value) => {
          setDecision(value as Decision);
          setMissing(null);
        }}
      />
      {decision === 'approve' ? (
        <p className={styles.hint}>
          The company can send, ask for senders and create keys at once. A trial gets its credit.
        </p>
      ) : (
        <>
          <Select
            label="Reason"
            placeholder="Choose a reason"
            data={REASONS}
            clearable
            clearButtonProps={{ 'aria-label': 'No canned reason' }}
            value={code}
            onChange={(value) => {
              setCode(value as ReasonCode | null);
              setMissing(null);
            }}
          />
          <Textarea
            id="decision-words"
            label="In your own words"
            description={code && code !== 'other' ? 'Added after the reason.' : 'What exactly is missing or wrong.'}
            maxLength={1_000}
            autosize
            minRows={3}
            value={words}
            error={missing}
            onChange={(event) => {
              setWords(event.currentTarget.value);
              setMissing(null);
            }}
          />
          {reads && (
            <p className={review_styles.preview} aria-live="polite">
              They read: {reads}
            </p>
          )}
        </>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={decide.isPending} {...(decision === 'reject' ? { color: 'red' } : {})}>
          {BUTTONS[decision]}
        </Button>
        <KeyHint keys={['mod', 'Enter']} />
      </div>
    </form>
  );
}
