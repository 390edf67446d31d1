import { Button, TextInput } from '@mantine/core';
import { type Audience, updateAudience } from '@parley/contract/audiences/audiences.ts';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import { audiencePath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AudienceRecord } from '../AudienceRecord.tsx';
import styles from '../Audiences.module.css';

export default function RenameAudiencePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return <AudienceRecord id={id}>{(audience) => <RenameForm key={audience.id} audience={audience} />}</AudienceRecord>;
}

function RenameForm({ audience }: { audience: Audience }) {
  const navigate = useNavigate();
  const { form, bind, sending, problem } = useContractForm(updateAudience, {
    initial: { name: audience.name },
    input: (body) => ({ params: { id: audience.id }, body }),
    onDone: () => {
      toast.success('Audience renamed');
      void navigate({ href: audiencePath(audience.id) });
    },
  });
  return (
    <>
      <Back to={audiencePath(audience.id)}>{audience.name}</Back>
      <PageHeader title="Rename audience" description="Campaigns keep using the audience under its new name." />
      <Form {...bind} className={styles.form}>
        <Field
          form={form}
          name="name"
          as={TextInput}
          label="Name"
          description="Letters, digits, spaces, - and _, up to 45 characters."
          maxLength={45}
          data-autofocus
        />
        <FormFooter problem={problem}>
          <Button type="submit" loading={sending}>
            Rename audience
          </Button>
          <Button variant="default" component={Link} to={audiencePath(audience.id)}>
            Cancel
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
