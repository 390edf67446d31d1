/** The logo: two speech marks that meet. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path fill="#fff" d="M6 9.5A3.5 3.5 0 0 1 9.5 6H15v9.5a3.5 3.5 0 0 1-3.5 3.5H10l-4 3.5z" />
      <path fill="#b9bbff" d="M26 22.5a3.5 3.5 0 0 1-3.5 3.5H17v-9.5a3.5 3.5 0 0 1 3.5-3.5H22l4-3.5z" />
    </svg>
  );
}

/** The logo with the name beside it. */
export function WordMark({ size = 28 }: { size?: number }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: size * 0.32 }}>
      <Mark size={size} />
      <span style={{ fontSize: size * 0.62, fontWeight: 680, letterSpacing: '-0.03em', color: 'var(--ink)' }}>
        Parley
      </span>
    </span>
  );
}
