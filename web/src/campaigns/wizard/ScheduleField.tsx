import { SegmentedControl } from '@mantine/core';
import { Suspense } from 'react';
import { fromLocal, offsetName, toLocal } from '../../ui/controls/local_time.ts';
import { useZone } from '../../ui/data/zone.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import type { Draft } from './draft.ts';
import { TimingFields } from './TimingFields.tsx';
import styles from './Wizard.module.css';

// Loaded when the campaign repeats.
const RepeatFields = lazyPart(() => import('./RepeatFields.tsx'));

const HOUR_MS = 3_600_000;

/** Starts the campaign now, or at a time in the account's time zone. */
export function ScheduleField({ draft, change }: { draft: Draft; change: (changes: Partial<Draft>) => void }) {
  const zone = useZone();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const now = new Date();
  const local = localStart(draft, zone, now);
  const instant = fromLocal(local, zone);
  const past = instant !== null && instant <= now;
  return (
    <section className={styles.block}>
      <h3>When</h3>
      <SegmentedControl
        aria-label="When"
        value={draft.when}
        onChange={(when) =>
          change({
            when: when as Draft['when'],
          })
        }
        data={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'Later' },
          { value: 'repeat', label: 'Repeat' },
        ]}
      />
      {draft.when !== 'now' && (
        <DateField
          className={styles.short}
          kind="datetime"
          label={draft.when === 'repeat' ? 'First run' : 'Date and time'}
          description={`Account time zone: ${zone.replaceAll('_', ' ')} (${offsetName(instant ?? now, zone)}).`}
          value={local}
          min={toLocal(now, zone)}
          onChange={(value) => change({ local: value })}
          error={instant === null ? 'Date and time are required!' : past ? 'This time is in the past' : undefined}
        />
      )}
      {draft.when !== 'now' && instant && !past && here !== zone && toLocal(instant, here) !== local && (
        <p className={styles.hint}>
          {toLocal(instant, here).replace('T', ' ')} in your time zone ({here.replaceAll('_', ' ')}).
        </p>
      )}
      {draft.when === 'repeat' && (
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <RepeatFields repeat={draft.repeat} onChange={(repeat) => change({ repeat })} local={local} />
        </Suspense>
      )}
      <TimingFields draft={draft} change={change} />
    </section>
  );
}

/** The start time in the account's zone. The default is the first full hour that is at least an hour away. */
export const localStart = (draft: Draft, zone: string, now: Date): string =>
  draft.local || toLocal(nextFullHour(now), zone);

const nextFullHour = (now: Date): Date => new Date(Math.ceil((now.getTime() + HOUR_MS) / HOUR_MS) * HOUR_MS);
