import { SegmentedControl } from '@mantine/core';
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Onboarding.module.css';
import { RegionRules } from './RegionRules.tsx';
import { findRegion, REGIONS } from './regions.ts';
import { UseCaseCard } from './UseCaseCard.tsx';
import { USE_CASES } from './use_cases.ts';

const OPTIONS = Object.entries(INDUSTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.label === 'Other') - Number(b.label === 'Other') || a.label.localeCompare(b.label));

export default function OnboardingPage() {
  const { account } = useSession();
  const saved = account.preference.onboarding;
  const [industry, setIndustry] = useState(saved?.industry_id ?? account.industry_id);
  const [region, setRegion] = useState(
    REGIONS.find(({ key }) => key === saved?.region) ?? findRegion(account.country_code),
  );
  // The selection is saved in the background, for users who may change it. A failure does not interrupt the user.
  const save = useAction(updatePreference, { onError: () => {} });
  const canSave = useReason(updatePreference) === null;
  const remember = (industry_id: number, key: (typeof region)['key']) => {
    if (canSave) save.mutate({ body: { onboarding: { industry_id, region: key } } });
  };
  return (
    <>
      <PageHeader
        title="Onboarding"
        description="Sample messages for your industry and the rules in your recipients’ countries."
      />
      <section className={styles.part} aria-labelledby="use-cases">
        <div className={styles.partHead}>
          <h2 id="use-cases" className={styles.partTitle}>
            Use cases
          </h2>
          <SearchSelect
            className={styles.industry}
            aria-label="Industry"
            data={OPTIONS}
            value={String(industry)}
            onChange={(value) => {
              if (!value) return;
              setIndustry(Number(value));
              remember(Number(value), region.key);
            }}
          />
        </div>
        <ul className={styles.cards} aria-label={`Use cases: ${INDUSTRIES[industry]}`}>
          {(USE_CASES[industry] ?? []).map((useCase) => (
            <UseCaseCard key={useCase.text} useCase={useCase} />
          ))}
        </ul>
      </section>
      <section className={styles.part} aria-labelledby="regulations">
        <div className={styles.partHead}>
          <h2 id="regulations" className={styles.partTitle}>
            Capabilities and regulations
          </h2>
          <SegmentedControl
            className={styles.regions}
            aria-label="Recipients’ region"
            size="xs"
            value={region.key}
            onChange={(key) => {
              setRegion(REGIONS.find((other) => other.key === key) ?? region);
              remember(industry, key);
            }}
            data={REGIONS.map(({ key, label }) => ({ value: key, label }))}
          />
        </div>
        <RegionRules region={region} />
      </section>
    </>
  );
}
