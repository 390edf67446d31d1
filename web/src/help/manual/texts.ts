/** The texts of the manual for customers, by page. Loaded lazily. */
export const TEXTS = import.meta.glob<string>('../../../../docs/manual/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});
