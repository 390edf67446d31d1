/** Sets the volume prices of a destination from a month on, after showing what they would have changed last month. */
import { ActionIcon, Button, NumberInput, Select, TextInput } from '@mantine/core';
import {
  MAX_VOLUME_STEPS,
  previewVolumePrice,
  saveVolumePrice,
  type VolumePreview,
  type VolumePrice,
} from '@parley/contract/admin/volume_prices.ts';
import { CHANNELS, type ChannelName, PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { PURPOSES, type Purpose } from '@parley/contract/messages/content.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { monthLabel } from '../../billing/statements.ts';
import { channelLabel } from '../../channels/index.ts';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { accountPath } from '../../paths.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { FormProblem, Pair } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { priceName } from '../price_list/price_words.ts';
import { AccountsInput } from '../reviews/AccountsInput.tsx';
import volumeStyles from './VolumePanel.module.css';
import { monthChoices, unitNoun } from './volume_words.ts';

const MICROS = 1_000_000;
const PRICE = { min: 0, max: 10_000, decimalScale: 6, hideControls: true } as const;
const UNITS = { min: 1, max: 1_000_000_000, allowDecimal: false, thousandSeparator: ',', hideControls: true } as const;

interface Step {
  id: number;
  units: number | string;
  price: number | string;
}
interface Draft {
  account_id: string | null;
  channel: ChannelName;
  country: string;
  mccmnc: string;
  purpose: Purpose | null;
  currency: (typeof CURRENCIES)[number];
  month: string;
  steps: Step[];
}

function toDraft(price: VolumePrice | null, months: { value: string }[]): Draft {
  const steps = (price?.steps ?? []).map((step, id) => ({
    id,
    units: step.above_units,
    price: step.price_micros / MICROS,
  }));
  // Steps in force do not change this month.
  const [now, next] = [months[0]!.value, months[1]!.value];
  return {
    account_id: price?.account_id ?? null,
    channel: price?.channel ?? PHONE_CHANNEL,
    country: price?.country ?? 'US',
    mccmnc: price?.mccmnc ?? '',
    purpose: price?.purpose ?? null,
    currency: price?.currency ?? 'USD',
    month: price ? (price.month > now ? price.month : next) : now,
    steps: steps.length > 0 ? steps : [{ id: 0, units: '', price: '' }],
  };
}

/** Without the lines that are empty. Null: a line is incomplete. */
function readSteps(steps: readonly Step[]): { above_units: number; price_micros: number }[] | null {
  const filled = steps.filter(({ units, price }) => units !== '' || price !== '');
  if (filled.some(({ units, price }) => units === '' || price === '')) return null;
  return filled.map(({ units, price }) => ({
    above_units: Number(units),
    price_micros: Math.round(Number(price) * MICROS),
  }));
}

function toBody({ steps: written, mccmnc, purpose, ...rest }: Draft) {
  const steps = readSteps(written);
  return (
    steps && {
      ...rest,
      steps,
      mccmnc: mccmnc.trim() || null,
      purpose: rest.channel === PHONE_CHANNEL ? null : purpose,
    }
  );
}

interface VolumePanelProps {
  open: boolean;
  /** The steps to change. Null: new ones. */
  price: VolumePrice | null;
  onClose: () => void;
}

export function VolumePanel({ open, price, onClose }: VolumePanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={price ? priceName(price) : 'Add volume prices'}
      description="Only units above a step get its lower price. Months are in UTC."
    >
      {open && <VolumeForm key={price?.id ?? 'new'} price={price} onDone={onClose} />}
    </SidePanel>
  );
}

function VolumeForm({ price, onDone }: { price: VolumePrice | null; onDone: () => void }) {
  const [months] = useState(() => monthChoices(new Date()));
  const [draft, setDraft] = useState(() => toDraft(price, months));
  const [preview, setPreview] = useState<VolumePreview | null>(null);
  const change = (fields: Partial<Draft>) => {
    setPreview(null);
    setDraft((before) => ({ ...before, ...fields }));
  };
  const show = useAction(previewVolumePrice, { onSuccess: ({ data }) => setPreview(data) });
  const save = useAction(saveVolumePrice, {
    onSuccess: () => {
      toast.success('The volume prices were saved');
      onDone();
    },
  });
  const body = toBody(draft);
  const isEnding = body?.steps.length === 0;
  const isReady = body !== null && (!isEnding || price !== null);
  return (
    <div className={styles.panelForm}>
      {price ? null : <DestinationFields draft={draft} onChange={change} />}
      <Select
        label="From month"
        description={
          price ? 'Steps in force do not change within a month.' : 'Messages already sent this month do not count.'
        }
        data={months}
        value={draft.month}
        onChange={(month) => month && change({ month })}
        allowDeselect={false}
      />
      <StepFields draft={draft} onChange={(steps) => change({ steps })} />
      {isEnding && price && <p className={styles.hint}>Without steps, the volume prices end when this month begins.</p>}
      {preview && <Effect preview={preview} noun={unitNoun(draft.channel)} />}
      <FormProblem>{save.error?.message ?? show.error?.message}</FormProblem>
      <Allow needs={saveVolumePrice.needs}>
        <div className={styles.buttons}>
          <Button disabled={!isReady} loading={save.isPending} onClick={() => body && save.mutate({ body })}>
            {isEnding && price ? 'End volume prices' : 'Save volume prices'}
          </Button>
          <Button
            variant="default"
            disabled={!isReady}
            loading={show.isPending}
            onClick={() => body && show.mutate({ body })}
          >
            Preview effect
          </Button>
        </div>
      </Allow>
    </div>
  );
}

