/** Approve, or reject with words. What the customer will read is shown before it is sent. */
import { Button, MultiSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { decideTemplate } from '@parley/contract/templates.ts';
import { type FormEvent, useState } from 'react';
import { useAction } from '../kernel/query.ts';
import { toast } from '../ui/Toasts.tsx';
import styles from './Admin.module.css';
import review_styles from './Review.module.css';
import type { TemplateReview } from './TemplateReviewsPage.tsx';

const CANNED = [
  'The message does not say who it is from.',
  'The link does not lead to a page of your company.',
  'The text asks for personal or payment data, which Viber does not allow.',
  'The picture cannot be read on a phone.',
  'Gambling, alcohol, tobacco and adult content are not allowed.',
];

export function TemplateDecision({ review, onDecided }: { review: TemplateReview; onDecided: (id: string) => void }) {
  const [decision, setDecision] = useState<'approve' | 'reject'>('approve');
  const [external_id, setExternalId] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const reads = [...chosen, note.trim()].filter(Boolean).join(' ');
  const decide = useAction(decideTemplate, {
    invalidates: ['template_reviews'],
    onSuccess: () => {
      toast.success(decision === 'approve' ? `${review.name} is approved` : `${review.name} was rejected`);
      onDecided(review.id);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (decision === 'reject' && reads === '')
      return setWrong('The customer needs to know: choose a reason or write one');
    if (reads.length > 500) return setWrong('At most 500 characters in all');
    decide.mutate({
      params: { id: review.id },
      body: {
        revision: review.revision,
        ...(decision === 'approve' ? { decision, external_id: external_id.trim() } : { decision, reason: reads }),
      },
    });
  };
  return (
    <form className={review_styles.decision} onSubmit={submit} noValidate aria-label="Decision">
      <SegmentedControl
        fullWidth
        aria-label="Decision"
        data={[
          { value: 'approve', label: 'Approve' },
          { value: 'reject', label: 'Reject' },
        ]}
        value={decision}
        onChange={(value) => {
          setDecision(value as 'approve' | 'reject');
          setWrong(null);
        }}
      />
      {decision === 'approve' ? (
        <TextInput
          label="Provider’s id"
          description="Where the provider keeps transactional templates: what it calls this one. May stay empty."
          maxLength={100}
          value={external_id}
          onChange={(event) => setExternalId(event.currentTarget.value)}
        />
      ) : (
        <>
          <MultiSelect
            label="Reasons"
            data={CANNED}
            searchable
            value={chosen}
            clearable
            clearButtonProps={{ 'aria-label': 'No canned reasons' }}
            onChange={(value) => {
              setChosen(value);
              setWrong(null);
            }}
          />
          <Textarea
            label="In your own words"
            maxLength={500}
            autosize
            minRows={3}
            value={note}
            error={wrong}
            onChange={(event) => {
              setNote(event.currentTarget.value);
              setWrong(null);
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
          {decision === 'approve' ? 'Approve template' : 'Reject template'}
        </Button>
      </div>
    </form>
  );
}
