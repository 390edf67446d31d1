/**
 * Permissions: one integer of four bits per resource, stored with a user or an API key. A permission is required only
 * through `needs` on endpoints, events, routes, and buttons.
 */
export const RESOURCES = [
  'ACCOUNTS',
  'ALERTS',
  'AUDIENCES',
  'CAMPAIGNS',
  'CHANNELS',
  'INVOICES',
  'KEYS',
  'MESSAGES',
  'NUMBERS',
  'PAYMENTS',
  'SENDERS',
  'SHORT_URLS',
  'TEMPLATES',
  'USERS',
  'WEBHOOKS',
  'MEDIA',
  'CONVERSATIONS',
  'SMS_LIMITS',
] as const;
export type Resource = (typeof RESOURCES)[number];

export const BITS = { view: 1, add: 2, edit: 4, delete: 8 } as const;
export type Level = keyof typeof BITS;
export type Need = `${Resource}:${Level}`;
/** One need, or a list of needs, any one of which is enough. */
export type Needs = Need | readonly Need[];
export type Permissions = Readonly<Partial<Record<Resource, number>>>;

export const FULL = 15;
export const allPermissions = (): Record<Resource, number> =>
  Object.fromEntries(RESOURCES.map((resource) => [resource, FULL])) as Record<Resource, number>;

export function split(need: Need): { resource: Resource; level: Level } {
  const [resource, level] = need.split(':') as [Resource, Level];
  return { resource, level };
}

export function permits(permissions: Permissions, needs: Needs | null | undefined): boolean {
  if (!needs) return true;
  const list = typeof needs === 'string' ? [needs] : needs;
  return list.some((need) => {
    const { resource, level } = split(need);
    return ((permissions[resource] ?? 0) & BITS[level]) !== 0;
  });
}

const RESOURCE_NAMES: Partial<Record<Resource, string>> = {
  SHORT_URLS: 'Link',
  SMS_LIMITS: 'SMS limit',
  KEYS: 'API key',
  MEDIA: 'Media',
};

/** The reason on a disabled control and in a 403, such as "You need Add Message permission." */
export function needReason(needs: Needs): string {
  const { resource, level } = split(typeof needs === 'string' ? needs : (needs[0] as Need));
  const noun = RESOURCE_NAMES[resource] ?? singular(resource);
  return `You need ${level[0]?.toUpperCase()}${level.slice(1)} ${noun} permission.`;
}

function singular(resource: Resource): string {
  const word = resource.endsWith('S') ? resource.slice(0, -1) : resource;
  return word[0] + word.slice(1).toLowerCase();
}
