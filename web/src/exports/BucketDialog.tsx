import { Modal, PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { S3Destination } from '@parley/contract/exports/destinations.ts';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter, Pair } from '../ui/form/FormParts.tsx';
import { type BucketValues, FILE_NAME_HELP, initialBucket, toBucketBody } from './destination_values.ts';
import styles from './Exports.module.css';
import { ConnectionTest } from './ServerParts.tsx';
import { useDestinationForm } from './useDestinationForm.ts';

const LABELS = {
  ...{ name: 'Name', endpoint: 'Endpoint', region: 'Region', bucket: 'Bucket', access_key_id: 'Access key ID' },
  ...{ secret_access_key: 'Secret access key', folder: 'Folder', file_name: 'File name' },
};

interface BucketDialogProps {
  /** Null for a new bucket. Undefined closes the dialog. */
  destination: S3Destination | null | undefined;
  onClose: () => void;
}

export default function BucketDialog({ destination, onClose }: BucketDialogProps) {
  return (
    <Modal
      opened={destination !== undefined}
      onClose={onClose}
      title={destination ? 'Edit S3 bucket' : 'Add S3 bucket'}
      size={600}
    >
      {destination !== undefined && <BucketForm destination={destination} onClose={onClose} />}
    </Modal>
  );
}

interface BucketFormProps {
  destination: S3Destination | null;
  onClose: () => void;
}

function BucketForm({ destination, onClose }: BucketFormProps) {
  const { form, bind, sending, problem } = useDestinationForm<BucketValues>({
    ...{ destination, onClose, noun: 'S3 bucket', labels: LABELS },
    ...{ initial: initialBucket(destination), toBody: toBucketBody },
    check: ({ secret_access_key }) =>
      destination === null && secret_access_key === '' ? { secret_access_key: 'Secret access key is required!' } : {},
  });
  const readBody = () => {
    const { name: _, file_name: __, ...body } = toBucketBody(form.getValues());
    return body;
  };
  return (
    <Form {...bind} className={styles.form}>
      <Field form={form} name="name" as={TextInput} label="Name" placeholder="Data warehouse" data-autofocus />
      <StoreFields form={form} />
      <KeyFields form={form} isKept={destination !== null} />
      <Field
        form={form}
        name="folder"
        as={TextInput}
        label="Folder"
        description="The first part of each file’s path. If empty, files go to the top level of the bucket."
        placeholder="exports/parley"
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
      <ConnectionTest readBody={readBody} destination_id={destination?.id} />
      <DialogFooter
        problem={problem}
        sending={sending}
        action={destination ? 'Save S3 bucket' : 'Add S3 bucket'}
        onClose={onClose}
      />
    </Form>
  );
}

interface FieldsProps {
  form: UseFormReturnType<BucketValues>;
}

const StoreFields = ({ form }: FieldsProps) => (
  <>
    <Field
      form={form}
      name="endpoint"
      as={TextInput}
      label="Endpoint"
      description="The URL of an S3-compatible store. Leave empty for Amazon S3."
      placeholder="https://s3.example.com"
      optional
    />
    <Pair>
      <Field form={form} name="bucket" as={TextInput} label="Bucket" placeholder="my-exports" spellCheck={false} />
      <Field form={form} name="region" as={TextInput} label="Region" spellCheck={false} optional={false} />
    </Pair>
  </>
);

const KeyFields = ({ form, isKept }: FieldsProps & { isKept: boolean }) => (
  <Pair>
    <Field
      form={form}
      name="access_key_id"
      as={TextInput}
      label="Access key ID"
      autoComplete="off"
      spellCheck={false}
    />
    <Field
      form={form}
      name="secret_access_key"
      as={PasswordInput}
      label="Secret access key"
      {...(isKept
        ? { description: 'Leave empty to keep the stored key. Required again if the endpoint or access key changes.' }
        : {})}
      optional={isKept}
      autoComplete="new-password"
    />
  </Pair>
);
