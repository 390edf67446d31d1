import { Button, Switch } from '@mantine/core';
import {
  type CountryBlacklist,
  EU_COUNTRIES,
  getCountryBlacklist,
  RESTRICTED_REGION,
  saveCountryBlacklist,
} from '@parley/contract/guard/country_blacklist.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { AllowedPart } from './AllowedPart.tsx';
import { CountryBackTestPart } from './CountryBackTest.tsx';

export default function CountryBlacklistPage() {
  const query = useEndpoint(getCountryBlacklist, {});
  return (
    <SettingsLayout title="Country blacklist" description="Choose the countries that your company sends messages to.">
      <RecordPage query={query} noun="country blacklist" skeleton={<SkeletonFields count={3} />}>
        {(list) => <BlacklistForm list={list} />}
      </RecordPage>
      <AllowedPart />
    </SettingsLayout>
  );
}

interface Values extends Record<string, unknown> {
  countries: string[];
  sub_accounts: boolean;
}

const NAMES = new Intl.ListFormat('en-US');
const GROUPS = [
  { label: 'Add EU countries', countries: EU_COUNTRIES },
  { label: 'Add restricted Middle East countries', countries: RESTRICTED_REGION },
] as const;

function BlacklistForm({ list }: { list: CountryBlacklist }) {
  const { account } = useSession();
  const reason = useReason(saveCountryBlacklist);
  const [chosen, setChosen] = useState<readonly string[]>(list.countries);
  const { form, bind, saveBar } = useContractForm<typeof saveCountryBlacklist, Values>(saveCountryBlacklist, {
    initial: { countries: [...list.countries], sub_accounts: list.sub_accounts },
    input: ({ countries, sub_accounts }) => ({ params: { id: account.id }, body: { countries, sub_accounts } }),
    labels: { countries: 'Blocked countries', sub_accounts: 'Also block for sub-accounts' },
    onChange: ({ countries }) => setChosen(countries),
    onDone: () => toast.success('Country blacklist saved'),
  });
  const add = (countries: readonly string[]) =>
    form.setFieldValue('countries', [...new Set([...form.getValues().countries, ...countries])]);
  return (
    <Section
      title="Blocked countries"
      description={
        'Messages to these countries are blocked on every channel, at no charge. Campaigns skip contacts there. ' +
        'Messages that are waiting to be sent are canceled.'
      }
    >
      {list.inherited && list.inherited.countries.length > 0 && (
        <Notice tone="info">
          {`${list.inherited.account_name} also blocks ` +
            `${NAMES.format(list.inherited.countries.map(countryName))}. ` +
            `Only ${list.inherited.account_name} can change this.`}
        </Notice>
      )}
      <Form {...bind} className={styles.form} aria-label="Blocked countries">
        <Field
          form={form}
          name="countries"
          as={CountriesSelect}
          label="Blocked countries"
          optional={false}
          description={
            chosen.length === 0
              ? 'No countries blocked.'
              : `${formatCount(chosen.length, 'country', 'countries')} blocked.`
          }
          clearable
          clearButtonProps={{ 'aria-label': 'Remove all countries' }}
        />
        <Buttons>
          {GROUPS.map(({ label, countries }) => (
            <Button
              key={label}
              size="xs"
              variant="default"
              title={countries.map(countryName).join(', ')}
              onClick={() => add(countries)}
            >
              {label}
            </Button>
          ))}
        </Buttons>
        {account.account_type === 'MAIN' && (
          <Field
            form={form}
            name="sub_accounts"
            as={Switch}
            type="checkbox"
            label="Also block for sub-accounts"
            description="Sub-accounts cannot unblock these countries. You can make exceptions under Sub-accounts."
          />
        )}
        {chosen.length > 0 && <CountryBackTestPart list="blocked" countries={chosen} />}
        <SaveBar {...saveBar} save="Save country blacklist" reason={reason} />
      </Form>
    </Section>
  );
}
