import { isAppBrand, useBrand } from '../brand.ts';
import styles from './WordMark.module.css';

/** The app's logo is two speech marks that meet. A brand has the first letter of its name. */
export function Mark({ size = 28 }: { size?: number }) {
  const brand = useBrand();
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      {isAppBrand(brand) ? (
        <>
          <path fill="#fff" d="M6 9.5A3.5 3.5 0 0 1 9.5 6H15v9.5a3.5 3.5 0 0 1-3.5 3.5H10l-4 3.5z" />
          <path fill="#b9bbff" d="M26 22.5a3.5 3.5 0 0 1-3.5 3.5H17v-9.5a3.5 3.5 0 0 1 3.5-3.5H22l4-3.5z" />
        </>
      ) : (
        <text x="16" y="22.5" fill="#fff" fontSize="19" fontWeight="700" textAnchor="middle">
          {/[\p{L}\p{N}]/u.exec(brand.name)?.[0].toUpperCase()}
        </text>
      )}
    </svg>
  );
}

/** The logo with the name beside it, or the brand's logo. */
export function WordMark({ size = 28 }: { size?: number }) {
  const { name, logo_url, logo_dark_url } = useBrand();
  if (logo_url)
    return (
      <span className={styles.root}>
        <img
          className={`${styles.logo} ${logo_dark_url ? styles.light : ''}`}
          src={logo_url}
          alt={name}
          height={size}
        />
        {logo_dark_url && (
          <img className={`${styles.logo} ${styles.dark}`} src={logo_dark_url} alt={name} height={size} />
        )}
      </span>
    );
  return (
    <span className={styles.root} style={{ gap: size * 0.32 }}>
      <Mark size={size} />
      <span className={styles.name} style={{ fontSize: size * 0.62 }}>
        {name}
      </span>
    </span>
  );
}
