import { Button } from '@mantine/core';
import { createStopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { STOP_LIST } from '../../paths.ts';
import { SenderSelect } from '../../senders/SenderSelect.tsx';
import { parsePhone } from '../../ui/data/phone.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { NumberField } from '../contacts/NumberField.tsx';

export default function AddStopPage() {
  const navigate = useNavigate();
  const [sender, setSender] = useState<string | null>(null);
  const { form, bind, sending, problem } = useContractForm(createStopListEntry, {
    initial: { number: '', sender_id: null as string | null },
    onDone: ({ data }) => {
      toast.success(`${parsePhone(data.number).text} is blocked for ${data.sender_name ?? 'every sender'}`);
      void navigate({ to: STOP_LIST });
    },
  });
  return (
    <>
      <Back to={STOP_LIST}>Stop list</Back>
      <PageHeader
        title="Add to the stop list"
        description="Block a number for one sender or for every sender. Campaigns in progress also skip it."
      />
      <Form {...bind} className={styles.form}>
        <NumberField form={form} />
        <SenderSelect
          label="Block messages from"
          placeholder="Every sender"
          clearable
          clearButtonProps={{ 'aria-label': 'Every sender' }}
          value={sender}
          error={form.getInputProps('sender_id').error}
          data-path="sender_id"
          onChange={(id) => {
            setSender(id);
            form.setFieldValue('sender_id', id);
          }}
        />
        <FormFooter problem={problem}>
          <Button type="submit" loading={sending}>
            Add to the stop list
          </Button>
          <Button variant="default" component={Link} to={STOP_LIST}>
            Cancel
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
