import { Button, Select } from '@mantine/core';
import { createShortUrl, listLinkDomains } from '@parley/contract/links/links.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useSavedDraft } from '../kernel/form/saved_draft.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { LINKS, linkPath } from '../paths.ts';
import { useZone } from '../ui/data/zone.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormFooter } from '../ui/form/FormParts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { emptyLink, LinkFields, linkBody } from './LinkFields.tsx';
import styles from './Links.module.css';

export default function CreateLinkPage() {
  const navigate = useNavigate();
  const zone = useZone();
  const [domain, setDomain] = useState<string | null>(null);
  const domains = useEndpoint(listLinkDomains, {}).data?.data.filter(({ verified }) => verified) ?? [];
  const { form, bind, sending, problem } = useContractForm(createShortUrl, {
    initial: emptyLink,
    draft: useSavedDraft('link', emptyLink),
    body: (values) => ({ ...linkBody(values, zone), domain }),
    onDone: ({ data }) => {
      toast.success('Link created');
      void navigate({ href: linkPath(data.id) });
    },
  });
  return (
    <>
      <Back to={LINKS}>Link management</Back>
      <PageHeader title="Create link" description="A short URL that redirects to your page and counts clicks." />
      <Form {...bind} className={styles.form}>
        <LinkFields form={form} />
        {domains.length > 0 && (
          <Select
            label="Domain"
            placeholder="Default domain"
            clearable
            data={domains.map(({ host }) => host)}
            value={domain}
            onChange={setDomain}
          />
        )}
        <FormFooter problem={problem}>
          <Button type="submit" loading={sending}>
            Create link
          </Button>
          <Button variant="default" component={Link} to={LINKS}>
            Cancel
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
