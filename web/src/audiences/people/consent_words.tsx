/** The words for consents and their changes. */
import type { Consent, ConsentState } from '@parley/contract/audiences/consents.ts';
import { channelLabel } from '../../channels/index.ts';
import type { Tone } from '../../ui/data/status.ts';

export const PURPOSE_LABELS = { marketing: 'Marketing', transactional: 'Transactional' } as const;
export const CONSENT_STATES: Readonly<Record<ConsentState['state'], { label: string; tone: Tone }>> = {
  none: { label: 'No record', tone: 'off' },
  given: { label: 'Given', tone: 'ok' },
  withdrawn: { label: 'Withdrawn', tone: 'fail' },
  reinstated: { label: 'Withdrawal removed', tone: 'wait' },
};
const METHOD_LABELS: Readonly<Record<Consent['method'], string>> = {
  import: 'Import',
  form: 'Form',
  keyword: 'Keyword',
  api: 'API',
  double_opt_in: 'Double opt-in',
  manual: 'Entered by a user',
  link: 'Opt-out link',
  carrier: 'Reported by the carrier',
  operator: 'Entered by the operator',
};

export function consentEntry(consent: Consent) {
  const { id, change, channel, purpose, method, text, source, address, sender_name, user_name, create_date } = consent;
  const scope = [
    channel ? channelLabel(channel) : 'All channels',
    purpose ? PURPOSE_LABELS[purpose].toLowerCase() : 'all purposes',
  ];
  const facts = [
    METHOD_LABELS[method],
    sender_name && `for ${sender_name}`,
    source,
    address && `from ${address}`,
    user_name && `by ${user_name}`,
  ].filter(Boolean);
  return {
    key: id,
    title: `${CONSENT_STATES[change].label}: ${scope.join(', ')}`,
    at: create_date,
    tone: CONSENT_STATES[change].tone,
    source: facts.join(', '),
    detail: text === '' ? undefined : <bdi>{text}</bdi>,
  };
}
