import { Button, TextInput } from '@mantine/core';
import { createStopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { STOP_LIST } from '../../paths.ts';
import { SenderSelect } from '../../senders/SenderSelect.tsx';
import { parsePhone } from '../../ui/data/phone.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { countryName } from '../numbers.ts';

export default function AddStopPage() {
  const navigate = useNavigate();
  const { account } = useSession();
  const [sender, setSender] = useState<string | null>(null);
  const { form, onSubmit, sending, problem } = useContractForm(createStopListEntry, {
    initial: { number: '', sender_id: null as string | null },
    onDone: ({ data }) => {
      toast.success(`${parsePhone(data.number).text} gets nothing from ${data.sender_name ?? 'every sender'}`);
      void navigate({ to: STOP_LIST });
    },
  });
  return (
    <>
      <Back to={STOP_LIST}>Stop list</Back>
      <PageHeader
        title="Add to the stop list"
        description="From now on nothing reaches this number, campaigns under way included."
      />
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <TextInput
          label="Number"
          description={`With the country code, or as it is dialled in ${countryName(account.country_code)}.`}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          required
          data-autofocus
          key={form.key('number')}
          {...form.getInputProps('number')}
        />
        <SenderSelect
          label="Gets nothing from"
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
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" loading={sending}>
            Add to the stop list
          </Button>
          <Button variant="default" component={Link} to={STOP_LIST}>
            Cancel
          </Button>
        </div>
      </form>
    </>
  );
}
