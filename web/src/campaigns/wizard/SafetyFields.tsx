/** A campaign's safeguards: a canary before the rest is sent, and limits that pause the campaign. */
import { Checkbox, NumberInput, Select } from '@mantine/core';
import { type CampaignSafety, MAX_WAIT_MINUTES, MIN_RESULTS, NO_SAFETY } from '@parley/contract/campaigns/safety.ts';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { type Draft, startsOneByOne } from './draft.ts';
import styles from './Wizard.module.css';

interface SafetyFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

type Canary = NonNullable<CampaignSafety['canary']>;
type Limits = CampaignSafety['limits'];

const LOOKUP_COST = 'You pay for each number that the lookup finds; results of the last 24 hours are free.';
const CANARY: Canary = { recipients: 100, percent: null, wait_minutes: 30 };
const LIMITS: Limits = { failed_percent: 20, opt_out_percent: 5, complaint_percent: 1 };

export default function SafetyFields({ draft, change }: SafetyFieldsProps) {
  const { safety } = draft;
  const set = (changes: Partial<CampaignSafety>) => change({ safety: { ...safety, ...changes } });
  const isCollected = startsOneByOne(draft);
  const isLimited = Object.values(safety.limits).some((limit) => limit !== null);
  return (
    <section className={styles.block} aria-label="Safeguards">
      <h3>Safeguards</h3>
      {!isCollected && (
        <Checkbox
          label="Send to a small group first"
          description="The rest is sent after a wait, unless the group’s results exceed a limit."
          checked={safety.canary !== null}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            set({ canary: checked ? CANARY : null, ...(checked && !isLimited ? { limits: LIMITS } : {}) });
          }}
        />
      )}
      {safety.canary && !isCollected && <CanaryFields canary={safety.canary} onChange={(canary) => set({ canary })} />}
      <Checkbox
        label="Pause if too many messages fail or recipients opt out"
        description={`Applies to the whole campaign after ${MIN_RESULTS} results. You and the owner get an email.`}
        checked={isLimited}
        onChange={(event) => set({ limits: event.currentTarget.checked ? LIMITS : NO_SAFETY.limits })}
      />
      {isLimited && <LimitFields limits={safety.limits} onChange={(limits) => set({ limits })} />}
      {!isCollected && (
        <Checkbox
          label="Look up numbers first"
          description={`Skips landlines and numbers that are not in use. ${LOOKUP_COST}`}
          checked={safety.lookup}
          onChange={(event) => set({ lookup: event.currentTarget.checked })}
        />
      )}
      {safety.lookup && !isCollected && (
        <CountriesSelect
          label="Countries to look up"
          description="Only numbers from these countries are looked up. Leave empty for all countries."
          value={safety.lookup_countries ?? []}
          onChange={(codes) => set({ lookup_countries: codes.length > 0 ? codes : null })}
          clearable
        />
      )}
    </section>
  );
}

function CanaryFields({ canary, onChange }: { canary: Canary; onChange: (canary: Canary) => void }) {
  const isShare = canary.percent !== null;
  return (
    <div className={styles.timing}>
      <Select
        label="Group size in"
        value={isShare ? 'percent' : 'recipients'}
        onChange={(unit) =>
          onChange({
            ...canary,
            ...(unit === 'percent' ? { percent: 5, recipients: null } : { recipients: 100, percent: null }),
          })
        }
        data={[
          { value: 'recipients', label: 'Recipients' },
          { value: 'percent', label: 'Percent' },
        ]}
      />
      <NumberInput
        label={isShare ? 'Percent of recipients' : 'Recipients'}
        min={1}
        max={isShare ? 99 : 100_000}
        allowDecimal={false}
        value={canary.percent ?? canary.recipients ?? ''}
        onChange={(value) =>
          typeof value === 'number' && onChange({ ...canary, [isShare ? 'percent' : 'recipients']: value })
        }
      />
      <NumberInput
        label="Wait in minutes"
        min={1}
        max={MAX_WAIT_MINUTES}
        allowDecimal={false}
        value={canary.wait_minutes}
        onChange={(value) => typeof value === 'number' && onChange({ ...canary, wait_minutes: value })}
      />
    </div>
  );
}

const LIMIT_LABELS: [keyof Limits, string][] = [
  ['failed_percent', 'Failed messages'],
  ['opt_out_percent', 'Opt-outs'],
  ['complaint_percent', 'Blocked senders'],
];

function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  return (
    <div className={styles.timing}>
      {LIMIT_LABELS.map(([key, label]) => (
        <NumberInput
          key={key}
          label={label}
          description="Leave empty for no limit."
          suffix="%"
          min={0.1}
          max={100}
          decimalScale={1}
          value={limits[key] ?? ''}
          onChange={(value) => onChange({ ...limits, [key]: typeof value === 'number' && value > 0 ? value : null })}
        />
      ))}
    </div>
  );
}
