/** The contents of the documentation, and its search. */
import { TextInput } from '@mantine/core';
import { AREAS } from '@parley/contract/docs/areas.ts';
import { GUIDES } from '@parley/contract/docs/guides.ts';
import { type Module, searchOperations } from '@parley/contract/docs/openapi.ts';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DOCUMENTATION_LINK } from '../../paths.ts';
import { FoldedContents } from '../FoldedContents.tsx';
import styles from './Docs.module.css';
import { Method } from './OperationView.tsx';

interface DocsNavProps {
  modules: readonly Module[];
  section: string;
  search: string;
  onSearch: (search: string) => void;
}

export function DocsNav({ modules, section, search, onSearch }: DocsNavProps) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length > 0 ? searchOperations(modules, search) : null;
  const guides = GUIDES.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return (
    <nav className={styles.nav} aria-label="Contents">
      <TextInput
        type="search"
        aria-label="Search the documentation"
        placeholder="Endpoint, field, or error code"
        leftSection={<IconSearch size={15} aria-hidden />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {found ? (
        <>
          <p className={styles.navTitle} role="status">
            {found.length === 0 && guides.length === 0
              ? 'Nothing matches this search.'
              : `${found.length} endpoint${found.length === 1 ? '' : 's'}`}
          </p>
          {guides.length > 0 && <NavGroup title="Guides" entries={guides} section={section} />}
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
        <FoldedContents isFolded>
          <NavGroup title="Guides" entries={GUIDES} section={section} />
          {AREAS.map((area) => (
            <NavGroup
              key={area.title}
              title={area.title}
              entries={modules
                .filter(({ id }) => area.modules.includes(id))
                .sort((a, b) => area.modules.indexOf(a.id) - area.modules.indexOf(b.id))}
              section={section}
            />
          ))}
        </FoldedContents>
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
