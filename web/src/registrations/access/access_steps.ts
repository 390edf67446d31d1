/** The steps of an access form: the business, the channel's own steps, and the review. */
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { ACCESS_VIEWS } from '../../channels/access.ts';

export const accessSteps = (kind: AccessKind): { key: string; label: string }[] => [
  { key: 'business', label: 'Business details' },
  ...ACCESS_VIEWS[kind].steps.map(({ key, label }) => ({ key, label })),
  { key: 'review', label: 'Review' },
];

/** The step of a field, such as "account". The files belong to the channel's last step. */
export function accessStep(field: string, kind: AccessKind): string {
  const [section, name = ''] = field.split('.');
  const { steps } = ACCESS_VIEWS[kind];
  if (section === 'attachments') return steps.at(-1)!.key;
  return steps.find(({ view }) => view && name in view.initial(null))?.key ?? 'business';
}
