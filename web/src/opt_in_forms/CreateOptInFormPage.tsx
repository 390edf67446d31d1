import { Button, Select } from '@mantine/core';
import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import { createOptInForm } from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { OPT_IN_FORMS, optInFormPath } from '../paths.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormFooter } from '../ui/form/FormParts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { FormFields } from './FormFields.tsx';
import { emptyValues } from './form_values.ts';
import styles from './OptIn.module.css';

export default function CreateOptInFormPage() {
  const navigate = useNavigate();
  const { account } = useSession();
  const { audience = '' } = useSearch({ strict: false }) as { audience?: string };
  const audiences = useEndpoint(listAudiences, { query: { page_size: 1000 } }).data?.data ?? [];
  const options = audiences
    .filter(({ conditions }) => conditions === null)
    .map(({ id, name }) => ({ value: id, label: name }));
  const company = account.company_name ?? '';
  const { form, bind, sending, problem } = useContractForm(createOptInForm, {
    initial: emptyValues(audience, company, account.country_code ?? ''),
    check: ({ audience_id }) => ({ audience_id: audience_id === '' ? 'Audience is required!' : null }),
    labels: { audience_id: 'Audience', sender_id: 'Sender' },
    onDone: ({ data }) => {
      toast.success('Opt-in form created');
      void navigate({ href: optInFormPath(data.id) });
    },
  });
  return (
    <>
      <Back to={OPT_IN_FORMS}>Opt-in forms</Back>
      <PageHeader title="Create opt-in form" description="People join by entering a code sent to their phone." />
      <Form {...bind} className={styles.form} aria-label="New opt-in form">
        <Field
          form={form}
          name="audience_id"
          as={Select}
          label="Audience"
          placeholder="Select an audience"
          data={options}
          searchable
          nothingFoundMessage="No audiences match"
        />
        <FormFields form={form} company={company} />
        <FormFooter problem={problem}>
          <Button type="submit" loading={sending}>
            Create form
          </Button>
          <Button variant="default" component={Link} to={OPT_IN_FORMS}>
            Cancel
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
