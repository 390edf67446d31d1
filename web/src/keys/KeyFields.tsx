/** The fields of a key: name, scopes, expiry, and addresses. */
import { Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SCOPE_PRESETS } from '@parley/contract/keys/keys.ts';
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
}

export const addressList = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

export const keyBody = ({ addresses, ...values }: KeyValues) => ({ ...values, addresses: addressList(addresses) });

const DAY_MS = 86_400_000;
const DAYS = [7, 30, 90, 365] as const;
const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');

export function KeyFields({ form, permissions }: { form: UseFormReturnType<KeyValues>; permissions: Permissions }) {
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
      <Scopes form={form} initial={permissions} />
    </>
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
