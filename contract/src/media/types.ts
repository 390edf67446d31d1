/** Apart from the rules for files, so that pages without forms do not load those. */
export const MEDIA_TYPES = ['image', 'video', 'document'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
