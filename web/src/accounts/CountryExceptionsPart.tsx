import { Button, Checkbox } from '@mantine/core';
import {
  type CountryExceptions,
  getCountryExceptions,
  saveCountryExceptions,
} from '@parley/contract/guard/overrides.ts';
import type { SubAccount } from '@parley/contract/team/subaccounts.ts';
import { useState } from 'react';
import type { ApiError } from '../kernel/http/client.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { CountriesSelect } from '../ui/form/CountriesSelect.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Buttons, FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Accounts.module.css';

const NAMES = new Intl.ListFormat('en-US');

/** The countries that the lists of the company do not block for a sub-account. */
export function CountryExceptionsPart({ account }: { account: SubAccount }) {
  const query = useEndpoint(getCountryExceptions, { params: { id: account.id } });
  if (query.error)
    return (
      <ErrorState
        title="The countries could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={2} />;
  const exceptions = query.data.data;
  return (
    <section aria-label="Countries" className={styles.form}>
      <p className={styles.part}>Countries</p>
      <p className={styles.dim}>{inheritedText(exceptions)}</p>
      {(exceptions.blocked || exceptions.allowed || exceptions.countries.length > 0) && (
        <ExceptionsForm key={exceptions.update_date} account={account} exceptions={exceptions} />
      )}
    </section>
  );
}

export function inheritedText({ blocked, allowed }: Pick<CountryExceptions, 'blocked' | 'allowed'>): string {
  const names = (countries: readonly string[]) => NAMES.format(countries.map(countryName));
  const parts = [
    ...(blocked && blocked.length > 0 ? [`Your blacklist blocks ${names(blocked)} for all sub-accounts.`] : []),
    ...(allowed ? [`Sub-accounts can send only to ${names(allowed)}.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : 'Your country lists do not apply to sub-accounts.';
}

function ExceptionsForm({ account, exceptions }: { account: SubAccount; exceptions: CountryExceptions }) {
  const reason = useReason(saveCountryExceptions);
  const [countries, setCountries] = useState<readonly string[]>(exceptions.countries);
  const [understood, setUnderstood] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useAction(saveCountryExceptions, {
    onSuccess: () => toast.success('Country exceptions saved'),
    onError: ({ message }: ApiError) => setProblem(message),
  });
  const isOpening = countries.some((country) => !exceptions.countries.includes(country));
  const isChanged = isOpening || countries.length !== exceptions.countries.length;
  return (
    <form
      className={styles.form}
      aria-label="Country exceptions"
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        save.mutate({
          params: { id: account.id },
          body: { countries: [...countries], acknowledges_risk: isOpening && understood },
        });
      }}
    >
      <CountriesSelect
        label="Exceptions"
        description="Countries that these lists do not block for this sub-account. Its own lists still apply."
        value={[...countries]}
        onChange={setCountries}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all exceptions' }}
      />
      {isOpening && (
        <Checkbox
          label="I understand the risk"
          description="Messages to these countries can be expensive. The audit log records your confirmation."
          checked={understood}
          onChange={(event) => setUnderstood(event.currentTarget.checked)}
        />
      )}
      <FormProblem>{problem}</FormProblem>
      <Buttons>
        <Disabled reason={reason}>
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={!isChanged || (isOpening && !understood)}
          >
            Save exceptions
          </Button>
        </Disabled>
      </Buttons>
    </form>
  );
}
