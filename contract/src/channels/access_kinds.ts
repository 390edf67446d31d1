/** The access forms, one for each channel that businesses request access to. */
export const ACCESS_KINDS = ['whatsapp', 'viber'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Makes one value for each access form. */
export const mapAccessKinds = <T>(make: (kind: AccessKind) => T) =>
  Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, make(kind)])) as Record<AccessKind, T>;

export const isAccessKind = (kind: string): kind is AccessKind => ACCESS_KINDS.some((one) => one === kind);
