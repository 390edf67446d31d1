/** The blockers and warnings in the campaign preview, each with the place to fix it. This file has no side effects. */
import type { ApprovalRule } from '@parley/contract/accounts/campaign_rules.ts';
import type { PreviewFinding } from '@parley/contract/campaigns/previews.ts';
import { plainCapacity, type SmsProfile, segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { ProblemName } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { needsApproval } from '../draft/approval_rule.ts';
import { formatLocalMinute } from '../draft/name.ts';
import type { Obstacle } from '../draft/obstacles.ts';
import type { AudienceRow } from '../model/queries.ts';
import { describeHeldContent, type HeldContent } from './content_warnings.ts';
import { type Estimate, fullCost } from './estimate.ts';
import { quietCountries } from './quiet_hours.ts';

export interface Outlook {
  text: string;
  sender: Sender | null;
  audience: AudienceRow | null;
  figures: Estimate;
  /** The segmentation rules of most connections. */
  profile: SmsProfile;
  currency: string;
  timezone: string;
  /** True if the campaign itself keeps to the hours of a country. */
  restricts: (country: string) => boolean;
  available_micros: number;
  approval_rule: ApprovalRule | null;
  shows_money: boolean;
  schedule: string | null;
  /** Its recipients are not known in advance. */
  is_automation: boolean;
  /** Messages that content rules hold or refuse. */
  held: readonly HeldContent[];
  now: Date;
}

type Fix = PreviewFinding['fix'];
const finding = (code: PreviewFinding['code'], message: string, fix: Fix = null): PreviewFinding => ({
  code,
  message,
  fix,
});
const setupStep = (label: string): Fix => ({ label, path: '#setup' });
const MESSAGE_STEP: Fix = { label: 'Edit message', path: '#message' };

const TEMPLATE_PROBLEMS: readonly ProblemName[] = [
  'CAMPAIGN_TEMPLATE_INVALID',
  'MESSAGE_TEMPLATE_NOT_FOUND',
  'TEMPLATE_CHANNEL_MISMATCH',
  'TEMPLATE_NOT_APPROVED',
  'TEMPLATE_PAUSED',
  'TEMPLATE_DISABLED',
  'VIBER_TEMPLATE_NOT_APPROVED',
];

const BLOCKERS: Partial<Record<ProblemName, (o: Outlook) => Omit<PreviewFinding, 'message'>>> = {
  ACCOUNT_UNVERIFIED: () => ({
    code: 'account_not_active',
    fix: { label: 'Verify account', path: '/verification' },
  }),
  PAYMENT_OVERDUE: () => ({ code: 'balance', fix: { label: 'Add funds', path: '/add-funds' } }),
  TRIAL_ENDED: () => ({ code: 'trial_over', fix: { label: 'Add funds', path: '/add-funds' } }),
  TRIAL_RECIPIENT_NOT_ALLOWED: () => ({ code: 'trial_recipients', fix: setupStep('Select another audience') }),
  CAMPAIGN_SENDER_REQUIRED: () => ({ code: 'no_sender', fix: setupStep('Select a sender') }),
  CAMPAIGN_SENDER_INVALID: () => ({ code: 'sender_not_approved', fix: { label: 'Open senders', path: '/senders' } }),
  SENDER_BLOCKED: () => ({ code: 'sender_not_approved', fix: { label: 'Open senders', path: '/senders' } }),
  CAMPAIGN_TEXT_REQUIRED: () => ({ code: 'no_text', fix: { label: 'Write message', path: '#message' } }),
  CAMPAIGN_VARIABLE_UNKNOWN: () => ({ code: 'unknown_variables', fix: MESSAGE_STEP }),
  LINK_URL_INVALID: () => ({ code: 'invalid_links', fix: MESSAGE_STEP }),
  LINKS_LIMIT_EXCEEDED: () => ({ code: 'invalid_links', fix: MESSAGE_STEP }),
  ...Object.fromEntries(TEMPLATE_PROBLEMS.map((name) => [name, () => ({ code: 'template', fix: MESSAGE_STEP })])),
  TARGETED_COUNTRIES_REQUIRED: () => ({ code: 'content', fix: setupStep('Select countries') }),
  MESSAGE_SEGMENTS_LIMIT_EXCEEDED: () => ({ code: 'text_too_long', fix: MESSAGE_STEP }),
  CAMPAIGN_AUDIENCE_REQUIRED: () => ({ code: 'no_audience', fix: setupStep('Select an audience') }),
  CAMPAIGN_AUDIENCE_INVALID: () => ({ code: 'no_audience', fix: setupStep('Select an audience') }),
  CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH: () => ({ code: 'audience_channel', fix: setupStep('Select another audience') }),
  CAMPAIGN_AUDIENCE_EMPTY: ({ audience }) => ({
    code: 'empty_audience',
    fix: { label: 'Add contacts', path: `/contacts/add-contact/${audience?.id}` },
  }),
};

export function findBlockers(outlook: Outlook, obstacles: readonly Obstacle[]): PreviewFinding[] {
  const { figures, audience, schedule } = outlook;
  const blockers = obstacles.flatMap(({ code, message }) => {
    const blocker = BLOCKERS[code]?.(outlook) ?? ({ code: 'content', fix: MESSAGE_STEP } as const);
    return [{ ...blocker, message }];
  });
  if (outlook.is_automation) return blockers;
  const { total, will_receive } = figures.counts;
  if (obstacles.length === 0 && audience && total > 0 && will_receive === 0) {
    blockers.push(
      finding(
        'nobody',
        `No contact in ${audience.name} can receive this message: ${describeSkips(figures)}`,
        setupStep('Select another audience'),
      ),
    );
  }
  if (schedule && parseTimestamp(schedule) <= outlook.now) {
    blockers.push(
      finding('schedule_past', 'The scheduled time has passed', {
        label: 'Choose another time',
        path: '#review',
      }),
    );
  }
  if (!schedule && fullCost(figures) > outlook.available_micros) {
    blockers.push(finding('balance', describeShortage(outlook), { label: 'Add funds', path: '/add-funds' }));
  }
  return blockers;
}

export function findWarnings(outlook: Outlook): PreviewFinding[] {
  const { figures, text, sender, schedule, is_automation } = outlook;
  const warnings: PreviewFinding[] = [];
  const { counts, segments } = figures;
  if (schedule && fullCost(figures) > outlook.available_micros) {
    warnings.push(
      finding('schedule_balance', `${describeShortage(outlook)}. The campaign will pause instead of starting`, {
        label: 'Add funds',
        path: '/add-funds',
      }),
    );
  }
  if (counts.will_receive > 0 && counts.will_receive < counts.total) {
    const skipped = formatRecipients(counts.total - counts.will_receive);
    warnings.push(finding('not_everybody', `${skipped} will not receive the message: ${describeSkips(figures)}`));
  }
  const approval = { recipients: counts.will_receive, amount_micros: fullCost(figures), is_open: is_automation };
  if (needsApproval(outlook.approval_rule, approval))
    warnings.push(finding('approval', 'The campaign starts only after another user approves it'));
  for (const message of describeHeldContent(outlook.held, counts.will_receive))
    warnings.push(finding('content_rule', message, MESSAGE_STEP));
  warnings.push(...unicodeWarnings(outlook, text, segments.unicode_recipients));
  if (segments.max > 1) {
    const range = segments.min === segments.max ? `${segments.max}` : `${segments.min} to ${segments.max}`;
    warnings.push(
      finding('several_parts', `Each message has ${range} segments, and each segment is charged`, MESSAGE_STEP),
    );
  }
  for (const [name, count] of Object.entries(figures.empty)) warnings.push(emptyVariableWarning(name, count));
  if (sender) warnings.push(...countryWarnings(sender, figures));
  if (!is_automation) warnings.push(...quietHoursWarnings(outlook));
  return warnings;
}

function countryWarnings({ name, countries }: Sender, { cost }: Estimate): PreviewFinding[] {
  const outside = countries.length === 0 ? [] : cost.filter(({ country }) => !countries.includes(country));
  const count = outside.reduce((all, { recipients }) => all + recipients, 0);
  if (count === 0) return [];
  const others = outside.map(({ country }) => country).join(', ');
  const text =
    `${name} is registered for ${countries.join(', ')}. ` +
    `${formatRecipients(count)} ${count === 1 ? 'is' : 'are'} in other countries (${others})`;
  return [finding('sender_countries', text, setupStep('Select another sender'))];
}

function unicodeWarnings({ profile }: Outlook, text: string, recipients: number): PreviewFinding[] {
  const unicode = `Unicode: 70 characters per segment instead of ${plainCapacity(profile)}`;
  if (recipients === 0) return [];
  const characters = [
    ...new Set(segment(text, segmentOptions(profile)).unicode_characters.map(({ character }) => character)),
  ];
  if (characters.length === 0) {
    return [finding('unicode', `Characters in the contact data of ${formatRecipients(recipients)} force ${unicode}`)];
  }
  const shown = characters
    .slice(0, 5)
    .map((character) => (INVISIBLE.test(character) ? codePointLabel(character) : `"${character}"`));
  const more = characters.length > 5 ? ` and ${characters.length - 5} more` : '';
  const verb = characters.length > 1 ? 'force' : 'forces';
  return [finding('unicode', `${shown.join(', ')}${more} ${verb} ${unicode}`, MESSAGE_STEP)];
}

const INVISIBLE = /^[\p{Z}\p{C}]$/u;
const codePointLabel = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

function emptyVariableWarning(name: string, count: number): PreviewFinding {
  const text = `{${name}} is empty for ${formatRecipients(count)}. Add a fallback, such as {${name}:friend}`;
  return finding('empty_variable', text, MESSAGE_STEP);
}

function quietHoursWarnings({ figures, schedule, now, timezone, restricts }: Outlook): PreviewFinding[] {
  const at = schedule ? parseTimestamp(schedule) : now;
  const quiet = quietCountries(
    at,
    figures.cost.filter(({ country }) => !restricts(country)),
  );
  if (quiet.length === 0) return [];
  const count = quiet.reduce((all, { recipients }) => all + recipients, 0);
  const first = quiet[0]!;
  const when = schedule ? `at ${formatLocalMinute(at, timezone)} your time, it is` : 'it is now';
  const text =
    `Quiet hours: ${when} ${first.time} in ${first.name}. ` +
    `${formatRecipients(count)} would receive the message between 21:00 and 08:00`;
  return [finding('quiet_hours', text, { label: 'Choose another time', path: '#review' })];
}

const SKIP_LABELS = {
  stop_list: 'on the stop list',
  excluded: 'in an excluded audience',
  duplicate: 'in several audiences',
  country: 'outside the targeted countries',
  country_blocked: 'in blocked countries',
  no_value: 'without a value for a variable',
  no_text: 'with an empty message',
  no_route: 'without a route',
  no_price: 'without a price',
  too_long: 'with more than 10 segments',
  frequency_cap: 'who have reached the frequency cap',
  no_window: 'whose quiet hours cover the delivery windows',
  missed: 'whose local time has passed',
  landline: 'with a landline number',
  not_in_use: 'with a number that is not in use',
  no_session: 'who have not written in the last 24 hours',
} as const;
const describeSkips = ({ counts }: Estimate): string =>
  (Object.entries(SKIP_LABELS) as [keyof typeof SKIP_LABELS, string][])
    .filter(([key]) => counts[key] > 0)
    .map(([key, words]) => `${counts[key].toLocaleString('en-US')} ${words}`)
    .join(', ');

const formatRecipients = (count: number): string =>
  count === 1 ? '1 recipient' : `${count.toLocaleString('en-US')} recipients`;

function describeShortage({ figures, available_micros, currency, shows_money }: Outlook): string {
  if (!shows_money) return 'Your balance is too low';
  const money = (micros: number) => (micros / 1_000_000).toLocaleString('en-US', { style: 'currency', currency });
  const available = money(Math.max(0, available_micros));
  return `Your balance is too low: the campaign costs ${money(fullCost(figures))}, and ${available} is available`;
}
