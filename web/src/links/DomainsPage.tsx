import { Button, TextInput } from '@mantine/core';
import {
  createLinkDomain,
  type LinkDomain,
  listLinkDomains,
  removeLinkDomain,
  verifyLinkDomain,
} from '@parley/contract/links/links.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { LINKS } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormFooter } from '../ui/form/FormParts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';
import styles from './Links.module.css';

export default function DomainsPage() {
  const query = useEndpoint(listLinkDomains, {});
  return (
    <>
      <Back to={LINKS}>Link management</Back>
      <PageHeader
        title="Link domains"
        description="Your own domains for short links. Links in messages use the first verified domain."
      />
      <div className={styles.page}>
        <DomainForm />
        {query.error ? (
          <ErrorState title="The domains could not be loaded" onRetry={() => void query.refetch()}>
            {query.error.message}
          </ErrorState>
        ) : query.data ? (
          <DomainList domains={query.data.data} />
        ) : (
          <PageSkeleton />
        )}
      </div>
    </>
  );
}

const DomainList = ({ domains }: { domains: readonly LinkDomain[] }) =>
  domains.length === 0 ? (
    <p className={styles.note}>No domains yet. Links use the default domain.</p>
  ) : (
    domains.map((domain) => <Domain key={domain.id} domain={domain} />)
  );

function DomainForm() {
  const { form, bind, sending, problem } = useContractForm(createLinkDomain, {
    initial: { host: '' },
    labels: { host: 'Domain' },
    onDone: () => {
      form.reset();
      toast.success('Domain added');
    },
  });
  return (
    <Form {...bind} className={styles.form} aria-label="New domain">
      <Field
        form={form}
        name="host"
        as={TextInput}
        label="Domain"
        description="A host name that points to this service, such as go.example.com."
        maxLength={253}
      />
      <FormFooter problem={problem}>
        <Allow needs={createLinkDomain.needs}>
          <Button type="submit" loading={sending}>
            Add domain
          </Button>
        </Allow>
      </FormFooter>
    </Form>
  );
}

function Domain({ domain }: { domain: LinkDomain }) {
  const { id, host, verified } = domain;
  const verify = useAction(verifyLinkDomain, { onSuccess: () => toast.success(`${host} is verified`) });
  const remove = useAction(removeLinkDomain, { onSuccess: () => toast.success(`${host} was deleted`) });
  const onRemove = async () => {
    const isSure = await confirm({
      title: `Delete the domain ${host}?`,
      consequence: 'Links on this domain in sent messages will stop working.',
      action: 'Delete domain',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id } });
  };
  return (
    <section className={styles.record} aria-label={host}>
      <div className={styles.recordHead}>
        <h2>{host}</h2>
        <ToneBadge tone={verified ? 'ok' : 'wait'}>{verified ? 'Verified' : 'Not verified'}</ToneBadge>
      </div>
      {!verified && (
        <>
          <p className={styles.note}>Add this TXT record to your domain’s DNS, then verify the domain.</p>
          <Fields
            fields={[
              { label: 'Name', value: <CopyId value={domain.record_name} label="record name" /> },
              { label: 'Value', value: <CopyId value={domain.record_value} label="record value" /> },
            ]}
          />
        </>
      )}
      <Allow needs={verifyLinkDomain.needs}>
        <div className={styles.actions}>
          {!verified && (
            <Button loading={verify.isPending} onClick={() => verify.mutate({ params: { id } })}>
              Verify domain
            </Button>
          )}
          <Button variant="default" loading={remove.isPending} onClick={() => void onRemove()}>
            Delete domain
          </Button>
        </div>
      </Allow>
    </section>
  );
}
