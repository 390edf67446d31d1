import { TagsInput, TextInput } from '@mantine/core';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';
import { VatStatus } from './VatStatus.tsx';

export function InvoiceForm() {
  const { account } = useSession();
  const reason = useReason(updateAccount.needs);
  const readOnly = reason !== null;
  const initial = {
    invoice_company: account.invoice_company,
    vat_number: account.vat_number,
    invoice_emails: account.invoice_emails,
  };
  const { form, bind, saveBar } = useContractForm(updateAccount, {
    initial,
    draft: useSavedDraft('invoices', initial),
    labels: { invoice_company: 'Name on invoices', vat_number: 'VAT number', invoice_emails: 'Email addresses' },
    invalidates: ['vat_checks'],
    onDone: () => toast.success('The invoice details were saved'),
  });
  const emailError = Object.entries(form.errors).find(([path]) => path.startsWith('invoice_emails'))?.[1];
  return (
    <Form {...bind} className={styles.form}>
      <Pair>
        <Field
          form={form}
          name="invoice_company"
          as={TextInput}
          label="Name on invoices"
          description={`Leave empty to use ${account.company_name}.`}
          maxLength={100}
          readOnly={readOnly}
        />
        <Field
          form={form}
          name="vat_number"
          as={TextInput}
          label="VAT number"
          description="Include the country code."
          maxLength={40}
          readOnly={readOnly || account.status === 'FORM_SUBMITTED'}
        />
      </Pair>
      <VatStatus account_id={account.id} />
      <Field
        form={form}
        name="invoice_emails"
        as={TagsInput}
        label="Email addresses"
        description="Up to 10. Press Enter to add an address. Leave empty to use the owner’s address."
        maxTags={10}
        readOnly={readOnly}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
        error={emailError}
      />
      <SaveBar {...saveBar} save="Save invoice details" reason={reason} />
    </Form>
  );
}
