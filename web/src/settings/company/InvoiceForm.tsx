import { Button, TagsInput, TextInput } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FormFooter, Pair } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';

export function InvoiceForm() {
  const { account } = useSession();
  const closed = useReason(updateAccount.needs);
  const { form, onSubmit, sending, problem } = useContractForm(updateAccount, {
    initial: {
      invoice_company: account.invoice_company,
      vat_number: account.vat_number,
      invoice_emails: account.invoice_emails,
    },
    labels: { invoice_company: 'Name on invoices', vat_number: 'VAT number', invoice_emails: 'E-mail addresses' },
    onDone: () => toast.success('The invoice details were saved'),
  });
  const wrong = Object.entries(form.errors).find(([path]) => path.startsWith('invoice_emails'))?.[1];
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Pair>
        <TextInput
          label="Name on invoices"
          description={`Empty: ${account.company_name}.`}
          maxLength={100}
          readOnly={closed !== null}
          key={form.key('invoice_company')}
          {...form.getInputProps('invoice_company')}
        />
        <TextInput
          label="VAT number"
          description="With its country code."
          maxLength={40}
          readOnly={closed !== null || account.status === 'FORM_SUBMITTED'}
          key={form.key('vat_number')}
          {...form.getInputProps('vat_number')}
        />
      </Pair>
      <TagsInput
        label="E-mail addresses"
        description="Up to 10; Enter adds one. Empty: the owner’s."
        maxTags={10}
        readOnly={closed !== null}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
        key={form.key('invoice_emails')}
        {...form.getInputProps('invoice_emails')}
        error={wrong}
      />
      <FormFooter problem={problem}>
        <Allow needs={updateAccount.needs}>
          <Button type="submit" loading={sending}>
            Save invoice details
          </Button>
        </Allow>
      </FormFooter>
    </form>
  );
}
