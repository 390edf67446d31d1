/** How a campaign repeats, with its next runs. */
import { Checkbox, NumberInput, Select } from '@mantine/core';
import { nextRuns } from '@parley/contract/campaigns/repeat_times.ts';
import { type CampaignRepeat, SHOWN_RUNS } from '@parley/contract/campaigns/repeats.ts';
import { WEEKDAYS } from '@parley/contract/campaigns/timing.ts';
import { toWire } from '../../ui/controls/local_time.ts';
import { formatDateTime } from '../../ui/data/format.ts';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import styles from './Wizard.module.css';

interface RepeatFieldsProps {
  repeat: CampaignRepeat;
  onChange: (repeat: CampaignRepeat) => void;
  /** The first run on the account's clock: `2026-11-21T14:05`. */
  local: string;
}

const UNITS = [
  { value: 'day', label: 'Daily' },
  { value: 'week', label: 'Weekly' },
  { value: 'month', label: 'Monthly' },
];
const UNIT_NAMES = { day: 'Days', week: 'Weeks', month: 'Months' } as const;

export default function RepeatFields({ repeat, onChange, local }: RepeatFieldsProps) {
  const set = (changes: Partial<CampaignRepeat>) => onChange({ ...repeat, ...changes });
  return (
    <>
      <div className={styles.timing}>
        <Select
          label="Repeat"
          value={repeat.every}
          onChange={(every) => every && set({ every: every as CampaignRepeat['every'], days: [] })}
          data={UNITS}
        />
        <NumberInput
          label={`${UNIT_NAMES[repeat.every]} between runs`}
          min={1}
          max={30}
          allowDecimal={false}
          value={repeat.interval}
          onChange={(value) => typeof value === 'number' && set({ interval: value })}
        />
        <EndField repeat={repeat} set={set} />
      </div>
      {repeat.every === 'week' && (
        <Checkbox.Group
          label="Days"
          description="Defaults to the weekday of the first run."
          value={repeat.days.map(String)}
          onChange={(days) => set({ days: days.map(Number).sort((a, b) => a - b) })}
        >
          <div className={styles.days}>
            {WEEKDAYS.map((day, index) => (
              <Checkbox key={day} value={String(index + 1)} label={day.slice(0, 3)} aria-label={day} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <NextRuns repeat={repeat} local={local} />
    </>
  );
}

function EndField({ repeat, set }: { repeat: CampaignRepeat; set: (changes: Partial<CampaignRepeat>) => void }) {
  const end = repeat.until !== null ? 'until' : repeat.count !== null ? 'count' : 'never';
  const inThirtyDays = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  return (
    <>
      <Select
        label="Ends"
        value={end}
        onChange={(next) =>
          set({ until: next === 'until' ? inThirtyDays() : null, count: next === 'count' ? 10 : null })
        }
        data={[
          { value: 'never', label: 'Never' },
          { value: 'until', label: 'On a date' },
          { value: 'count', label: 'After a number of runs' },
        ]}
      />
      {repeat.until !== null && (
        <DateField label="Last day" value={repeat.until} onChange={(until) => until && set({ until })} />
      )}
      {repeat.count !== null && (
        <NumberInput
          label="Runs"
          min={1}
          max={1_000}
          allowDecimal={false}
          value={repeat.count}
          onChange={(value) => typeof value === 'number' && set({ count: value })}
        />
      )}
    </>
  );
}

/** The clock of the account shows these times, whatever its offset is on that day. */
function NextRuns({ repeat, local }: { repeat: CampaignRepeat; local: string }) {
  const first = Date.parse(`${local}:00Z`);
  const runs = Number.isNaN(first) ? [] : nextRuns(repeat, first, first, SHOWN_RUNS);
  return (
    <section aria-label="Next runs">
      <p className={styles.choiceLabel}>Next runs</p>
      {runs.length === 0 ? (
        <p className={styles.hint}>No runs before the end. Choose a later end.</p>
      ) : (
        <ol className={styles.runs}>
          {runs.map((run) => (
            <li key={run}>
              {WEEKDAYS[(Math.floor(run / 86_400_000) + 3) % 7]?.slice(0, 3)}{' '}
              {formatDateTime(toWire(new Date(run)), 'UTC')}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
