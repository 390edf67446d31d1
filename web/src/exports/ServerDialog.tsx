import { Modal, NumberInput, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { SftpDestination } from '@parley/contract/exports/destinations.ts';
import { useState } from 'react';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter, Pair } from '../ui/form/FormParts.tsx';
import { type DestinationValues, FILE_NAME_HELP, initialValues, toBody } from './destination_values.ts';
import styles from './Exports.module.css';
import { ConnectionTest, type HostKeyChoice, HostKeyPart } from './ServerParts.tsx';
import { useDestinationForm } from './useDestinationForm.ts';

const AUTHS = [
  { value: 'password', label: 'Password' },
  { value: 'private_key', label: 'Private key' },
];
const LABELS = {
  ...{ name: 'Name', host: 'Host', port: 'Port', username: 'User', password: 'Password', private_key: 'Private key' },
  ...{ folder: 'Folder', file_name: 'File name', host_key_fingerprint: 'Host key' },
};

interface ServerDialogProps {
  /** Null for a new server. Undefined closes the dialog. */
  destination: SftpDestination | null | undefined;
  onClose: () => void;
}

export default function ServerDialog({ destination, onClose }: ServerDialogProps) {
  return (
    <Modal
      opened={destination !== undefined}
      onClose={onClose}
      title={destination ? 'Edit SFTP server' : 'Add SFTP server'}
      size={600}
    >
      {destination !== undefined && <DestinationForm destination={destination} onClose={onClose} />}
    </Modal>
  );
}

interface DestinationFormProps {
  destination: SftpDestination | null;
  onClose: () => void;
}

/** The server needs an accepted host key, and a new one also a secret. */
const missingParts = (values: DestinationValues, isNew: boolean): Record<string, string | null> => ({
  host_key_fingerprint: values.host_key_fingerprint === '' ? 'Accept the host key of your server' : null,
  ...(isNew && values.auth === 'password' && values.password === '' ? { password: 'Password is required!' } : {}),
  ...(isNew && values.auth === 'private_key' && values.private_key === ''
    ? { private_key: 'Private key is required!' }
    : {}),
});

function DestinationForm({ destination, onClose }: DestinationFormProps) {
  const { form, bind, sending, problem } = useDestinationForm<DestinationValues>({
    ...{ destination, onClose, toBody, noun: 'SFTP server', labels: LABELS, initial: initialValues(destination) },
    check: (values) => missingParts(values, destination === null),
  });
  return (
    <Form {...bind} className={styles.form}>
      <Field form={form} name="name" as={TextInput} label="Name" placeholder="Data warehouse" data-autofocus />
      <ServerFields form={form} destination={destination} />
      <LoginFields form={form} destination={destination} />
      <FileFields form={form} />
      <ConnectionTest
        readBody={() => toTestBody(form.getValues())}
        findMissing={() =>
          form.getValues().host_key_fingerprint === '' ? 'Read and accept the host key first.' : null
        }
        destination_id={destination?.id}
      />
      <DialogFooter
        problem={problem}
        sending={sending}
        action={destination ? 'Save SFTP server' : 'Add SFTP server'}
        onClose={onClose}
      />
    </Form>
  );
}

function toTestBody(values: DestinationValues) {
  const { name: _, file_name: __, ...body } = toBody(values);
  return body;
}

interface FieldsProps {
  form: UseFormReturnType<DestinationValues>;
  destination: SftpDestination | null;
}

function ServerFields({ form, destination }: FieldsProps) {
  // Counts the changes of the server, each of which needs a new host key.
  const [servers, setServers] = useState(0);
  const chooseKey = ({ host_key_type, host_key_fingerprint }: HostKeyChoice) => {
    form.setFieldValue('host_key_type', host_key_type);
    form.setFieldValue('host_key_fingerprint', host_key_fingerprint);
    if (host_key_fingerprint !== '') form.clearFieldError('host_key_fingerprint');
  };
  const forgetKey = () => {
    chooseKey({ host_key_type: '', host_key_fingerprint: '' });
    setServers((count) => count + 1);
  };
  return (
    <>
      <Pair>
        <Field
          form={form}
          name="host"
          as={TextInput}
          label="Host"
          placeholder="sftp.example.com"
          onChange={forgetKey}
        />
        <Field
          form={form}
          name="port"
          as={NumberInput}
          label="Port"
          hideControls
          optional={false}
          onChange={forgetKey}
        />
      </Pair>
      <HostKeyPart
        key={servers}
        saved={servers === 0 ? destination : null}
        readServer={() => toBody(form.getValues())}
        error={form.errors.host_key_fingerprint}
        onChoose={chooseKey}
      />
    </>
  );
}

function LoginFields({ form, destination }: FieldsProps) {
  const [auth, setAuth] = useState(destination?.auth ?? 'password');
  return (
    <>
      <Pair>
        <Field form={form} name="username" as={TextInput} label="User" autoComplete="off" spellCheck={false} />
        <Field
          form={form}
          name="auth"
          as={Select}
          label="Sign in with"
          data={AUTHS}
          allowDeselect={false}
          optional={false}
          onChange={(next: unknown) => setAuth((next ?? 'password') as DestinationValues['auth'])}
        />
      </Pair>
      <SecretField form={form} auth={auth} isKept={destination?.auth === auth} />
    </>
  );
}

const FileFields = ({ form }: Pick<FieldsProps, 'form'>) => (
  <>
    <Field
      form={form}
      name="folder"
      as={TextInput}
      label="Folder"
      description="The folder must exist. If empty, files go to the user’s home folder."
      placeholder="/incoming/parley"
      optional
    />
    <Field
      form={form}
      name="file_name"
      as={TextInput}
      label="File name"
      description={FILE_NAME_HELP}
      optional={false}
    />
  </>
);

interface SecretFieldProps {
  form: UseFormReturnType<DestinationValues>;
  auth: DestinationValues['auth'];
  /** True if an empty field keeps the stored secret. */
  isKept: boolean;
}

function SecretField({ form, auth, isKept }: SecretFieldProps) {
  const kept = 'Leave empty to keep the stored value. Required again if the host or user changes.';
  if (auth === 'password')
    return (
      <Field
        form={form}
        name="password"
        as={PasswordInput}
        label="Password"
        {...(isKept ? { description: kept } : {})}
        optional={isKept}
        autoComplete="new-password"
      />
    );
  return (
    <Field
      form={form}
      name="private_key"
      as={Textarea}
      label="Private key"
      description={isKept ? kept : 'OpenSSH or PEM format, without a passphrase.'}
      optional={isKept}
      minRows={3}
      maxRows={6}
      autosize
      autoComplete="off"
      spellCheck={false}
    />
  );
}
