/** The fields that creating and editing a link have in common. */
import { NumberInput, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ShortUrl } from '@parley/contract/links/links.ts';
import { useState } from 'react';
import type { ContractForm } from '../kernel/form/form.ts';
import { fromLocal, toLocal, toWire } from '../ui/controls/local_time.ts';
import { instant } from '../ui/data/format.ts';
import { DateField } from '../ui/form/dates/DateField.tsx';
import { Field } from '../ui/form/Field.tsx';
import { PasswordText } from '../ui/form/PasswordText.tsx';
import { UtmFields } from './UtmFields.tsx';

export interface LinkValues extends Record<string, unknown> {
  url: string;
  name: string;
  tags: string[];
  /** In the account's time zone: `2026-11-21T14:05`. */
  expire_date: string;
  max_clicks: number | string;
  /** Empty: as before. */
  password: string;
  removes_password: boolean;
}

export const emptyLink: LinkValues = {
  ...{ url: '', name: '', tags: [], expire_date: '', max_clicks: '', password: '', removes_password: false },
};

export const linkValues = ({ url, name, tags, expire_date, max_clicks }: ShortUrl, zone: string): LinkValues => ({
  url,
  name,
  tags: [...tags],
  expire_date: expire_date ? toLocal(instant(expire_date), zone) : '',
  max_clicks: max_clicks ?? '',
  password: '',
  removes_password: false,
});

export const linkBody = (
  { url, name, tags, expire_date, max_clicks, password, removes_password }: LinkValues,
  zone: string,
) => ({
  url,
  name,
  tags,
  expire_date: expire_date === '' ? null : toUtc(expire_date, zone),
  max_clicks: max_clicks === '' ? null : Number(max_clicks),
  ...(removes_password ? { password: null } : password !== '' && { password }),
});

/** In UTC, as the API expects it. Text that is not a date is sent unchanged, and refused at its field. */
function toUtc(local: string, zone: string): string {
  const time = fromLocal(local, zone);
  return time ? toWire(time) : local;
}

interface LinkFieldsProps<V extends LinkValues> {
  form: ContractForm<V>['form'];
  /** The destination of a link in a sent text cannot be changed. */
  isFixed?: boolean;
  hasPassword?: boolean;
}

export function LinkFields({ form, isFixed = false, hasPassword = false }: LinkFieldsProps<LinkValues>) {
  const [url, setUrl] = useState(form.getValues().url);
  form.watch('url', ({ value }) => setUrl(value));
  return (
    <>
      <Field
        form={form}
        name="url"
        as={TextInput}
        label="Destination"
        description={isFixed ? 'The destination of a link in a sent text cannot be changed.' : undefined}
        placeholder="https://example.com/sale"
        disabled={isFixed}
        inputMode="url"
      />
      {!isFixed && <UtmFields url={url} onChange={(next) => form.setFieldValue('url', next)} />}
      <Field form={form} name="name" as={TextInput} label="Name" maxLength={100} />
      <Field
        form={form}
        name="tags"
        as={TagsInput}
        label="Tags"
        description="Up to 10. Press Enter after each tag."
        maxTags={10}
      />
      <Field
        form={form}
        name="expire_date"
        as={DateField}
        kind="datetime"
        label="Expires"
        description="In the account’s time zone. After that, people see that the link has expired."
      />
      <Field
        form={form}
        name="max_clicks"
        as={NumberInput}
        label="Maximum clicks"
        description="Bots and link previews do not count."
        min={1}
        allowDecimal={false}
      />
      {!isFixed && (
        <Field
          form={form}
          name="password"
          as={PasswordText}
          label="Password"
          description={
            hasPassword
              ? 'This link has a password. Leave empty to keep it.'
              : 'People enter it before they are redirected. At least 6 characters.'
          }
          maxLength={72}
          autoComplete="new-password"
        />
      )}
      {hasPassword && (
        <Field form={form} name="removes_password" as={Switch} type="checkbox" label="Remove the password" />
      )}
    </>
  );
}
