import type { Palette } from '@parley/contract/brand/palette.ts';
import { derivePalette } from '@parley/contract/brand/palette.ts';
import styles from './Brand.module.css';

interface BrandPreviewProps {
  name: string;
  /** Null or not yet valid: the colors of the app. */
  color: string | null;
  logo: string | null;
  logo_dark: string | null;
}

const APP_COLOR = '#3a36c8';
const THEMES = [
  { key: 'light', label: 'Light theme', page: '#ffffff', ink: '#1f1d1a' },
  { key: 'dark', label: 'Dark theme', page: '#1e1c1a', ink: '#edeae4' },
] as const satisfies readonly { key: keyof Palette; label: string; page: string; ink: string }[];

/** The derived colors, in both themes. */
export function BrandPreview({ name, color, logo, logo_dark }: BrandPreviewProps) {
  const palette = derivePalette(color && /^#[0-9a-f]{6}$/i.test(color) ? color : APP_COLOR);
  return (
    <div className={styles.previews}>
      {THEMES.map(({ key, label, page, ink }) => {
        const shades = palette[key];
        const picture = key === 'dark' ? (logo_dark ?? logo) : logo;
        return (
          <section
            key={key}
            className={styles.preview}
            aria-label={`Preview, ${label.toLowerCase()}`}
            style={{ background: page, color: ink }}
          >
            {picture ? (
              <img className={styles.logo} src={picture} alt={name} />
            ) : (
              <span className={styles.name}>{name}</span>
            )}
            <span className={styles.button} style={{ background: shades.accent }}>
              Button
            </span>
            <span style={{ color: shades.accent_ink, textDecoration: 'underline' }}>Link</span>
            <span className={styles.chip} style={{ color: shades.accent_ink, background: shades.accent_soft }}>
              {label}
            </span>
          </section>
        );
      })}
    </div>
  );
}
