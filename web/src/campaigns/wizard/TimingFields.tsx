/** When recipients get the message: their own clock, delivery hours, quiet hours, and speed. */
import { Checkbox, NumberInput, Select } from '@mantine/core';
import {
  type CampaignTiming,
  type DeliveryWindow,
  MAX_RATE,
  MAX_SPREAD_HOURS,
  WEEKDAYS,
} from '@parley/contract/campaigns/timing.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { isTime } from '../../ui/form/dates/date_text.ts';
import { type Draft, isTimed } from './draft.ts';
import styles from './Wizard.module.css';

interface TimingFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

const WORKDAYS: DeliveryWindow = { days: [1, 2, 3, 4, 5], from: '09:00', until: '18:00' };

export function TimingFields({ draft, change }: TimingFieldsProps) {
  const { timing } = draft;
  const set = (changes: Partial<CampaignTiming>) => change({ timing: { ...timing, ...changes } });
  return (
    <>
      {isTimed(draft) && (
        <Checkbox
          label="Use each recipient’s time zone"
          description="Recipients get the message when their own clocks show this time."
          checked={timing.local_time}
          onChange={(event) => set({ local_time: event.currentTarget.checked })}
        />
      )}
      <WindowFields windows={timing.windows} onChange={(windows) => set({ windows })} />
      <div className={styles.timing}>
        <QuietHoursField value={timing.quiet_hours} onChange={(quiet_hours) => set({ quiet_hours })} />
        <SpeedFields timing={timing} set={set} />
        {(isTimed(draft) || (draft.when === 'auto' && draft.trigger.on === 'date')) && (
          <Select
            label="If the start is missed"
            description="After an outage of more than an hour."
            value={timing.missed_schedule}
            onChange={(value) => value && set({ missed_schedule: value as CampaignTiming['missed_schedule'] })}
            data={[
              { value: 'pause', label: 'Pause the campaign' },
              { value: 'send', label: 'Send late' },
              { value: 'skip', label: draft.when === 'later' ? 'Cancel the campaign' : 'Skip the run' },
            ]}
          />
        )}
      </div>
    </>
  );
}

/** The wizard edits the first window. The API supports several. */
function WindowFields({
  windows,
  onChange,
}: {
  windows: readonly DeliveryWindow[];
  onChange: (windows: DeliveryWindow[]) => void;
}) {
  const [first, ...others] = windows;
  const change = (changes: Partial<DeliveryWindow>) => onChange([{ ...WORKDAYS, ...first, ...changes }, ...others]);
  return (
    <div className={styles.window}>
      <Checkbox
        label="Deliver only at certain hours"
        description="In each recipient’s time zone. Other recipients wait for the next allowed hour."
        checked={first !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? [WORKDAYS] : [])}
      />
      {first && (
        <>
          <Checkbox.Group
            label="Days"
            value={first.days.map(String)}
            onChange={(days) => days.length > 0 && change({ days: days.map(Number).sort((a, b) => a - b) })}
          >
            <div className={styles.days}>
              {WEEKDAYS.map((day, index) => (
                <Checkbox key={day} value={String(index + 1)} label={day.slice(0, 3)} aria-label={day} />
              ))}
            </div>
          </Checkbox.Group>
          <div className={styles.hours}>
            <DateField
              kind="time"
              label="From"
              value={first.from}
              onChange={(from) => isTime(from) && change({ from })}
            />
            <DateField
              kind="time"
              label="Until"
              value={first.until === '24:00' ? '23:59' : first.until}
              error={first.from >= first.until ? 'Must be after the start' : undefined}
              onChange={(until) => isTime(until) && change({ until })}
            />
          </div>
          {others.length > 0 && <p className={styles.hint}>More windows were set through the API and are kept.</p>}
        </>
      )}
    </div>
  );
}

function QuietHoursField({
  value,
  onChange,
}: {
  value: CampaignTiming['quiet_hours'];
  onChange: (value: CampaignTiming['quiet_hours']) => void;
}) {
  const { quiet_hours } = useSession().account;
  const account = quiet_hours ? `${quiet_hours.from} to ${quiet_hours.until}` : 'off';
  return (
    <Select
      label="Quiet hours"
      description="Recipients in quiet hours wait."
      value={value}
      onChange={(next) => next && onChange(next as CampaignTiming['quiet_hours'])}
      data={[
        { value: 'account', label: `Account setting (${account})` },
        { value: 'legal', label: 'Legal hours only' },
        { value: 'none', label: 'None (not marketing)' },
      ]}
    />
  );
}

const SPEEDS = [
  { value: 'full', label: 'As fast as possible' },
  { value: 'second', label: 'Limit per second' },
  { value: 'hour', label: 'Limit per hour' },
  { value: 'spread', label: 'Spread over hours' },
];

function SpeedFields({
  timing: { rate, spread_hours },
  set,
}: {
  timing: CampaignTiming;
  set: (changes: Partial<CampaignTiming>) => void;
}) {
  const speed = rate ? rate.per : spread_hours ? 'spread' : 'full';
  const choose = (next: string | null) =>
    set({
      rate: next === 'second' ? { messages: 10, per: next } : next === 'hour' ? { messages: 1_000, per: next } : null,
      spread_hours: next === 'spread' ? 4 : null,
    });
  return (
    <>
      <Select label="Speed" description="How fast messages are sent." value={speed} onChange={choose} data={SPEEDS} />
      {rate && (
        <NumberInput
          label={`Messages per ${rate.per}`}
          description={`At most ${MAX_RATE[rate.per].toLocaleString('en-US')}.`}
          min={1}
          max={MAX_RATE[rate.per]}
          allowDecimal={false}
          value={rate.messages}
          onChange={(value) => typeof value === 'number' && set({ rate: { ...rate, messages: value } })}
        />
      )}
      {spread_hours !== null && (
        <NumberInput
          label="Hours"
          description={`At most ${MAX_SPREAD_HOURS}.`}
          min={1}
          max={MAX_SPREAD_HOURS}
          allowDecimal={false}
          value={spread_hours}
          onChange={(value) => typeof value === 'number' && set({ spread_hours: value })}
        />
      )}
    </>
  );
}
