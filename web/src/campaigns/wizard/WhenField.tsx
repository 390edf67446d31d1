import { SegmentedControl, TextInput } from '@mantine/core';
import { useZone } from '../../ui/data/zone.ts';
import type { Draft } from './draft.ts';
import { fromLocal, offsetName, toLocal } from './local_time.ts';
import styles from './Wizard.module.css';

const HOUR_MS = 3_600_000;

/** Now, or at a time on the account's clock. */
export function WhenField({ draft, change }: { draft: Draft; change: (changes: Partial<Draft>) => void }) {
  const zone = useZone();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const now = new Date();
  const local = localOf(draft, zone, now);
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
          { value: 'later', label: 'At a time' },
        ]}
      />
      {draft.when === 'later' && (
        <TextInput
          className={styles.short}
          type="datetime-local"
          label="Date and time"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={`On the clock of ${zone.replaceAll('_', ' ')} (${offsetName(instant ?? now, zone)}), the time zone of your account.`}
          value={local}
          min={toLocal(now, zone)}
          onChange={(event) => change({ local: event.currentTarget.value })}
          error={instant === null ? 'Choose a date and a time' : past ? 'This time has passed' : undefined}
        />
      )}
      {draft.when === 'later' && instant && !past && here !== zone && toLocal(instant, here) !== local && (
        <p className={styles.hint}>
          {toLocal(instant, here).replace('T', ' ')} where you are ({here.replaceAll('_', ' ')}).
        </p>
      )}
    </section>
  );
}

/** The next full hour but one is a better start than an empty field. */
export const localOf = (draft: Draft, zone: string, now: Date): string => draft.local || toLocal(soon(now), zone);

const soon = (now: Date): Date => new Date(Math.ceil((now.getTime() + HOUR_MS) / HOUR_MS) * HOUR_MS);
