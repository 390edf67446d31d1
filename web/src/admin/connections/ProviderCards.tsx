/** Cards with the providers that operators can connect. */
import { ADAPTER_FEATURES } from '@parley/contract/channels/adapter.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ADD_CONNECTION } from '../../paths.ts';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from './Connect.module.css';
import { PROVIDER_GROUPS, type ProviderChoice } from './provider_choices.ts';

export function ProviderCards() {
  const [search, setSearch] = useState('');
  const text = search.trim().toLowerCase();
  const groups = PROVIDER_GROUPS.map(({ title, choices }) => ({
    title,
    choices: choices.filter(({ guide }) => guide.name.toLowerCase().includes(text)),
  })).filter(({ choices }) => choices.length > 0);
  return (
    <div className={styles.catalog}>
      <SearchInput
        className={styles.search ?? ''}
        aria-label="Search providers"
        placeholder="Search providers"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {groups.map(({ title, choices }) => (
        <section key={title} aria-label={title}>
          <h2 className={styles.heading}>{title}</h2>
          <ul className={styles.cards}>
            {choices.map((choice) => (
              <ProviderCard key={choice.key} choice={choice} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (
        <EmptyState title="No providers match your search">
          Connect any provider with an HTTP API as “Another provider”, or over SMPP.
        </EmptyState>
      )}
    </div>
  );
}

function ProviderCard({ choice: { key, guide } }: { choice: ProviderChoice }) {
  return (
    <li>
      <Link to={ADD_CONNECTION} search={{ provider: key } as never} className={styles.card}>
        <span className={styles.name}>{guide.name}</span>
        <span className={styles.keys}>{guide.keys}</span>
        <span className={styles.supports}>
          {guide.supports.map((feature) => ADAPTER_FEATURES[feature]).join(' · ')}
        </span>
      </Link>
    </li>
  );
}
