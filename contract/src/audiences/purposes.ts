/** What people agree to. */
export const CONSENT_PURPOSES = ['marketing', 'transactional'] as const;
