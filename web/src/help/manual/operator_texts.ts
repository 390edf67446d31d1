/** The texts of the manual for operators, by page. Loaded lazily, and only in the admin view. */
export const TEXTS = import.meta.glob<string>('../../../../docs/manual/operators/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});
