import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { addInventory, type NUMBER_TYPES as TYPES } from '@parley/contract/numbers/numbers.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
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
      description="They are offered as soon as there is a price for their kind."
      actions={
        <Button type="submit" form={FORM}>
          Add numbers
        </Button>
      }
    >
      {open && <Form onClose={onClose} />}
    </SidePanel>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const [left, setLeft] = useState<{ known: string[]; invalid: string[] } | null>(null);
  const { form, onSubmit, problem } = useContractForm(addInventory, {
    initial: { type: 'local' as (typeof TYPES)[number], country: 'US', city: '', numbers: '' },
    body: ({ numbers, ...rest }) => ({
      ...rest,
      numbers: numbers
        .split(/[\n,;]+/)
        .map((line) => line.trim())
        .filter(Boolean),
    }),
    check: ({ numbers }) => ({ numbers: numbers.trim() ? null : 'Numbers is required!' }),
    onDone: ({ data }) => {
      toast.success(data.added === 1 ? '1 number was added' : `${data.added} numbers were added`);
      if (data.known.length + data.invalid.length === 0) onClose();
      else setLeft(data);
    },
  });
  return (
    <form id={FORM} className={styles.panelForm} onSubmit={onSubmit} noValidate>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {left && (
        <Notice tone="wait">
          {left.known.length > 0 && `There before, or in use: ${left.known.map((one) => `+${one}`).join(', ')}. `}
          {left.invalid.length > 0 && `No such number there: ${left.invalid.join(', ')}.`}
        </Notice>
      )}
      <Select
        label="Type"
        data={NUMBER_TYPES}
        allowDeselect={false}
        key={form.key('type')}
        {...form.getInputProps('type')}
      />
      <CountrySelect label="Country" required key={form.key('country')} {...form.getInputProps('country')} />
      <TextInput
        label="City"
        description="Of local numbers."
        maxLength={60}
        key={form.key('city')}
        {...form.getInputProps('city')}
      />
      <Textarea
        label="Numbers"
        description="One in a line, with the country code or as they are dialled there."
        required
        autosize
        minRows={6}
        maxRows={16}
        data-autofocus
        key={form.key('numbers')}
        {...form.getInputProps('numbers')}
      />
    </form>
  );
}
