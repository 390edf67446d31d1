/** A key's fields: name, scopes, expiration date, and addresses. */
import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ApiKey, SCOPE_PRESETS } from '@parley/contract/keys/keys.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { useState } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { PermissionTable } from '../team/PermissionTable.tsx';
import { RoleChoice } from '../team/RoleChoice.tsx';
import type { Bits } from '../team/roles.ts';
import { usePermissionUses } from '../team/usePermissionUses.ts';
import { formatDateTime } from '../ui/data/format.ts';
import { useZone } from '../ui/data/zone.ts';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { Field } from '../ui/form/Field.tsx';
import { FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Keys.module.css';

export interface KeyValues extends Record<string, unknown> {
  name: string;
  permissions: Bits;
  expire_date: string | null;
  /** One address per line. */
  addresses: string;
  test: boolean;
  requests_per_second: number | string;
  /** In the account's currency. */
  spend_limit: number | string;
  approval_recipients: number | string;
  /** In the account's currency. */
  approval_spend: number | string;
}

export const addressList = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** The form fields by the fields of the API, for problems with them. */
export const LIMIT_LABELS = {
  requests_per_second: 'Requests per second',
  spend_limit: 'Monthly spend',
  approval_recipients: 'Recipients per day without approval',
  approval_spend: 'Spend per day without approval',
};

const MICROS = 1_000_000;
const toNumber = (value: number | string): number | null => (value === '' ? null : Number(value));
const toMicros = (value: number | string): number | null => (value === '' ? null : Math.round(Number(value) * MICROS));
const fromMicros = (micros: number | null): number | string => (micros === null ? '' : micros / MICROS);

export const keyBody = ({
  addresses,
  test: _,
  requests_per_second,
  spend_limit,
  approval_recipients,
  approval_spend,
  ...values
}: KeyValues) => ({
  ...values,
  addresses: addressList(addresses),
  requests_per_second: toNumber(requests_per_second),
  spend_limit_micros: toMicros(spend_limit),
  approval_recipients: toNumber(approval_recipients),
  approval_micros: toMicros(approval_spend),
});

export const keyValues = (key: ApiKey): KeyValues => ({
  name: key.name,
  permissions: key.permissions as Bits,
  expire_date: key.expire_date,
  addresses: key.addresses.join('\n'),
  test: key.test,
  requests_per_second: key.requests_per_second ?? '',
  spend_limit: fromMicros(key.spend_limit_micros),
  approval_recipients: key.approval_recipients ?? '',
  approval_spend: fromMicros(key.approval_micros),
});

const DAY_MS = 86_400_000;
const DAYS = [7, 30, 90, 365] as const;
const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');

interface KeyFieldsProps {
  form: UseFormReturnType<KeyValues>;
  permissions: Permissions;
  /** Offers the choice between a live key and a test key. */
  isNew?: boolean;
}

export function KeyFields({ form, permissions, isNew = false }: KeyFieldsProps) {
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Key</legend>
        <Field
          form={form}
          name="name"
          as={TextInput}
          label="Name"
          description="The program or service that uses the key."
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        {isNew && (
          <Field
            form={form}
            name="test"
            as={Checkbox}
            type="checkbox"
            label="Test key"
            description="Its messages are free and reach no phone. This cannot be changed later."
          />
        )}
        <Expiry form={form} />
        <Field
          form={form}
          name="addresses"
          as={Textarea}
          label="Allowed IP addresses"
          description="One per line, such as 192.0.2.1 or 192.0.2.0/24. Leave empty to allow any address."
          optional
          autosize
          minRows={2}
          spellCheck={false}
        />
      </fieldset>
      <Limits form={form} />
      <Scopes form={form} initial={permissions} />
    </>
  );
}

function Limits({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { account } = useSession();
  return (
    <fieldset className={styles.group}>
      <legend>Limits</legend>
      <Field
        form={form}
        name="requests_per_second"
        as={NumberInput}
        label="Requests per second"
        description="Lowers the usual limit for this key."
        optional
        min={1}
        max={10_000}
        decimalScale={0}
        hideControls
      />
      <Field
        form={form}
        name="spend_limit"
        as={NumberInput}
        label={`Monthly spend (${account.currency})`}
        description="The maximum cost of its messages and codes. A key with this limit cannot start campaigns."
        optional
        min={0}
        decimalScale={2}
        thousandSeparator=","
        hideControls
      />
      <Field
        form={form}
        name="approval_recipients"
        as={NumberInput}
        label={LIMIT_LABELS.approval_recipients}
        description="Above this, a person approves each message under APIs, Approvals. Enter 0 for every message."
        optional
        min={0}
        max={1_000_000}
        decimalScale={0}
        thousandSeparator=","
        hideControls
      />
      <Field
        form={form}
        name="approval_spend"
        as={NumberInput}
        label={`${LIMIT_LABELS.approval_spend} (${account.currency})`}
        optional
        min={0}
        decimalScale={2}
        thousandSeparator=","
        hideControls
      />
    </fieldset>
  );
}

function Expiry({ form }: { form: UseFormReturnType<KeyValues> }) {
  const zone = useZone();
  const current = form.getInitialValues().expire_date;
  const [options] = useState(() => [
    { value: '', label: 'Never' },
    ...(current ? [{ value: current, label: formatDateTime(current, zone) }] : []),
    ...DAYS.map((days) => ({ value: inDays(days), label: `In ${days} days` })),
  ]);
  const [value, setValue] = useState(current ?? '');
  return (
    <Select
      label="Expires"
      data={options}
      value={value}
      allowDeselect={false}
      data-path="expire_date"
      error={form.errors.expire_date}
      onChange={(next) => {
        setValue(next ?? '');
        form.setFieldValue('expire_date', next || null);
      }}
    />
  );
}

function Scopes({ form, initial }: { form: UseFormReturnType<KeyValues>; initial: Permissions }) {
  const { permissions: giver } = useSession();
  const uses = usePermissionUses({ keys: true });
  const [value, setValue] = useState<Permissions>(initial);
  const change = (next: Bits) => {
    setValue(next);
    form.setFieldValue('permissions', next);
    form.clearFieldError('permissions');
  };
  const error = form.errors.permissions;
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Scopes</legend>
        <RoleChoice label="Scopes" presets={SCOPE_PRESETS} value={value} giver={giver} onChange={change} />
      </fieldset>
      <fieldset className={styles.group} data-path="permissions" tabIndex={-1}>
        <legend>Permissions</legend>
        <p className={styles.hint}>You can only grant permissions that you have.</p>
        {uses ? (
          <PermissionTable value={value} giver={giver} uses={uses} onChange={change} />
        ) : (
          <SkeletonFields count={6} />
        )}
        <FormProblem>{typeof error === 'string' ? error : null}</FormProblem>
      </fieldset>
    </>
  );
}
