import { ActionIcon, Button, Checkbox, NativeSelect } from '@mantine/core';
import { WEEKDAYS } from '@parley/contract/campaigns/timing.ts';
import { getInboxSettings, type OfficeHours, updateInboxSettings } from '@parley/contract/inbox/settings.ts';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { isTime } from '../../ui/form/dates/date_text.ts';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';
import rules from './Rules.module.css';

/** The hours of one day. */
interface Row {
  day: number;
  from: string;
  until: string;
}

const USUAL: Row[] = [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', until: '17:00' }));
const MAX_ROWS = 14;

const toRows = (hours: readonly OfficeHours[]): Row[] =>
  hours
    .flatMap(({ days, from, until }) => days.map((day) => ({ day, from, until })))
    .sort((a, b) => a.day - b.day || (a.from < b.from ? -1 : 1));

const toHours = (rows: readonly Row[]): OfficeHours[] => rows.map(({ day, ...times }) => ({ days: [day], ...times }));

export function OfficeHoursPart() {
  const query = useEndpoint(getInboxSettings);
  if (query.error)
    return (
      <ErrorState title="The office hours could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={3} />;
  const { office_hours } = query.data.data;
  return <HoursForm key={JSON.stringify(office_hours)} saved={office_hours && toRows(office_hours)} />;
}

function HoursForm({ saved }: { saved: Row[] | null }) {
  const zone = useZone();
  const reason = useReason(updateInboxSettings.needs);
  const [rows, setRows] = useState(saved);
  const save = useAction(updateInboxSettings, { onSuccess: () => toast.success('Office hours saved') });
  const isDirty = JSON.stringify(rows) !== JSON.stringify(saved);
  const isValid = rows === null || rows.every(({ from, until }) => from < until);
  useUnsavedGuard(() => isDirty);
  const change = (n: number, next: Partial<Row>) =>
    setRows((old) => old?.map((row, index) => (index === n ? { ...row, ...next } : row)) ?? null);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) save.mutate({ body: { office_hours: rows && toHours(rows) } });
      }}
    >
      <Checkbox
        label="Set office hours"
        description={`Without office hours, your office is always open. Times are in ${zone}.`}
        disabled={reason !== null}
        checked={rows !== null}
        onChange={(event) => setRows(event.currentTarget.checked ? USUAL : null)}
      />
      {rows?.map((row, n) => (
        <HoursRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and a new one is added at the end
          key={n}
          row={row}
          isReadOnly={reason !== null}
          onChange={(next) => change(n, next)}
          onRemove={() => setRows(rows.filter((_, index) => index !== n))}
        />
      ))}
      {rows && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={reason !== null || rows.length >= MAX_ROWS}
            onClick={() => setRows([...rows, { day: 6, from: '10:00', until: '14:00' }])}
          >
            Add hours
          </Button>
        </div>
      )}
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => setRows(saved)}
        save="Save office hours"
        reason={reason}
      />
    </form>
  );
}

interface HoursRowProps {
  row: Row;
  isReadOnly: boolean;
  onChange: (change: Partial<Row>) => void;
  onRemove: () => void;
}

function HoursRow({ row, isReadOnly, onChange, onRemove }: HoursRowProps) {
  return (
    <fieldset className={rules.hours} aria-label={WEEKDAYS[row.day - 1]}>
      <NativeSelect
        aria-label="Day"
        disabled={isReadOnly}
        value={String(row.day)}
        data={WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }))}
        onChange={(event) => onChange({ day: Number(event.currentTarget.value) })}
      />
      <DateField
        kind="time"
        label="From"
        readOnly={isReadOnly}
        value={row.from}
        onChange={(from) => isTime(from) && onChange({ from })}
      />
      <DateField
        kind="time"
        label="Until"
        readOnly={isReadOnly}
        value={row.until}
        error={row.from < row.until ? undefined : 'Must be later'}
        onChange={(until) => isTime(until) && onChange({ until })}
      />
      <ActionIcon variant="subtle" aria-label="Remove hours" disabled={isReadOnly} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </fieldset>
  );
}
