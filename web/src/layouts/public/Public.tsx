/**
 * The layout of public pages: the form on the left, slides on the right, legal links and reviews below. It must not
 * import code from the dashboard.
 */

import { Outlet, useRouterState } from '@tanstack/react-router';
import { readPageLinks } from '../../auth/page_links.ts';
import { LEGAL_LINKS } from '../../paths.ts';
import { brandName } from '../../ui/brand.ts';
import { WordMark } from '../../ui/layout/WordMark.tsx';
import { Carousel } from './Carousel.tsx';
import styles from './Public.module.css';
import { reviewShape } from './review_links.ts';
import { slidesFor } from './slides.ts';

/** `blank` omits the links that lead to other pages. */
export function Public({ blank = false }: { blank?: boolean }) {
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
        {!blank && <Footer />}
      </div>
      <aside className={styles.right} aria-label={`What ${brandName()} does`}>
        <Carousel key={slides[0]?.title} slides={slides} />
      </aside>
    </div>
  );
}

/** The layout without links to other pages. */
export const Blank = () => <Public blank />;

function Footer() {
  const reviews = readPageLinks('review-links');
  return (
    <footer className={styles.footer}>
      <nav aria-label="Legal" className={styles.legal}>
        {readPageLinks('legal-links', LEGAL_LINKS).map((link) => (
          <a key={link.href} href={link.href}>
            {link.label}
          </a>
        ))}
      </nav>
      {reviews.length > 0 && (
        <ul className={styles.reviews} aria-label="Partner reviews">
          {reviews.map(({ label, href, image }, at) => (
            <li key={label}>
              <a href={href} target="_blank" rel="noreferrer">
                {image ? (
                  <img src={image} alt={label} height={24} />
                ) : (
                  <>
                    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden focusable="false">
                      <path d={reviewShape(at)} fill="currentColor" />
                      <path d={STAR} fill="var(--surface)" />
                    </svg>
                    {label}
                  </>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}

const STAR = 'm8 3.2 1.4 3.1 3.4.4-2.5 2.3.7 3.4-3-1.7-3 1.7.7-3.4-2.5-2.3 3.4-.4z';
