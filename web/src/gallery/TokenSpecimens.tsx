import {
  Anchor,
  Button,
  Checkbox,
  NumberInput,
  PasswordInput,
  Radio,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { ACCOUNT_STATUS, USER_STATUS } from '@parley/contract/accounts/accounts.ts';
import { IMPORT_STATUS } from '@parley/contract/audiences/imports.ts';
import { PAYMENT_STATUS } from '@parley/contract/billing/payment_statuses.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { MESSAGE_GROUPS, MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { SENDER_REQUEST, SENDER_STATUS } from '@parley/contract/senders/senders.ts';
import { TEMPLATE_STATUS } from '@parley/contract/templates/templates.ts';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { CountBadge } from '../ui/data/CountBadge.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { StatusWord } from '../ui/data/status.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { KeyHint } from '../ui/layout/KeyHint.tsx';
import { WordMark } from '../ui/layout/WordMark.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';

const COLORS = [
  'paper',
  'surface',
  'sunken',
  'hover',
  'press',
  'line',
  'line-strong',
  'accent',
  'accent-soft',
  'ok-soft',
  'ok-mark',
  'flight-soft',
  'flight-mark',
  'wait-soft',
  'wait-mark',
  'fail-soft',
  'fail-mark',
  'off-soft',
  'off-mark',
  'sms-mark',
  'whatsapp-mark',
  'viber-mark',
];
const TABLES: readonly { name: string; table: Readonly<Record<string, StatusWord>> }[] = [
  { name: 'Figures of messages', table: MESSAGE_GROUPS },
  { name: 'Messages', table: MESSAGE_STATUS },
  { name: 'Campaigns', table: CAMPAIGN_STATUS },
  { name: 'Imports', table: IMPORT_STATUS },
  { name: 'Senders', table: SENDER_STATUS },
  { name: 'Sender requests', table: SENDER_REQUEST },
  { name: 'Templates', table: TEMPLATE_STATUS },
  { name: 'Users', table: USER_STATUS },
  { name: 'Accounts', table: ACCOUNT_STATUS },
  { name: 'Payments', table: PAYMENT_STATUS },
];
const SIZES = [
  ['xl', 'Page title, 22'],
  ['lg', 'Panel title, 16'],
  ['md', 'Text, 14'],
  ['sm', 'Tables, 13'],
  ['xs', 'Labels and notes, 12'],
];

export function TokenSpecimens() {
  return (
    <>
      <TypeSpecimen />
      <ColorSpecimen />
      <ButtonSpecimen />
      <StatusSpecimen />
      <ValueSpecimen />
      <FieldSpecimen />
    </>
  );
}

function TypeSpecimen() {
  return (
    <Specimen title="Logo and type">
      <div className={styles.row} style={{ gap: 48 }}>
        <WordMark size={36} />
        <div className={styles.type}>
          {SIZES.map(([size, text]) => (
            <span key={size} style={{ fontSize: `var(--mantine-font-size-${size})` }}>
              {text} 0123456789
            </span>
          ))}
        </div>
      </div>
    </Specimen>
  );
}

function ColorSpecimen() {
  return (
    <Specimen title="Colors">
      <div className={styles.swatches}>
        {COLORS.map((name) => (
          <div key={name}>
            <div className={styles.swatch} style={{ background: `var(--${name})` }} />
            {name}
          </div>
        ))}
      </div>
    </Specimen>
  );
}

function ButtonSpecimen() {
  return (
    <Specimen title="Buttons">
      <div className={styles.row}>
        <Button>Create campaign</Button>
        <Button variant="default">Cancel</Button>
        <Button variant="light">Resume (312)</Button>
        <Button variant="subtle">Clear</Button>
        <Button color="red">Delete audience</Button>
        <Button variant="light" color="red">
          Remove
        </Button>
        <Button loading>Saving</Button>
        <Button disabled>Disabled</Button>
        <Disabled reason="You need Add Campaign permission.">
          <Button>Disabled with a reason</Button>
        </Disabled>
        <Button size="xs" variant="default">
          Small
        </Button>
        <Anchor href="#main">A link</Anchor>
        <KeyHint keys={['mod', 'K']} />
        <CountBadge count={7} label="unread" />
        <CountBadge count={128} label="unread" />
        <CountBadge count={3} quiet />
      </div>
    </Specimen>
  );
}

function StatusSpecimen() {
  return (
    <Specimen title="Statuses">
      {TABLES.map(({ name, table }) => (
        <div key={name} className={styles.row}>
          <span>{name}</span>
          {Object.entries(table).map(([key, word]) => (
            <StatusBadge key={key} {...word} />
          ))}
        </div>
      ))}
      <div className={styles.row}>
        <StatusBadge {...MESSAGE_STATUS.failed} reason="Absent subscriber. Carrier code: 27" />
        <ToneBadge tone="accent">Default</ToneBadge>
        <ToneBadge tone="off">Test</ToneBadge>
      </div>
    </Specimen>
  );
}

function ValueSpecimen() {
  return (
    <Specimen title="Values">
      <div className={styles.row} style={{ gap: 28 }}>
        {ALL_CHANNELS.map(({ name }) => (
          <ChannelMark key={name} channel={name} />
        ))}
        <PhoneNumber value="37499123456" />
        <PhoneNumber value="+12025550148" />
        <PhoneNumber value="447700900123" />
        <PhoneNumber value="HARBOUR" />
        <Money micros={1_234_560_000} currency="USD" />
        <Money micros={7_500} currency="EUR" exact />
        <DateTime value="2026-11-21 09:05:12" />
        <CopyId value="6f0c1d2e-91b4-4a7e-8f00-5d2c7be91a11" label="campaign ID" short />
      </div>
    </Specimen>
  );
}

function FieldSpecimen() {
  return (
    <Specimen title="Fields">
      <div className={styles.pair}>
        <div className={styles.card} style={{ display: 'grid', gap: 16 }}>
          <TextInput
            label="Campaign name"
            description="Only your team sees it. Up to 45 characters."
            placeholder="Spring sale"
          />
          <TextInput label="Email" required defaultValue="anna@" error="Email is not a valid email!" />
          <PasswordInput
            label="Password"
            defaultValue="Secret123"
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password' }}
          />
          <Textarea label="Note" placeholder="For your team" autosize minRows={2} />
        </div>
        <div className={styles.card} style={{ display: 'grid', gap: 16 }}>
          <Select label="Sender" data={['HARBOUR', '+1 202 555 0148']} defaultValue="HARBOUR" />
          <NumberInput label="Messages per second" defaultValue={50} min={1} max={500} />
          <Checkbox label="Skip numbers that are already in the audience" defaultChecked />
          <Radio.Group label="When" defaultValue="now">
            <div style={{ display: 'flex', gap: 16, marginTop: 4 }}>
              <Radio size="xs" value="now" label="Now" />
              <Radio size="xs" value="later" label="Later" />
            </div>
          </Radio.Group>
          <Switch label="Track links" defaultChecked />
          <TextInput label="Account ID" disabled defaultValue="acc_4821" />
        </div>
      </div>
    </Specimen>
  );
}
