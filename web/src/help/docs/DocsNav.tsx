/** The contents of the documentation, and its search. */
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DOCUMENTATION_LINK } from '../../paths.ts';
import styles from './Docs.module.css';
import { GUIDES } from './Guides.tsx';
import { Method } from './OperationView.tsx';
import { type Module, searchOperations } from './openapi.ts';

interface DocsNavProps {
  modules: readonly Module[];
  section: string;
  search: string;
  onSearch: (search: string) => void;
}

export function DocsNav({ modules, section, search, onSearch }: DocsNavProps) {
  const found = search.trim() ? searchOperations(modules, search) : null;
  return (
    <nav className={styles.nav} aria-label="Contents">
      <TextInput
        type="search"
        aria-label="Search endpoints"
        placeholder="Search endpoints"
        leftSection={<IconSearch size={15} aria-hidden />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {found ? (
        <>
          <p className={styles.navTitle} role="status">
            {found.length === 0
              ? 'No endpoints match this search.'
              : `${found.length} endpoint${found.length === 1 ? '' : 's'}`}
          </p>
          <ul className={styles.navList}>
            {found.map(({ operationId, method, path, summary, tags }) => (
              <li key={operationId}>
                <Link
                  to={DOCUMENTATION_LINK}
                  search={{ section: tags[0], q: search } as never}
                  hash={operationId}
                  className={styles.hit}
                >
                  <span>{summary}</span>
                  <span className={styles.hitPath}>
                    <Method method={method} /> {path}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <NavGroup title="Guides" entries={GUIDES} section={section} />
          <NavGroup title="Endpoints" entries={modules} section={section} />
        </>
      )}
    </nav>
  );
}

interface NavGroupProps {
  title: string;
  entries: readonly { id: string; title: string }[];
  section: string;
}

function NavGroup({ title, entries, section }: NavGroupProps) {
  if (entries.length === 0) return null;
  return (
    <>
      <p className={styles.navTitle}>{title}</p>
      <ul className={styles.navList}>
        {entries.map(({ id, title: label }) => (
          <li key={id}>
            <Link
              to={DOCUMENTATION_LINK}
              search={{ section: id } as never}
              className={styles.navLink}
              aria-current={id === section ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
