/** The contents of the manual, and its search. */
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import docs from '../docs/Docs.module.css';
import { FoldedContents } from '../FoldedContents.tsx';
import styles from './Manual.module.css';
import { type Manual, type ManualPage, searchManual } from './manual.ts';
import { manualPath } from './parts.ts';

interface ManualNavProps {
  manual: Manual;
  page: ManualPage | undefined;
  search: string;
}

export function ManualNav({ manual, page, search }: ManualNavProps) {
  const navigate = useNavigate();
  const onSearch = (text: string) =>
    void navigate({ to: '.', search: (text ? { q: text } : {}) as never, replace: true, resetScroll: false });
  const contents = search.trim() ? <Hits manual={manual} search={search} /> : <Contents manual={manual} page={page} />;
  return (
    <nav className={`${docs.nav} ${styles.nav}`} aria-label="Contents">
      <TextInput
        type="search"
        aria-label="Search the manual"
        placeholder="Search the manual"
        leftSection={<IconSearch size={15} aria-hidden />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <FoldedContents isFolded={!search.trim()}>{contents}</FoldedContents>
    </nav>
  );
}

function Hits({ manual, search }: { manual: Manual; search: string }) {
  const hits = searchManual(manual, search);
  return (
    <>
      <p className={docs.navTitle} role="status">
        {hits.length === 0 ? 'No sections match this search.' : `${hits.length} result${hits.length === 1 ? '' : 's'}`}
      </p>
      <ul className={docs.navList}>
        {hits.map(({ page, section, snippet }) => (
          <li key={`${page.id}#${section.id}`}>
            <Link
              to={manualPath(page.id)}
              {...(section.id ? { hash: section.id } : {})}
              search={{ q: search } as never}
              className={docs.hit}
            >
              <span>{section.id ? `${page.title}: ${section.title}` : page.title}</span>
              <span className={styles.snippet}>{snippet}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function Contents({ manual, page: open }: { manual: Manual; page: ManualPage | undefined }) {
  return manual.groups.map((group) => (
    <section key={group.title} aria-label={group.title}>
      <p className={docs.navTitle}>{group.title}</p>
      <ul className={docs.navList}>
        {group.pages.map((id) => {
          const page = manual.pages.get(id);
          if (!page) return null;
          return (
            <li key={id}>
              <Link
                to={manualPath(id)}
                className={docs.navLink}
                activeOptions={{ includeHash: true }}
                aria-current={page === open ? 'page' : undefined}
              >
                {page.title}
              </Link>
              {page === open && <Sections page={page} />}
            </li>
          );
        })}
      </ul>
    </section>
  ));
}

/** The headings of the open page. */
function Sections({ page }: { page: ManualPage }) {
  const sections = page.sections.filter(({ id }) => id);
  if (sections.length < 2) return null;
  return (
    <ul className={styles.sections} aria-label={`Sections of ${page.title}`}>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Link to={manualPath(page.id)} hash={id} className={docs.navLink} activeProps={{ 'aria-current': undefined }}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
