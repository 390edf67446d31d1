/** The access forms, one for each channel that businesses request access to. */
export const ACCESS_KINDS = ['whatsapp', 'viber'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

export const isAccessKind = (kind: string): kind is AccessKind => ACCESS_KINDS.some((one) => one === kind);
