/** Outside of the frame: the form left, what the product does right, legal links and reviews below. No dashboard code in here. */
import { Outlet, useRouterState } from '@tanstack/react-router';
import { LEGAL_LINKS, REVIEW_LINKS } from '../links.ts';
import { WordMark } from '../ui/WordMark.tsx';
import { Carousel } from './Carousel.tsx';
import styles from './Public.module.css';
import { slidesFor } from './slides.ts';

export function Public() {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const slides = slidesFor(pathname, search);
  return (
    <div className={styles.root}>
      <div className={styles.left}>
        <header className={styles.header}>
          <WordMark size={30} />
        </header>
        <main className={styles.main}>
          <div className={styles.form}>
            <Outlet />
          </div>
        </main>
        <footer className={styles.footer}>
          <nav aria-label="Legal" className={styles.legal}>
            {LEGAL_LINKS.map((link) => (
              <a key={link.href} href={link.href}>
                {link.label}
              </a>
            ))}
          </nav>
          <ul className={styles.reviews} aria-label="Reviews by partners">
            {REVIEW_LINKS.map((review) => (
              <li key={review.label}>
                <a href={review.href} target="_blank" rel="noreferrer">
                  {review.label}
                </a>
              </li>
            ))}
          </ul>
        </footer>
      </div>
      <aside className={styles.right} aria-label="What Parley does">
        <Carousel key={slides[0]?.title} slides={slides} />
      </aside>
    </div>
  );
}
