import { Button } from '@mantine/core';
import { getAllowedCountries, saveAllowedCountries } from '@parley/contract/guard/allowed_countries.ts';
import { Suspense, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';

const AllowedDialog = lazyPart(() => import('./AllowedDialog.tsx'));
const NAMES = new Intl.ListFormat('en-US');

/** The countries to which the account sends, if it sends only to those. */
export function AllowedPart() {
  return (
    <Section
      title="Allowed countries"
      description={
        'Fraudsters often send many messages to one expensive country. To prevent this, allow only the countries of ' +
        'your recipients.'
      }
    >
      <AllowedState />
    </Section>
  );
}

function AllowedState() {
  const query = useEndpoint(getAllowedCountries, {});
  const reason = useReason(saveAllowedCountries);
  const [isOpen, setOpen] = useState(false);
  if (query.error)
    return (
      <ErrorState title="The allowed countries could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={2} />;
  const allowed = query.data.data;
  return (
    <>
      <p className={styles.hint}>
        {allowed.enabled
          ? `Messages are sent only to ${NAMES.format(allowed.countries.map(countryName))}.`
          : 'Messages are sent to all countries that are not blocked.'}
        {allowed.enabled && allowed.sub_accounts && ' This also applies to your sub-accounts.'}
      </p>
      {allowed.inherited && (
        <Notice tone="info">
          {`${allowed.inherited.account_name} lets you send only to ` +
            `${NAMES.format(allowed.inherited.countries.map(countryName))}. ` +
            `Only ${allowed.inherited.account_name} can change this.`}
        </Notice>
      )}
      <div>
        <Disabled reason={reason}>
          <Button variant="default" onClick={() => setOpen(true)}>
            Change allowed countries
          </Button>
        </Disabled>
      </div>
      {isOpen && (
        <Suspense>
          <AllowedDialog allowed={allowed} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
