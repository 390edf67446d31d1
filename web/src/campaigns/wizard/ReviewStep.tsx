import { Button } from '@mantine/core';
import { VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { IconListCheck } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import { VALIDITIES } from '../labels.ts';
import type { PreviewState } from './choices.ts';
import { isForAll } from './draft.ts';
import { Cost, Findings, RecipientCounts, SessionSplit } from './ReviewParts.tsx';
import { ScheduleField } from './ScheduleField.tsx';
import type { StepProps } from './step.ts';
import styles from './Wizard.module.css';

// Loaded when the user opens it.
const Rehearsal = lazyPart(() => import('./Rehearsal.tsx'));
const SafetyFields = lazyPart(() => import('./SafetyFields.tsx'));
const ArrivalsSection = lazyPart(() => import('./ArrivalsSection.tsx'));

export interface ReviewStepProps extends StepProps, PreviewState {
  sender_name: string;
  audience_name: string;
  onStep: (step: string) => void;
}

function RehearsalButton({ channel, draft }: Pick<ReviewStepProps, 'channel' | 'draft'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="default" leftSection={<IconListCheck size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Rehearse campaign
      </Button>
      {isOpen && (
        <Suspense>
          <Rehearsal channel={channel} draft={draft} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

export function ReviewStep(props: ReviewStepProps) {
  const { channel, draft, change, preview, counting, error, retry, onStep } = props;
  const isAutomation = draft.when === 'auto';
  const when = useRef<HTMLDivElement>(null);
  // Shown only if it differs from the default.
  const validity =
    draft.validity_seconds !== VALIDITY_SECONDS.default &&
    VALIDITIES.find(({ value }) => value === String(draft.validity_seconds))?.label;
  const fix = (step: string) => {
    if (step !== 'review') return onStep(step);
    if (draft.when === 'now') change({ when: 'later' });
    requestAnimationFrame(() => when.current?.scrollIntoView({ block: 'center', behavior: 'smooth' }));
  };
  return (
    <div className={styles.review}>
      <Fields
        fields={[
          { label: 'Name', value: draft.name.trim() || 'Start date and time' },
          { label: 'Sender', value: props.sender_name || '\u2013' },
          { label: 'Audience', value: (isForAll(draft) ? 'Everyone' : props.audience_name) || '\u2013' },
          ...(draft.countries.length > 0
            ? [{ label: 'Countries', value: draft.countries.map(countryName).join(', ') }]
            : []),
          ...(validity ? [{ label: 'Expires after', value: validity }] : []),
        ]}
      />
      {error && !preview ? (
        <ErrorState title="The recipients could not be counted" onRetry={retry} retrying={counting}>
          {error.message}
        </ErrorState>
      ) : (
        <div className={styles.figures} data-counting={counting || undefined} aria-busy={counting}>
          {preview && <Findings kind="blocker" findings={preview.blockers} onStep={fix} />}
          <RecipientCounts preview={preview} />
          <SessionSplit preview={preview} draft={draft} />
          {preview ? (
            <Cost
              channel={channel}
              preview={preview}
              total={isAutomation ? 'If everyone gets it' : 'Reserved at start'}
            />
          ) : (
            <SkeletonLines lines={4} />
          )}
        </div>
      )}
      {preview && preview.counts.total > 0 && !isAutomation && <RehearsalButton channel={channel} draft={draft} />}
      <div ref={when}>
        <ScheduleField draft={draft} change={change} />
      </div>
      <Suspense fallback={<SkeletonLines lines={2} />}>
        <SafetyFields draft={draft} change={change} />
      </Suspense>
      {preview && preview.arrivals.buckets.length > 1 && !isAutomation && (
        <Suspense fallback={<SkeletonLines lines={5} />}>
          <ArrivalsSection preview={preview} />
        </Suspense>
      )}
      {preview && <Findings kind="warning" findings={preview.warnings} onStep={fix} />}
    </div>
  );
}
