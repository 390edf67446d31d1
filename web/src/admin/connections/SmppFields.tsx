/** Settings of a carrier that uses SMPP. */
import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { Fragment } from 'react';
import { countryOptions } from '../../ui/form/countries.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { type AnyForm, ChoiceField, Group, NumberField } from './FormGroup.tsx';
import {
  ALPHABETS,
  BIND_MODES,
  CAPACITIES,
  ID_FORMATS,
  KEEP_SECRET,
  MULTIPART,
  PREFIXES,
  VALIDITIES,
} from './words.ts';

interface GroupProps {
  form: AnyForm;
}

export function SmppFields({ form, isNew }: GroupProps & { isNew: boolean }) {
  return (
    <>
      <HostGroup form={form} />
      <TlsGroup form={form} isNew={isNew} />
      <AuthenticationGroup form={form} isNew={isNew} />
      <BindGroup form={form} />
      <MessageGroup form={form} />
      <ReceiptGroup form={form} />
      <AddressGroup form={form} />
    </>
  );
}

const HostGroup = ({ form }: GroupProps) => (
  <Group title="Carrier">
    <Pair>
      <Field form={form} name="settings.host" as={TextInput} label="Host" autoComplete="off" />
      <NumberField form={form} name="settings.port" label="Port" thousandSeparator="" min={1} max={65_535} />
    </Pair>
  </Group>
);

const TlsGroup = ({ form, isNew }: GroupProps & { isNew: boolean }) => (
  <Group title="Encryption">
    <Field form={form} name="settings.tls" as={Switch} type="checkbox" label="Use TLS" />
    <Field
      form={form}
      name="settings.tls_insecure"
      as={Switch}
      type="checkbox"
      label="Accept any certificate"
      description="For carriers with a self-signed certificate. The carrier’s identity is not verified."
    />
    <Field
      form={form}
      name="settings.tls_server_name"
      as={TextInput}
      label="Server name"
      description="The name in the carrier’s certificate, if it differs from the host."
      autoComplete="off"
    />
    <PemField
      form={form}
      name="settings.tls_ca"
      label="Certificate authority"
      description="In PEM format. Leave empty to trust public certificate authorities."
    />
    <PemField
      form={form}
      name="settings.tls_certificate"
      label="Client certificate"
      description="In PEM format, if the carrier requires one. You can append the certificate chain."
    />
    <PemField
      form={form}
      name="settings.tls_key"
      label="Private key"
      description={isNew ? 'The key of the client certificate, in PEM format.' : KEEP_SECRET}
    />
  </Group>
);

interface PemFieldProps extends GroupProps {
  name: string;
  label: string;
  description: string;
}

const PemField = (props: PemFieldProps) => (
  <Field as={Textarea} autosize minRows={2} maxRows={6} autoComplete="off" spellCheck={false} {...props} />
);

const AuthenticationGroup = ({ form, isNew }: GroupProps & { isNew: boolean }) => (
  <Group title="Authentication">
    <Pair>
      <Field form={form} name="settings.system_id" as={TextInput} label="System ID" autoComplete="off" maxLength={15} />
      <Field
        form={form}
        name="settings.password"
        as={PasswordInput}
        label="Password"
        {...(isNew ? {} : { description: KEEP_SECRET })}
        autoComplete="new-password"
        maxLength={8}
      />
    </Pair>
    <Field
      form={form}
      name="settings.system_type"
      as={TextInput}
      label="System type"
      description="Usually empty."
      maxLength={12}
    />
  </Group>
);

