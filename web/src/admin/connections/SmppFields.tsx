/** What a carrier that speaks SMPP has to be told. */
import { NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import styles from '../Admin.module.css';
import { type AnyForm, fieldsOf, Group } from './FormGroup.tsx';
import { ALPHABETS, BIND_MODES, ID_FORMATS, MULTIPART } from './words.ts';

export function SmppFields({ form, known }: { form: AnyForm; known: boolean }) {
  const { field, flag, select } = fieldsOf(form);
  return (
    <>
      <Group title="Carrier">
        <div className={styles.pair}>
          <TextInput
            label="Host"
            required
            autoComplete="off"
            key={form.key('settings.host')}
            {...field('settings.host')}
          />
          <NumberInput
            label="Port"
            required
            min={1}
            max={65_535}
            allowDecimal={false}
            key={form.key('settings.port')}
            {...field('settings.port')}
          />
        </div>
        <Switch label="Encrypted with TLS" key={form.key('settings.tls')} {...flag('settings.tls')} />
        <Switch
          label="Accept any certificate"
          description="For carriers whose certificate is of their own making. Nobody checks then who answers."
          key={form.key('settings.tls_insecure')}
          {...flag('settings.tls_insecure')}
        />
      </Group>
      <Group title="Log-in">
        <div className={styles.pair}>
          <TextInput
            label="System ID"
            required
            autoComplete="off"
            maxLength={15}
            key={form.key('settings.system_id')}
            {...field('settings.system_id')}
          />
          <PasswordInput
            label="Password"
            {...(known ? { description: 'Left empty, the old one stays.' } : {})}
            autoComplete="new-password"
            maxLength={8}
            key={form.key('settings.password')}
            {...field('settings.password')}
          />
        </div>
        <TextInput
          label="System type"
          description="Most carriers leave it empty."
          maxLength={12}
          key={form.key('settings.system_type')}
          {...field('settings.system_type')}
        />
      </Group>
      <Group title="Lines">
        <div className={styles.pair}>
          <NumberInput
            label="Lines"
            description="At once, shared by all workers. 1 to 16."
            min={1}
            max={16}
            allowDecimal={false}
            key={form.key('settings.binds')}
            {...field('settings.binds')}
          />
          <Select
            label="Binds"
            description="What the carrier allows on a line."
            key={form.key('settings.bind_mode')}
            {...select('settings.bind_mode', BIND_MODES)}
          />
          <NumberInput
            label="Window per line"
            description="Messages without an answer yet. 1 to 1,000."
            min={1}
            max={1_000}
            allowDecimal={false}
            key={form.key('settings.window')}
            {...field('settings.window')}
          />
          <NumberInput
            label="Rate per line"
            description="Messages a second; empty: as fast as it goes."
            min={1}
            max={10_000}
            allowDecimal={false}
            key={form.key('settings.throughput')}
            {...field('settings.throughput')}
            onChange={(value) => form.setFieldValue('settings.throughput', value === '' ? null : value)}
          />
          <NumberInput
            label="Answer within"
            suffix=" ms"
            thousandSeparator=","
            min={1_000}
            max={300_000}
            allowDecimal={false}
            key={form.key('settings.response_timeout_ms')}
            {...field('settings.response_timeout_ms')}
          />
          <NumberInput
            label="Test a silent line every"
            suffix=" ms"
            thousandSeparator=","
            min={1_000}
            max={600_000}
            allowDecimal={false}
            key={form.key('settings.enquire_link_ms')}
            {...field('settings.enquire_link_ms')}
          />
        </div>
      </Group>
      <Group title="Messages">
        <div className={styles.pair}>
          <Select
            label="Long messages"
            description="How their parts find together."
            key={form.key('settings.multipart')}
            {...select('settings.multipart', MULTIPART)}
          />
          <Select
            label="Default alphabet"
            description="What data coding 0 means there."
            key={form.key('settings.default_alphabet')}
            {...select('settings.default_alphabet', ALPHABETS)}
          />
          <Select
            label="Message ids"
            key={form.key('settings.id_format')}
            {...select('settings.id_format', ID_FORMATS)}
          />
          <NumberInput
            label="Type of number of short codes"
            min={0}
            max={7}
            allowDecimal={false}
            key={form.key('settings.short_code_ton')}
            {...field('settings.short_code_ton')}
          />
        </div>
        <Switch
          label="Repeats our reference in receipts"
          description="Then a receipt proves which message it is about, even when the answer was lost."
          key={form.key('settings.echoes_reference')}
          {...flag('settings.echoes_reference')}
        />
      </Group>
    </>
  );
}