interface FieldsProps {
  draft: Draft;
  onChange: (fields: Partial<Draft>) => void;
}

function DestinationFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <AccountsInput
        label="Account"
        description="Leave empty for all accounts that pay the list price."
        placeholder={draft.account_id === null ? 'All accounts' : ''}
        known={[]}
        value={draft.account_id === null ? [] : [draft.account_id]}
        onChange={(ids) => onChange({ account_id: ids.at(-1) ?? null })}
      />
      <Pair>
        <Select
          label="Channel"
          data={CHANNELS.map((value) => ({ value, label: channelLabel(value) }))}
          value={draft.channel}
          onChange={(channel) => channel && onChange({ channel: channel as ChannelName })}
          allowDeselect={false}
        />
        <CountrySelect label="Country" value={draft.country} onChange={(country) => country && onChange({ country })} />
      </Pair>
      <TextInput
        label="Network code"
        description="MCC and MNC, such as 26202. Leave empty for the price of all networks in the country."
        inputMode="numeric"
        maxLength={6}
        value={draft.mccmnc}
        onChange={(event) => onChange({ mccmnc: event.currentTarget.value })}
      />
      <Pair>
        <Select
          label="Currency"
          data={[...CURRENCIES]}
          value={draft.currency}
          onChange={(currency) => currency && onChange({ currency: currency as Draft['currency'] })}
          allowDeselect={false}
        />
        {draft.channel !== PHONE_CHANNEL && (
          <Select
            label="Purpose"
            placeholder="All purposes"
            data={[...PURPOSES]}
            value={draft.purpose}
            onChange={(purpose) => onChange({ purpose: purpose as Purpose | null })}
            clearable
            clearButtonProps={{ 'aria-label': 'All purposes' }}
          />
        )}
      </Pair>
    </>
  );
}

function StepFields({ draft, onChange }: { draft: Draft; onChange: (steps: Step[]) => void }) {
  const { steps, currency, channel } = draft;
  const noun = unitNoun(channel);
  const set = (id: number, fields: Partial<Step>) =>
    onChange(steps.map((step) => (step.id === id ? { ...step, ...fields } : step)));
  return (
    <section className={styles.section} aria-label="Steps">
      <h3>Steps</h3>
      {steps.map((step, n) => (
        <div key={step.id} className={volumeStyles.step}>
          <NumberInput
            label={`Above (${noun}s)`}
            aria-label={`Step ${n + 1}: above (${noun}s)`}
            {...UNITS}
            value={step.units}
            onChange={(units) => set(step.id, { units })}
          />
          <NumberInput
            label={`Price (${currency})`}
            aria-label={`Step ${n + 1}: price in ${currency}`}
            {...PRICE}
            value={step.price}
            onChange={(price) => set(step.id, { price })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove step ${n + 1}`}
            onClick={() => onChange(steps.filter(({ id }) => id !== step.id))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={steps.length >= MAX_VOLUME_STEPS}
          onClick={() =>
            onChange([...steps, { id: Math.max(-1, ...steps.map(({ id }) => id)) + 1, units: '', price: '' }])
          }
        >
          Add step
        </Button>
      </div>
    </section>
  );
}

type Row = VolumePreview['accounts'][number] & { currency: string };
const accountColumns = (noun: string): Column<Row>[] => [
  {
    key: 'account',
    title: 'Account',
    fixed: true,
    width: '100%',
    render: (row) => <Link to={accountPath(row.account_id)}>{row.company_name}</Link>,
  },
  { key: 'units', title: `${noun}s`, align: 'end', fixed: true, render: (row) => formatNumber(row.units) },
  {
    key: 'difference',
    title: 'Difference',
    align: 'end',
    fixed: true,
    render: (row) => <Money micros={row.after_micros - row.before_micros} currency={row.currency} exact />,
  },
];

function Effect({ preview, noun }: { preview: VolumePreview; noun: 'segment' | 'message' }): ReactNode {
  const { currency, accounts } = preview;
  const rows = accounts.map((row) => ({ ...row, currency }));
  return (
    <section className={styles.section} aria-label="Effect">
      <h3>Effect on messages in {monthLabel(preview.month)}</h3>
      {preview.accounts_count === 0 ? (
        <p className={styles.hint}>No account sent messages to this destination.</p>
      ) : (
        <>
          <p className={volumeStyles.sum}>
            {formatCount(preview.accounts_count, 'account')} sent {formatCount(preview.units, noun)} for{' '}
            <Money micros={preview.before_micros} currency={currency} exact />. With these steps:{' '}
            <Money micros={preview.after_micros} currency={currency} exact />.
          </p>
          <DataTable
            id="volume_preview"
            label="Accounts"
            grow
            columns={accountColumns(noun === 'segment' ? 'Segment' : 'Message')}
            rows={rows}
            rowKey={(row) => row.account_id}
            empty={null}
          />
        </>
      )}
    </section>
  );
}
