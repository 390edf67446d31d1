/** Settings of a carrier that uses SMPP. */
import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { type AnyForm, ChoiceField, Group, NumberField } from './FormGroup.tsx';
import { ALPHABETS, BIND_MODES, ID_FORMATS, KEEP_SECRET, MULTIPART } from './words.ts';

interface GroupProps {
  form: AnyForm;
}

export function SmppFields({ form, isNew }: GroupProps & { isNew: boolean }) {
  return (
    <>
      <HostGroup form={form} />
      <AuthenticationGroup form={form} isNew={isNew} />
      <BindGroup form={form} />
      <MessageGroup form={form} />
    </>
  );
}

const HostGroup = ({ form }: GroupProps) => (
  <Group title="Carrier">
    <Pair>
      <Field form={form} name="settings.host" as={TextInput} label="Host" autoComplete="off" />
      <NumberField form={form} name="settings.port" label="Port" thousandSeparator="" min={1} max={65_535} />
    </Pair>
    <Field form={form} name="settings.tls" as={Switch} type="checkbox" label="Use TLS" />
    <Field
      form={form}
      name="settings.tls_insecure"
      as={Switch}
      type="checkbox"
      label="Accept any certificate"
      description="For carriers with a self-signed certificate. The carrier’s identity is not verified."
    />
  </Group>
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
        description="The alphabet used for data_coding 0."
      />
      <ChoiceField form={form} name="settings.id_format" choices={ID_FORMATS} label="Message IDs" />
      <NumberField form={form} name="settings.short_code_ton" label="Type of number for short codes" min={0} max={7} />
    </Pair>
    <Field
      form={form}
      name="settings.echoes_reference"
      as={Switch}
      type="checkbox"
      label="Returns our reference in receipts"
      description="Receipts then identify their messages even if the responses were lost."
    />
  </Group>
);
