import { Button, Textarea, TextInput } from '@mantine/core';
import {
  type InvoiceEntity,
  listInvoiceEntities,
  updateInvoiceEntity,
} from '@parley/contract/admin/invoice_entities.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';

const FORM = 'invoice-entity-form';

/** The company that issues invoices. */
export function EntityPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const entity = useEndpoint(listInvoiceEntities, {}, { enabled: open }).data?.data[0];
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Issuing company"
      description="Shown on invoices from now on. Earlier invoices do not change. The country determines the VAT."
      actions={
        <Button type="submit" form={FORM}>
          Save company
        </Button>
      }
    >
      {open && entity && <EntityForm entity={entity} onDone={onClose} />}
    </SidePanel>
  );
}

function EntityForm({ entity, onDone }: { entity: InvoiceEntity; onDone: () => void }) {
  const { id, ...initial } = entity;
  const { form, bind, problem } = useContractForm(updateInvoiceEntity, {
    initial,
    input: (values) => ({ params: { entity: id }, body: values }),
    labels: { name: 'Name', country_code: 'Country', number_prefix: 'Invoice number prefix' },
    onDone: () => {
      toast.success('Issuing company saved');
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <Field form={form} name="name" as={TextInput} label="Name" maxLength={100} />
      <Field form={form} name="address" as={TextInput} label="Address" maxLength={300} />
      <Field form={form} name="country_code" as={CountrySelect} label="Country" />
      <Field form={form} name="vat_number" as={TextInput} label="VAT number" maxLength={30} />
      <Field
        form={form}
        name="bank_details"
        as={Textarea}
        label="Bank details"
        description="Shown to customers who pay by bank transfer."
        autosize
        maxLength={500}
      />
      <Field form={form} name="number_prefix" as={TextInput} label="Invoice number prefix" maxLength={12} />
    </Form>
  );
}
