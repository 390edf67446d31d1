import { Button, TextInput } from '@mantine/core';
import { type Audience, updateAudience } from '@parley/contract/audiences/audiences.ts';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useContractForm } from '../../kernel/form/form.ts';
import { audiencePath } from '../../paths.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { OfAudience } from '../OfAudience.tsx';

export default function RenameAudiencePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return <OfAudience id={id}>{(audience) => <Form key={audience.id} audience={audience} />}</OfAudience>;
}

function Form({ audience }: { audience: Audience }) {
  const navigate = useNavigate();
  const { form, onSubmit, sending, problem } = useContractForm(updateAudience, {
    initial: { name: audience.name },
    input: (body) => ({ params: { id: audience.id }, body }),
    onDone: () => {
      toast.success('The audience was renamed');
      void navigate({ href: audiencePath(audience.id) });
    },
  });
  return (
    <>
      <Back to={audiencePath(audience.id)}>{audience.name}</Back>
      <PageHeader title="Rename audience" description="Campaigns that use it keep using it under the new name." />
      <form className={styles.form} onSubmit={onSubmit}>
        <Field
          form={form}
          name="name"
          as={TextInput}
          label="Name"
          description="Letters, digits, spaces, - and _, up to 45 characters."
          maxLength={45}
          data-autofocus
        />
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" loading={sending}>
            Rename
          </Button>
          <Button variant="default" component={Link} to={audiencePath(audience.id)}>
            Cancel
          </Button>
        </div>
      </form>
    </>
  );
}
