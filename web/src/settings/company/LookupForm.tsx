import { Radio } from '@mantine/core';
import type { Account } from '@parley/contract/accounts/accounts.ts';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import styles from '../Settings.module.css';

const CHOICES = [
  { value: 'none', label: 'None', description: 'Campaigns use the network of the number range.' },
  {
    value: 'countries',
    label: 'Numbers in some countries',
    description: 'Useful where people keep their number when they change networks.',
  },
  { value: 'all', label: 'All numbers', description: 'Campaigns also skip landlines and numbers that are not in use.' },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

const readChoice = ({ hlr_check, mnp_check }: Account): Choice =>
  hlr_check ? 'all' : mnp_check ? 'countries' : 'none';

/** The numbers that new campaigns look up first. */
export function LookupForm() {
  const { account } = useSession();
  const reason = useReason(updateAccount.needs);
  const saved = readChoice(account);
  const [choice, setChoice] = useState<Choice>(saved);
  const [countries, setCountries] = useState(account.mnp_countries);
  const save = useAction(updateAccount, { onSuccess: () => toast.success('Lookups saved') });
  const isDirty = choice !== saved || countries.join() !== account.mnp_countries.join();
  const isEmpty = choice === 'countries' && countries.length === 0;
  useUnsavedGuard(() => isDirty);
  return (
    <form
      className={styles.form}
      aria-label="Lookups before campaigns"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty) return;
        save.mutate({
          body: { hlr_check: choice === 'all', mnp_check: choice === 'countries', mnp_countries: countries },
        });
      }}
    >
      <Radio.Group
        label="Numbers to look up"
        description={reason ?? 'You can change this in each campaign.'}
        value={choice}
        onChange={(value) => setChoice(value as Choice)}
      >
        {CHOICES.map((option) => (
          <Radio key={option.value} {...option} disabled={reason !== null} mt="xs" />
        ))}
      </Radio.Group>
      {choice === 'countries' && (
        <CountriesSelect
          label="Countries"
          value={countries}
          onChange={setCountries}
          readOnly={reason !== null}
          error={isEmpty ? 'Choose at least one country' : undefined}
          clearable
        />
      )}
      <SaveBar
        isDirty={isDirty}
        sending={save.isPending}
        problem={null}
        onDiscard={() => {
          setChoice(saved);
          setCountries(account.mnp_countries);
        }}
        save="Save lookups"
        reason={reason}
      />
    </form>
  );
}
