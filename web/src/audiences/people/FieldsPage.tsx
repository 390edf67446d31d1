import { Button, Modal, Select, TagsInput, TextInput } from '@mantine/core';
import {
  type ContactField,
  createContactField,
  FIELD_KINDS,
  type FieldKind,
  listContactFields,
  removeContactField,
  updateContactField,
} from '@parley/contract/audiences/contact_fields.ts';
import { IconForms, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { AUDIENCES } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { KIND_LABELS } from './contact_fields.ts';

const FILTERS = [] as const;
const COLUMNS: Column<ContactField>[] = [
  { key: 'label', title: 'Label', fixed: true, card: 'title', render: (row) => row.label },
  {
    key: 'variable',
    title: 'Variable',
    card: 'subtitle',
    render: (row) => <code>{`{${row.key}}`}</code>,
  },
  { key: 'kind', title: 'Type', card: 'corner', render: (row) => KIND_LABELS[row.kind] },
  {
    key: 'choices',
    title: 'Choices',
    narrow: false,
    render: (row) => (row.choices.length > 0 ? <span className={styles.cut}>{row.choices.join(', ')}</span> : '\u2013'),
  },
  {
    key: 'created',
    title: 'Created',
    narrow: false,
    hidden: true,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

export default function FieldsPage() {
  const list = useList(listContactFields, { filters: FILTERS, subject: 'The fields' });
  const [opened, setOpened] = useState<ContactField | 'new' | null>(null);
  const editReason = useReason(createContactField.needs);
  const removeReason = useReason(removeContactField.needs);
  const remove = useAction(removeContactField, { onSuccess: () => toast.success('Field deleted') });
  const add = (
    <Disabled reason={editReason}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened('new')}>
        Add field
      </Button>
    </Disabled>
  );
  const onRemove = async (field: ContactField) => {
    const consequence = 'Its value is deleted for every contact. Messages that use the variable can no longer be sent.';
    if (await confirm({ title: `Delete ${field.label}?`, consequence, action: 'Delete field', danger: true }))
      remove.mutate({ params: { id: field.id } });
  };
  return (
    <>
      <Back to={AUDIENCES}>Audiences</Back>
      <PageHeader
        title="Contact fields"
        description="Your own contact fields, for imports, conditions, and message variables."
        action={add}
      />
      <ListTable
        id="contact_fields"
        label="Contact fields"
        noun="fields"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.label}
        actions={[
          { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => editReason, onSelect: setOpened },
          {
            key: 'remove',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: () => removeReason,
            onSelect: (row) => void onRemove(row),
          },
        ]}
        empty={
          <EmptyState icon={IconForms} title="No fields yet" action={add}>
            Every contact has a first name, a last name, and two custom fields. Add your own, such as a birthday or a
            plan.
          </EmptyState>
        }
      />
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened === 'new' ? 'Add field' : 'Edit field'}
      >
        {opened === 'new' && <NewField onDone={() => setOpened(null)} />}
        {opened !== null && opened !== 'new' && <EditField field={opened} onDone={() => setOpened(null)} />}
      </Modal>
    </>
  );
}

const KINDS = FIELD_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

/** A key from a label: "Shoe size" becomes shoe_size. */
const suggestKey = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 32);

interface NewFieldValues extends Record<string, unknown> {
  label: string;
  key: string;
  kind: FieldKind;
  choices: string[];
}

function NewField({ onDone }: { onDone: () => void }) {
  const [kind, setKind] = useState<FieldKind>('text');
  const initial: NewFieldValues = { label: '', key: '', kind: 'text', choices: [] };
  const { form, bind, sending, problem } = useContractForm(createContactField, {
    initial,
    onDone: () => {
      toast.success('Field added');
      onDone();
    },
  });
  return (
    <Form {...bind} className={styles.panelForm}>
      <Field
        form={form}
        name="label"
        as={TextInput}
        label="Label"
        maxLength={40}
        data-autofocus
        onBlur={() => {
          const { label, key } = form.getValues();
          if (key === '') form.setFieldValue('key', suggestKey(label));
        }}
      />
      <Field
        form={form}
        name="key"
        as={TextInput}
        label="Key"
        description="Used in variables and files, such as {city}. You cannot change it later."
        maxLength={32}
      />
      <Field
        form={form}
        name="kind"
        as={Select}
        label="Type"
        data={KINDS}
        allowDeselect={false}
        onChange={(next) => setKind(next as FieldKind)}
      />
      {kind === 'choice' && <Choices form={form} />}
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          Add field
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}

function EditField({ field, onDone }: { field: ContactField; onDone: () => void }) {
  const { form, bind, sending, problem } = useContractForm(updateContactField, {
    initial: { label: field.label, choices: [...field.choices] },
    input: (body) => ({ params: { id: field.id }, body }),
    onDone: () => {
      toast.success('Field saved');
      onDone();
    },
  });
  return (
    <Form {...bind} className={styles.panelForm}>
      <Field form={form} name="label" as={TextInput} label="Label" maxLength={40} data-autofocus />
      {field.kind === 'choice' && <Choices form={form} />}
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          Save field
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </FormFooter>
    </Form>
  );
}

// biome-ignore lint/suspicious/noExplicitAny: any form with choices among its values
const Choices = ({ form }: { form: any }) => (
  <Field
    form={form}
    name="choices"
    as={TagsInput}
    label="Choices"
    description="Press Enter after each choice."
    optional={false}
    maxTags={50}
  />
);
