/** The fields of an SMPP account. */

import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import {
  BIND_TYPES,
  type BindType,
  getSmppServer,
  SMPP_BINDS,
  SMPP_THROUGHPUT,
  SMPP_WINDOW,
  type SmppAccount,
} from '@parley/contract/smpp/smpp.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import styles from '../keys/Keys.module.css';
import { formatNumber } from '../ui/data/format.ts';
import { Field } from '../ui/form/Field.tsx';
import { BIND_LABELS } from './words.ts';

export interface SmppValues extends Record<string, unknown> {
  name: string;
  /** One per line. */
  addresses: string;
  sources: string;
  bind_types: BindType[];
  window: number | string;
  throughput: number | string;
  max_binds: number | string;
  tls: boolean;
  receives_inbound: boolean;
}

export const NEW_ACCOUNT: SmppValues = {
  ...{ name: '', addresses: '', sources: '', bind_types: [...BIND_TYPES], window: SMPP_WINDOW.default },
  ...{ throughput: '', max_binds: SMPP_BINDS.default, tls: false, receives_inbound: true },
};

export const smppValues = (account: SmppAccount): SmppValues => ({
  name: account.name,
  addresses: account.addresses.join('\n'),
  sources: account.sources.join('\n'),
  bind_types: account.bind_types,
  window: account.window,
  throughput: account.throughput ?? '',
  max_binds: account.max_binds,
  tls: account.tls,
  receives_inbound: account.receives_inbound,
});

const lines = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((line) => line.trim())
    .filter(Boolean);

export const smppBody = ({ addresses, sources, window, throughput, max_binds, ...values }: SmppValues) => ({
  ...values,
  addresses: lines(addresses),
  sources: lines(sources),
  window: Number(window),
  throughput: throughput === '' ? null : Number(throughput),
  max_binds: Number(max_binds),
});

export const SMPP_LABELS = {
  name: 'Name',
  addresses: 'Allowed IP addresses',
  sources: 'Allowed source addresses',
  bind_types: 'Bind types',
  window: 'Window',
  throughput: 'Messages per second',
  max_binds: 'Concurrent sessions',
  tls: 'Require TLS',
  receives_inbound: 'Receive inbound messages',
};

type Form = UseFormReturnType<SmppValues>;

export function SmppFields({ form }: { form: Form }) {
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Account</legend>
        <Field
          form={form}
          name="name"
          as={TextInput}
          label={SMPP_LABELS.name}
          description="The program that uses the account."
          maxLength={60}
          autoComplete="off"
          data-autofocus
        />
        <Field
          form={form}
          name="sources"
          as={Textarea}
          label={SMPP_LABELS.sources}
          description="Numbers and sender IDs, one per line. Leave empty to allow all your senders."
          optional
          autosize
          minRows={2}
          spellCheck={false}
        />
        <Field
          form={form}
          name="receives_inbound"
          as={Checkbox}
          type="checkbox"
          label={SMPP_LABELS.receives_inbound}
          description="Messages to the source addresses above are delivered to sessions that can receive."
        />
      </fieldset>
      <Access form={form} />
      <Limits form={form} />
    </>
  );
}

function Access({ form }: { form: Form }) {
  return (
    <fieldset className={styles.group}>
      <legend>Access</legend>
      <Field form={form} name="bind_types" as={Checkbox.Group} label={SMPP_LABELS.bind_types}>
        <div className={styles.newKey}>
          {BIND_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={BIND_LABELS[type]} />
          ))}
        </div>
      </Field>
      <Field
        form={form}
        name="addresses"
        as={Textarea}
        label={SMPP_LABELS.addresses}
        description="One per line, such as 192.0.2.1 or 192.0.2.0/24. Leave empty to allow any address."
        optional
        autosize
        minRows={2}
        spellCheck={false}
      />
      <Field
        form={form}
        name="tls"
        as={Checkbox}
        type="checkbox"
        label={SMPP_LABELS.tls}
        description="Refuses binds on the port without TLS, where others could read passwords and messages."
      />
    </fieldset>
  );
}

function Limits({ form }: { form: Form }) {
  const server = useEndpoint(getSmppServer).data?.data;
  const most = (value: number | undefined) => (value === undefined ? '' : ` At most ${formatNumber(value)}.`);
  return (
    <fieldset className={styles.group}>
      <legend>Limits</legend>
      <Field
        form={form}
        name="window"
        as={NumberInput}
        label={SMPP_LABELS.window}
        description={`The maximum number of submits per session that await a response.${most(server?.max_window)}`}
        min={SMPP_WINDOW.min}
        max={SMPP_WINDOW.max}
        decimalScale={0}
        hideControls
      />
      <Field
        form={form}
        name="throughput"
        as={NumberInput}
        label={SMPP_LABELS.throughput}
        description={`Across all sessions.${most(server?.max_throughput)}`}
        optional
        min={SMPP_THROUGHPUT.min}
        max={SMPP_THROUGHPUT.max}
        decimalScale={0}
        hideControls
      />
      <Field
        form={form}
        name="max_binds"
        as={NumberInput}
        label={SMPP_LABELS.max_binds}
        description={`The maximum number of sessions bound at the same time.${most(server?.max_binds)}`}
        min={SMPP_BINDS.min}
        max={SMPP_BINDS.max}
        decimalScale={0}
        hideControls
      />
    </fieldset>
  );
}
