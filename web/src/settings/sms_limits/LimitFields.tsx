/** The fields of a limit: the traffic that it counts, its number, and its action. */
import { Input, MultiSelect, NumberInput, Select, Switch, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CHANNEL_LABELS, CHANNELS } from '@parley/contract/channels/names.ts';
import {
  countsSpend,
  LIMIT_INTERVALS,
  LIMIT_TYPE_WORDS,
  LIMIT_TYPES,
  MAX_WARNINGS,
} from '@parley/contract/guard/limits.ts';
import { useState } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { Segments } from '../../ui/controls/Segments.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Settings.module.css';
import type { LimitValues } from './limit_values.ts';
import limitStyles from './SmsLimits.module.css';
import { SuggestionPart } from './SuggestionPart.tsx';

const TYPES = LIMIT_TYPES.map((value) => ({ value, label: LIMIT_TYPE_WORDS[value].label }));
const INTERVALS = LIMIT_INTERVALS.map((value) => ({ value, label: `Per ${value}` }));
const WARNINGS = ['50', '75', '80', '90', '95'];
const SHARING = [
  { value: 'none', label: 'No, only this account' },
  { value: 'each', label: 'Yes, each sub-account counts separately' },
  { value: 'together', label: 'Yes, all accounts count together' },
];
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: CHANNEL_LABELS[value] }));

export function LimitFields({ form }: { form: UseFormReturnType<LimitValues> }) {
  const { account } = useSession();
  const { type: initial, warn_at } = form.getValues();
  const [type, setType] = useState(initial);
  // Includes other percentages that were set with the API.
  const [warnings] = useState(() =>
    [...new Set([...WARNINGS, ...warn_at])]
      .sort((a, b) => Number(a) - Number(b))
      .map((value) => ({ value, label: `${value}%` })),
  );
  form.watch('type', ({ value }) => setType(value));
  return (
    <>
      <Field
        form={form}
        name="type"
        as={Select}
        label="What to count"
        description={LIMIT_TYPE_WORDS[type].description}
        data={TYPES}
        allowDeselect={false}
        data-autofocus
      />
      <div className={styles.pair}>
        <Field
          form={form}
          name="limit"
          as={NumberInput}
          label={countsSpend(type) ? `Limit (${account.currency})` : 'Limit'}
          min={0}
          decimalScale={countsSpend(type) ? 2 : 0}
          thousandSeparator=","
          hideControls
        />
        <Field form={form} name="interval" as={Select} label="Interval" data={INTERVALS} allowDeselect={false} />
      </div>
      <p className={styles.hint}>The count resets at the start of each interval, in UTC.</p>
      <SuggestionPart form={form} />
      <Field
        form={form}
        name="countries"
        as={CountriesSelect}
        label="Countries"
        description="Leave empty to count messages to all countries."
        clearable
        clearButtonProps={{ 'aria-label': 'All countries' }}
      />
      <Field
        form={form}
        name="prefixes"
        as={TagsInput}
        label="Number prefixes"
        description="Count only numbers that start with these digits, such as +4477. Press Enter after each one."
        optional
        maxTags={50}
      />
      <Field form={form} name="channels" as={MultiSelect} label="Channels" data={CHANNEL_OPTIONS} />
      <Action form={form} />
      {account.account_type === 'MAIN' && <Sharing form={form} />}
      <Field
        form={form}
        name="warn_at"
        as={MultiSelect}
        label="Warn at"
        description="Owners get an email and webhooks get an event once per interval, before the limit is reached."
        data={warnings}
        maxValues={MAX_WARNINGS}
        optional
      />
      <Field form={form} name="enabled" as={Switch} type="checkbox" label="Enabled" />
    </>
  );
}

const Sharing = ({ form }: { form: UseFormReturnType<LimitValues> }) => (
  <Field
    form={form}
    name="sub_accounts"
    as={Select}
    label="Applies to sub-accounts"
    description="Sub-accounts see the limit and cannot change it. You can override it under Sub-accounts."
    data={SHARING}
    allowDeselect={false}
  />
);

function Action({ form }: { form: UseFormReturnType<LimitValues> }) {
  const [value, setValue] = useState(form.getValues().block_traffic);
  return (
    <Input.Wrapper
      labelElement="div"
      label="When the limit is reached"
      description={
        value
          ? 'Messages are blocked until the interval ends, at no charge. Campaigns pause.'
          : 'Messages are still sent. Owners get an email, and webhooks get an event.'
      }
    >
      <Segments
        className={limitStyles.action}
        aria-label="When the limit is reached"
        value={value ? 'block' : 'notify'}
        data={[
          { value: 'block', label: 'Block traffic' },
          { value: 'notify', label: 'Only notify' },
        ]}
        onChange={(next) => {
          setValue(next === 'block');
          form.setFieldValue('block_traffic', next === 'block');
        }}
      />
    </Input.Wrapper>
  );
}
