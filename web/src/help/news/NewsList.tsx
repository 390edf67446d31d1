/** The newest version, one line for each group. Loaded when it is opened. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../kernel/session/session.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { inline } from '../docs/Markdown.tsx';
import { headingAnchor } from '../manual/manual.ts';
import { manualPath } from '../manual/parts.ts';
import { firstSentence, loadNews, type NewsGroup, versionTitle, visibleNews } from './changelog.ts';
import styles from './News.module.css';

const WHATS_NEW = manualPath('whats-new');
const ITEMS = 2;

export default function NewsList({ onGo }: { onGo: () => void }) {
  const { admin } = useSession();
  const query = useQuery({ queryKey: ['news'], queryFn: loadNews, staleTime: Number.POSITIVE_INFINITY });
  if (query.isPending) return <SkeletonLines lines={6} />;
  if (query.error)
    return (
      <ErrorState title="The changes could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  const [version] = visibleNews(query.data, admin);
  return (
    <>
      <h2 className={styles.title}>What’s new</h2>
      {version ? <p className={styles.dim}>{versionTitle(version)}</p> : <p className={styles.dim}>No changes yet.</p>}
      {version?.sections[0]?.groups.map((group) => (
        <Group key={group.title} group={group} onGo={onGo} />
      ))}
      <Link to={WHATS_NEW} className={styles.all} onClick={onGo}>
        See all changes
      </Link>
    </>
  );
}

function Group({ group: { title, items }, onGo }: { group: NewsGroup; onGo: () => void }) {
  const more = items.length - ITEMS;
  return (
    <section className={styles.group}>
      <h3 className={styles.groupTitle}>{title}</h3>
      <ul className={styles.items}>
        {items.slice(0, ITEMS).map((item) => (
          <li key={item}>{inline(firstSentence(item), (label) => label)}</li>
        ))}
      </ul>
      {more > 0 && (
        <Link to={WHATS_NEW} hash={headingAnchor(title)} className={styles.more} onClick={onGo}>
          {more} more about {title.charAt(0).toLowerCase() + title.slice(1)}
        </Link>
      )}
    </section>
  );
}
