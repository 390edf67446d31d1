/** The trigger of an automation, and how often a person can get its message. */
import { Checkbox, NumberInput, Select } from '@mantine/core';
import { listKeywords } from '@parley/contract/audiences/keywords.ts';
import { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import {
  type CampaignTrigger,
  MAX_OFFSET_DAYS,
  MAX_REENTRY_DAYS,
  MAX_WAIT_DAYS,
  NEEDS_NO_AUDIENCE,
  newTrigger,
  type TriggerKind,
} from '@parley/contract/campaigns/triggers.ts';
import { useContactFields } from '../../../audiences/people/contact_fields.ts';
import { useEndpoint } from '../../../kernel/http/query.ts';
import { CONTACT_FIELDS, KEYWORDS } from '../../../paths.ts';
import { DateField } from '../../../ui/form/dates/DateField.tsx';
import { isTime } from '../../../ui/form/dates/date_text.ts';
import { FixLink } from '../../FixLink.tsx';
import type { Draft } from '../draft.ts';
import styles from '../Wizard.module.css';

const KINDS: readonly { value: TriggerKind; label: string }[] = [
  { value: 'joined', label: 'A person joins the audience' },
  { value: 'date', label: 'A birthday or another date' },
  { value: 'no_reply', label: 'No reply to a campaign' },
  { value: 'keyword', label: 'A person sends a keyword' },
];

const REENTRY: Readonly<Record<TriggerKind, string>> = {
  joined: 'Every time they join',
  date: 'Every time',
  no_reply: 'Every time',
  keyword: 'Every time, once a day',
};

interface PartProps {
  trigger: CampaignTrigger;
  set: (changes: Partial<CampaignTrigger>) => void;
}

export default function AutomationFields({
  draft,
  change,
}: {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}) {
  const { trigger } = draft;
  const set = (changes: Partial<CampaignTrigger>) => change({ trigger: { ...trigger, ...changes } });
  return (
    <>
      <div className={styles.timing}>
        <Select
          label="Starts when"
          value={trigger.on}
          onChange={(on) => on && change({ trigger: newTrigger(on as TriggerKind) })}
          data={KINDS}
        />
        {trigger.on === 'date' && <DatePart trigger={trigger} set={set} />}
        {trigger.on === 'no_reply' && <CampaignPart trigger={trigger} set={set} />}
        {trigger.on === 'keyword' && <KeywordPart trigger={trigger} set={set} />}
      </div>
      {trigger.on === 'joined' && (
        <Checkbox
          label="Also when an import adds them"
          description="Otherwise, it starts only for people added one by one, through a form, or by the API."
          checked={trigger.imports}
          onChange={(event) => set({ imports: event.currentTarget.checked })}
        />
      )}
      {trigger.on === 'date' && (
        <Checkbox
          label="Every year"
          description="February 29 counts as February 28 in other years."
          checked={trigger.yearly}
          onChange={(event) => set({ yearly: event.currentTarget.checked })}
        />
      )}
      {NEEDS_NO_AUDIENCE.includes(trigger.on) && (
        <Checkbox
          label="Only people in the selected audiences"
          checked={!draft.for_all}
          onChange={(event) => change({ for_all: !event.currentTarget.checked })}
        />
      )}
      <div className={styles.timing}>
        <Select
          label="Send to each person"
          value={trigger.reentry}
          onChange={(reentry) => reentry && set({ reentry: reentry as CampaignTrigger['reentry'] })}
          data={[
            { value: 'once', label: 'Only once' },
            { value: 'days', label: 'Again after a number of days' },
            { value: 'every', label: REENTRY[trigger.on] },
          ]}
        />
        {trigger.reentry === 'days' && (
          <Days
            label="Days until they can get it again"
            value={trigger.reentry_days}
            max={MAX_REENTRY_DAYS}
            onChange={(reentry_days) => set({ reentry_days })}
          />
        )}
      </div>
      <p className={styles.hint}>{NOTES[trigger.on]}</p>
    </>
  );
}

const NOTES: Readonly<Record<TriggerKind, string>> = {
  joined: 'People who join on the same day are in one run. People already in the audience do not get the message.',
  date: 'Each day has its own run, at this time in each recipient’s time zone.',
  no_reply: 'The days are counted from the end of the campaign, or of each run of a repeating campaign.',
  keyword: 'People who send it on the same day are in one run. The keyword’s reply and labels still apply.',
};

function Days({
  label,
  value,
  min = 1,
  max,
  onChange,
}: {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}) {
  return (
    <NumberInput
      label={label}
      min={min}
      max={max}
      allowDecimal={false}
      value={value}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  );
}

function DatePart({ trigger, set }: PartProps) {
  const dates = useContactFields().filter(({ kind }) => kind === 'date');
  const side = trigger.offset_days < 0 ? 'before' : 'after';
  const days = Math.abs(trigger.offset_days);
  return (
    <>
      <Select
        label="Date field"
        placeholder="Select a field"
        value={trigger.field}
        onChange={(field) => set({ field })}
        data={dates.map(({ key, label }) => ({ value: key, label }))}
        nothingFoundMessage="No date fields"
        description={
          dates.length === 0 && (
            <>
              You have no date fields yet. <FixLink fix={{ label: 'Add a field', path: CONTACT_FIELDS }} />
            </>
          )
        }
      />
      <Days
        label="Days"
        min={0}
        value={days}
        max={MAX_OFFSET_DAYS}
        onChange={(next) => set({ offset_days: side === 'before' ? -next : next })}
      />
      <Select
        label="Before or after"
        value={side}
        onChange={(next) => set({ offset_days: next === 'before' ? -Math.max(1, days) : days })}
        data={[
          { value: 'before', label: 'Days before the date' },
          { value: 'after', label: days === 0 ? 'On the date' : 'Days after the date' },
        ]}
      />
      <DateField kind="time" label="Time" value={trigger.time} onChange={(time) => isTime(time) && set({ time })} />
    </>
  );
}

function CampaignPart({ trigger, set }: PartProps) {
  const query = useEndpoint(listCampaigns, { query: { page_size: 100 } });
  const campaigns = (query.data?.data ?? []).filter(({ series_id }) => series_id === null);
  return (
    <>
      <Select
        label="Campaign"
        placeholder={query.isPending ? 'Loading' : 'Select a campaign'}
        value={trigger.campaign_id}
        onChange={(campaign_id) => set({ campaign_id })}
        data={campaigns.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        nothingFoundMessage="No campaigns"
        error={query.error ? 'The campaigns could not be loaded' : undefined}
      />
      <Days
        label="Days without a reply"
        value={trigger.wait_days}
        max={MAX_WAIT_DAYS}
        onChange={(wait_days) => set({ wait_days })}
      />
    </>
  );
}

function KeywordPart({ trigger, set }: PartProps) {
  const query = useEndpoint(listKeywords, {});
  const keywords = (query.data?.data ?? []).filter(({ effect }) => effect !== 'opt_out');
  return (
    <Select
      label="Keyword"
      placeholder={query.isPending ? 'Loading' : 'Select a keyword'}
      value={trigger.keyword_id}
      onChange={(keyword_id) => set({ keyword_id })}
      data={keywords.map(({ id, words }) => ({ value: id, label: words.join(', ') }))}
      nothingFoundMessage="No keywords"
      error={query.error ? 'The keywords could not be loaded' : undefined}
      description={
        keywords.length === 0 &&
        query.data && (
          <>
            You have no keywords yet. <FixLink fix={{ label: 'Add a keyword', path: KEYWORDS }} />
          </>
        )
      }
    />
  );
}
