import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { addInventory, type NUMBER_TYPES as TYPES } from '@parley/contract/numbers/numbers.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { NUMBER_TYPES } from './number_words.ts';

const FORM = 'add-numbers';

export function AddNumbersPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Add numbers"
      description="Customers can buy the numbers once you set a price for their type and country."
      actions={
        <Button type="submit" form={FORM}>
          Add numbers
        </Button>
      }
    >
      {open && <NumbersForm onClose={onClose} />}
    </SidePanel>
  );
}

function NumbersForm({ onClose }: { onClose: () => void }) {
  const [skipped, setSkipped] = useState<{ known: string[]; invalid: string[] } | null>(null);
  const { form, bind, problem } = useContractForm(addInventory, {
    initial: { type: 'local' as (typeof TYPES)[number], country: 'US', city: '', numbers: '' },
    body: ({ numbers, ...rest }) => ({
      ...rest,
      numbers: numbers
        .split(/[\n,;]+/)
        .map((line) => line.trim())
        .filter(Boolean),
    }),
    check: ({ numbers }) => ({ numbers: numbers.trim() ? null : 'Numbers are required!' }),
    onDone: ({ data }) => {
      toast.success(data.added === 1 ? '1 number was added' : `${data.added} numbers were added`);
      if (data.known.length + data.invalid.length === 0) onClose();
      else setSkipped(data);
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      {skipped && (
        <Notice tone="wait">
          {skipped.known.length > 0 &&
            `Already in the inventory or in use: ${skipped.known.map((number) => `+${number}`).join(', ')}. `}
          {skipped.invalid.length > 0 && `Not valid in this country: ${skipped.invalid.join(', ')}.`}
        </Notice>
      )}
      <Field form={form} name="type" as={Select} label="Type" data={NUMBER_TYPES} allowDeselect={false} />
      <Field form={form} name="country" as={CountrySelect} label="Country" />
      <Field form={form} name="city" as={TextInput} label="City" description="For local numbers." maxLength={60} />
      <Field
        form={form}
        name="numbers"
        as={Textarea}
        label="Numbers"
        description="One per line, with the country code or in national format."
        autosize
        minRows={6}
        maxRows={16}
        data-autofocus
      />
    </Form>
  );
}