const BindGroup = ({ form }: GroupProps) => (
  <Group title="Binds">
    <Pair>
      <NumberField
        form={form}
        name="settings.binds"
        label="Binds"
        description="Total across all workers, 1 to 16."
        min={1}
        max={16}
      />
      <ChoiceField
        form={form}
        name="settings.bind_mode"
        choices={BIND_MODES}
        label="Bind mode"
        description="Choose a mode that the carrier allows."
      />
      <NumberField
        form={form}
        name="settings.window"
        label="Window per bind"
        description="Maximum unacknowledged messages, 1 to 1,000."
        min={1}
        max={1_000}
      />
      <NumberField
        form={form}
        name="settings.throughput"
        label="Rate per bind"
        description="Messages per second. Leave empty for no limit."
        min={1}
        max={10_000}
      />
      <NumberField
        form={form}
        name="settings.response_timeout_ms"
        label="Response timeout"
        suffix=" ms"
        min={1_000}
        max={300_000}
      />
      <NumberField
        form={form}
        name="settings.enquire_link_ms"
        label="Idle check interval"
        suffix=" ms"
        min={1_000}
        max={600_000}
      />
    </Pair>
  </Group>
);

const MessageGroup = ({ form }: GroupProps) => (
  <Group title="Messages">
    <Pair>
      <ChoiceField
        form={form}
        name="settings.multipart"
        choices={MULTIPART}
        label="Long messages"
        description="How the segments of a message are joined."
      />
      <ChoiceField
        form={form}
        name="settings.default_alphabet"
        choices={ALPHABETS}
        label="Default alphabet"
        description="The alphabet for data_coding 0. It determines the number of segments and the price."
      />
      <ChoiceField
        form={form}
        name="settings.segment_capacity"
        choices={CAPACITIES}
        label="Segment capacity in Latin-1 and ASCII"
        description="Characters in a single-segment message. GSM-7 always fits 160."
      />
      <ChoiceField form={form} name="settings.validity" choices={VALIDITIES} label="Validity period" />
      <Field
        form={form}
        name="settings.service_type"
        as={TextInput}
        label="Service type"
        description="Usually empty."
        maxLength={5}
      />
    </Pair>
  </Group>
);

const ReceiptGroup = ({ form }: GroupProps) => (
  <Group title="Receipts and inbound messages">
    <Pair>
      <ChoiceField form={form} name="settings.id_format" choices={ID_FORMATS} label="Message IDs" />
      <NumberField
        form={form}
        name="settings.utc_offset_minutes"
        label="UTC offset in receipts"
        description="Minutes ahead of UTC. Leave empty to ignore the times in receipts."
        suffix=" min"
        min={-720}
        max={840}
      />
      <CountryField form={form} />
    </Pair>
    <Field
      form={form}
      name="settings.echoes_reference"
      as={Switch}
      type="checkbox"
      label="Message reference in receipts"
      description="If the carrier returns our reference, a receipt is matched to its message even without a response."
    />
  </Group>
);

const CountryField = ({ form }: GroupProps) => (
  <Field
    form={form}
    name="settings.country"
    as={Select}
    data={countryOptions()}
    searchable
    clearable
    label="Country for national numbers"
    description="For numbers that the carrier sends without a country code. Leave empty if there are none."
  />
);

const AddressGroup = ({ form }: GroupProps) => (
  <Group title="Addresses">
    <Pair>
      <ChoiceField form={form} name="settings.sender_prefix" choices={PREFIXES} label="Sender number format" />
      <ChoiceField form={form} name="settings.recipient_prefix" choices={PREFIXES} label="Recipient number format" />
      {ADDRESSES.map(({ name, label }) => (
        <Fragment key={name}>
          <NumberField
            form={form}
            name={`settings.${name}_ton`}
            label={`Type of number for ${label}`}
            min={0}
            max={7}
          />
          <NumberField
            form={form}
            name={`settings.${name}_npi`}
            label={`Numbering plan for ${label}`}
            min={0}
            max={18}
          />
        </Fragment>
      ))}
    </Pair>
  </Group>
);

const ADDRESSES = [
  { name: 'number', label: 'numbers' },
  { name: 'short_code', label: 'short codes' },
  { name: 'name', label: 'sender IDs' },
  { name: 'recipient', label: 'recipients' },
] as const;
