/** Fields and controls in each of their states. Their dates are fixed, so that the pictures stay the same. */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SearchInput } from '../ui/controls/SearchInput.tsx';
import { Segments } from '../ui/controls/Segments.tsx';
import { SmallSelect } from '../ui/controls/SmallSelect.tsx';
import { Tick } from '../ui/controls/Tick.tsx';
import { CodeBlock } from '../ui/data/CodeBlock.tsx';
import { HeatMap } from '../ui/data/chart/HeatMap.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { NotAllowed } from '../ui/feedback/NotAllowed.tsx';
import DateChoices from '../ui/form/dates/DateChoices.tsx';
import { DateField, type DateFieldProps } from '../ui/form/dates/DateField.tsx';
import type { DateKind } from '../ui/form/dates/date_text.ts';
import { PhoneInput } from '../ui/form/phone/PhoneInput.tsx';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';
import { ZoneSelect } from '../ui/form/ZoneSelect.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';

export function FieldSpecimens() {
  return (
    <>
      <DateSpecimen />
      <ChoiceSpecimen />
      <ControlSpecimen />
      <NavigationSpecimen />
      <HeatMapSpecimen />
      <Specimen title="Code with a copy button">
        <CodeBlock
          label="request"
          code={'curl \'https://parley.example/v1/messages\' \\\n  -H "X-API-Key: $PARLEY_KEY"'}
        />
      </Specimen>
      <Specimen title="Page without permission">
        <div className={styles.card}>
          <NotAllowed title="Billing" reason="You need the permission to view payments." more="Ask Dana Quill." />
        </div>
      </Specimen>
    </>
  );
}

const Grid = ({ children }: { children: ReactNode }) => (
  <div className={`${styles.card} ${styles.fields}`}>{children}</div>
);

const Dated = ({ value: start = '', ...props }: DateFieldProps) => {
  const [value, setValue] = useState(start);
  return <DateField {...props} value={value} onChange={setValue} />;
};

const TODAY = '2026-11-28';

function DateSpecimen() {
  return (
    <Specimen title="Date field: empty, date, time, invalid, disabled, open">
      <Grid>
        <Dated label="Empty" description="In the account’s time zone." />
        <Dated label="Date" value={TODAY} />
        <Dated label="Date and time" kind="datetime" value={`${TODAY}T14:30`} />
        <Dated label="Time" kind="time" value="21:00" />
        <Dated label="Invalid" value="soon" error="Enter a date as DD-MM-YYYY" />
        <Dated label="Disabled" value={TODAY} disabled />
        {(['date', 'datetime', 'time'] as const).map((kind) => (
          <OpenDate key={kind} kind={kind} />
        ))}
      </Grid>
    </Specimen>
  );
}

const OPEN_VALUES: Readonly<Record<DateKind, string>> = { date: TODAY, datetime: `${TODAY}T14:30`, time: '14:30' };

function OpenDate({ kind }: { kind: DateKind }) {
  const [value, setValue] = useState(OPEN_VALUES[kind]);
  return (
    <div className={styles.choices}>
      <DateChoices
        kind={kind}
        value={value}
        today="2026-11-26"
        min="2026-11-20"
        onReady={() => {}}
        onChange={setValue}
      />
    </div>
  );
}

const CITIES = ['Berlin', 'Hamburg', 'Köln', 'München'];

function ChoiceSpecimen() {
  const [city, setCity] = useState<string | null>('Hamburg');
  const [zone, setZone] = useState<string | null>('Asia/Dubai');
  return (
    <Specimen title="Searchable choices and phone numbers: chosen, empty, invalid, disabled">
      <Grid>
        <SearchSelect label="City" data={CITIES} value={city} onChange={setCity} required />
        <SearchSelect
          label="No city yet"
          data={CITIES}
          placeholder="Search cities"
          description="Where you send from."
        />
        <SearchSelect label="Invalid city" data={CITIES} error="Select a city" />
        <SearchSelect label="Disabled city" data={CITIES} defaultValue="Berlin" disabled />
        <ZoneSelect label="Time zone" current="Asia/Dubai" value={zone} onChange={setZone} />
        <TextInput label="Read only" defaultValue="Harbour Coffee" readOnly />
      </Grid>
      <Grid>
        <PhoneInput label="Phone" country="DE" initial="0176 04069060" onChange={() => {}} />
        <PhoneInput
          label="Invalid phone"
          country="GB"
          initial="07400"
          error="Enter a valid number"
          onChange={() => {}}
        />
      </Grid>
    </Specimen>
  );
}

const DAYS = ['7', '30', '90'].map((value) => ({ value, label: `${value} days` }));

function ControlSpecimen() {
  const [days, setDays] = useState('30');
  const [isOn, setOn] = useState(true);
  const toggle = () => setOn(!isOn);
  return (
    <Specimen title="Search, segments, small select, checkboxes">
      <div className={`${styles.card} ${styles.row}`}>
        <SearchInput aria-label="Search campaigns" placeholder="Search by name" />
        <Segments aria-label="Period" value={days} onChange={setDays} data={DAYS} />
        <SmallSelect aria-label="Days" value={days} onChange={setDays} data={DAYS} />
        <Tick label="Off" checked={!isOn} onChange={toggle} />
        <Tick label="On" checked={isOn} onChange={toggle} />
        <Tick label="Some" checked={false} indeterminate onChange={toggle} />
        <Tick label="Disabled" checked disabled onChange={toggle} />
      </div>
    </Specimen>
  );
}

const TABS = ['Overview', 'Log', 'Delivery', 'Costs'];

function NavigationSpecimen() {
  return (
    <Specimen title="Back link and tabs">
      <div className={styles.card}>
        <Back to="/gallery">SMS campaigns</Back>
        <PageTabs label="Sample">
          {TABS.map((name, index) => (
            <PageTab key={name} link={{ to: '/gallery', search: { tab: name } as never }} isOpen={index === 1}>
              {name}
            </PageTab>
          ))}
        </PageTabs>
      </div>
    </Specimen>
  );
}

const WEEK = ['Monday', 'Tuesday', 'Wednesday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

function HeatMapSpecimen() {
  const map = { description: 'Darker cells have a higher rate.', corner: 'Day', rows: WEEK, columns: HOURS };
  const cell = (row: number, column: number) => {
    if (column < 8 + row || column > 19) return null;
    const share = ((row * 7 + column * 3) % 20) / 20;
    return { share, text: `${Math.round(80 + share * 20)}%`, hint: '24 messages' };
  };
  const empty = <EmptyState title="No messages in this period" />;
  return (
    <Specimen title="Heat map: figures, loading, empty">
      <div className={styles.stack}>
        <HeatMap {...map} title="Delivery rate by hour" isLoading={false} cell={cell} empty={empty} />
        <div className={styles.pair}>
          <HeatMap {...map} title="Loading" isLoading cell={() => null} empty={empty} />
          <HeatMap {...map} title="Empty" isLoading={false} cell={() => null} empty={empty} />
        </div>
      </div>
    </Specimen>
  );
}
