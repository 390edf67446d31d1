/** The purposes that people can agree to. */
export const CONSENT_PURPOSES = ['marketing', 'transactional'] as const;
