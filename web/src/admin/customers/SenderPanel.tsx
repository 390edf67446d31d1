import { Button, Select, Switch, TextInput } from '@mantine/core';
import { type Customer, createCustomerSender } from '@parley/contract/admin/customers.ts';
import type { SMS_SENDER_TYPES as TYPES } from '@parley/contract/senders/senders.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { SENDER_TYPES } from '../account_words.ts';

type SenderType = (typeof TYPES)[number];

const FORM = 'sender-form';
const CODE_HELP: Record<SenderType, string> = {
  local: 'Digits only, including the country code.',
  mobile: 'Digits only, including the country code.',
  toll_free: 'Digits only, including the country code.',
  short_code: '3 to 8 digits.',
  alphanumeric: 'Up to 11 letters and digits, with at least one letter.',
};

interface SenderPanelProps {
  customer: Pick<Customer, 'id' | 'company_name'>;
  open: boolean;
  onClose: () => void;
}

export function SenderPanel({ customer, open, onClose }: SenderPanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Create sender"
      description={`An SMS sender for ${customer.company_name}, ready to use immediately. The owner gets an email.`}
      actions={
        <Button type="submit" form={FORM}>
          Create sender
        </Button>
      }
    >
      {open && <SenderForm customer={customer} onDone={onClose} />}
    </SidePanel>
  );
}

interface SenderFormProps {
  customer: SenderPanelProps['customer'];
  onDone: () => void;
}

const useSenderForm = ({ customer, onDone }: SenderFormProps) =>
  useContractForm(createCustomerSender, {
    initial: {
      type: 'mobile' as SenderType,
      code: '',
      name: '',
      countries: [] as string[],
      brand: '',
      two_way: true,
    },
    input: (body) => ({
      params: { id: customer.id },
      body: { ...body, two_way: body.two_way && body.type !== 'alphanumeric' },
    }),
    labels: { code: 'Sender' },
    invalidates: ['senders', 'code_sender', 'setup'],
    onDone: ({ data }) => {
      toast.success(`${data.code} was created for ${customer.company_name}`);
      onDone();
    },
  });

function SenderForm(props: SenderFormProps) {
  const [type, setType] = useState<SenderType>('mobile');
  const { form, bind, problem } = useSenderForm(props);
  const isSenderId = type === 'alphanumeric';
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <Field
        form={form}
        name="type"
        as={Select}
        label="Type"
        data={[...SENDER_TYPES]}
        allowDeselect={false}
        onChange={(value) => setType(value as SenderType)}
      />
      <Field
        form={form}
        name="code"
        as={TextInput}
        label="Sender"
        description={CODE_HELP[type]}
        maxLength={15}
        autoComplete="off"
        data-autofocus
      />
      <Field
        form={form}
        name="name"
        as={TextInput}
        label="Name"
        description="The name shown to the company. Recipients never see it."
        maxLength={45}
        autoComplete="off"
      />
      <Field
        form={form}
        name="countries"
        as={CountriesSelect}
        label="Countries"
        description="Countries this sender can send to. Leave empty for all countries."
        clearable
        clearButtonProps={{ 'aria-label': 'All countries' }}
      />
      <Field
        form={form}
        name="brand"
        as={TextInput}
        label="Brand"
        description="The company name in messages that carriers require, such as the reply to STOP."
        maxLength={60}
      />
      <Field
        form={form}
        name="two_way"
        as={Switch}
        type="checkbox"
        label="Recipients can reply"
        description={isSenderId ? 'A sender ID cannot receive replies.' : 'Replies arrive in the company’s inbox.'}
        disabled={isSenderId}
      />
    </Form>
  );
}
