/** What the pre-send panel says: blockers, each with the place that mends it, and warnings. Pure. */
import type { PreviewFinding } from '@parley/contract/campaigns/previews.ts';
import { segment, type Variable } from '@parley/contract/channels/sms/text.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { ProblemName } from '@parley/contract/problem.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { formatLocalMinute } from '../draft/name.ts';
import type { Obstacle } from '../draft/ready.ts';
import type { AudienceRow } from '../model/queries.ts';
import type { Estimate } from './estimate.ts';
import { quietCountries } from './quiet_hours.ts';

export interface Outlook {
  text: string;
  sender: Sender | null;
  audience: AudienceRow | null;
  figures: Estimate;
  currency: string;
  timezone: string;
  available_micros: number;
  shows_money: boolean;
  schedule: string | null;
  now: Date;
}

type Fix = PreviewFinding['fix'];
const finding = (code: PreviewFinding['code'], message: string, fix: Fix = null): PreviewFinding => ({
  code,
  message,
  fix,
});
const setupStep = (label: string): Fix => ({ label, path: '#setup' });
const MESSAGE_STEP: Fix = { label: 'Edit the message', path: '#message' };

const BLOCKERS: Partial<Record<ProblemName, (o: Outlook) => Omit<PreviewFinding, 'message'>>> = {
  ACCOUNT_UNVERIFIED: () => ({
    code: 'account_not_active',
    fix: { label: 'Verify the account', path: '/verification' },
  }),
  TRIAL_ENDED: () => ({ code: 'trial_over', fix: { label: 'Add funds', path: '/add-funds' } }),
  TRIAL_RECIPIENT_NOT_ALLOWED: () => ({ code: 'trial_recipients', fix: setupStep('Choose another audience') }),
  CAMPAIGN_SENDER_REQUIRED: () => ({ code: 'no_sender', fix: setupStep('Choose a sender') }),
  CAMPAIGN_SENDER_INVALID: () => ({ code: 'sender_not_approved', fix: { label: 'Open senders', path: '/senders' } }),
  SENDER_BLOCKED: () => ({ code: 'sender_not_approved', fix: { label: 'Open senders', path: '/senders' } }),
  CAMPAIGN_TEXT_REQUIRED: () => ({ code: 'no_text', fix: { label: 'Write the message', path: '#message' } }),
  CAMPAIGN_VARIABLE_UNKNOWN: () => ({ code: 'unknown_variables', fix: MESSAGE_STEP }),
  MESSAGE_SEGMENTS_LIMIT_EXCEEDED: () => ({ code: 'text_too_long', fix: MESSAGE_STEP }),
  CAMPAIGN_AUDIENCE_REQUIRED: () => ({ code: 'no_audience', fix: setupStep('Choose an audience') }),
  CAMPAIGN_AUDIENCE_INVALID: () => ({ code: 'no_audience', fix: setupStep('Choose an audience') }),
  CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH: () => ({ code: 'audience_channel', fix: setupStep('Choose another audience') }),
  CAMPAIGN_AUDIENCE_EMPTY: ({ audience }) => ({
    code: 'empty_audience',
    fix: { label: 'Add contacts', path: `/contacts/add-contact/${audience?.id}` },
  }),
};

export function findBlockers(outlook: Outlook, obstacles: readonly Obstacle[]): PreviewFinding[] {
  const { figures, audience, schedule } = outlook;
  const blockers = obstacles.flatMap(({ code, message }) => {
    const blocker = BLOCKERS[code]?.(outlook);
    return blocker ? [{ ...blocker, message }] : [];
  });
  const { total, will_receive } = figures.counts;
  if (obstacles.length === 0 && audience && total > 0 && will_receive === 0) {
    blockers.push(
      finding(
        'nobody',
        `Nobody in ${audience.name} can receive this: ${describeSkips(figures)}`,
        setupStep('Choose another audience'),
      ),
    );
  }
  if (schedule && parseTimestamp(schedule) <= outlook.now) {
    blockers.push(
      finding('schedule_past', 'The time it is scheduled for has passed', {
        label: 'Choose another time',
        path: '#review',
      }),
    );
  }
  if (!schedule && figures.total_micros > outlook.available_micros) {
    blockers.push(finding('balance', describeShortage(outlook), { label: 'Add funds', path: '/add-funds' }));
  }
  return blockers;
}

export function findWarnings(outlook: Outlook): PreviewFinding[] {
  const { figures, text, sender, schedule } = outlook;
  const warnings: PreviewFinding[] = [];
  const { counts, segments } = figures;
  if (schedule && figures.total_micros > outlook.available_micros) {
    warnings.push(
      finding('schedule_balance', `${describeShortage(outlook)}. It will pause instead of starting`, {
        label: 'Add funds',
        path: '/add-funds',
      }),
    );
  }
  if (counts.will_receive > 0 && counts.will_receive < counts.total) {
    warnings.push(
      finding(
        'not_everybody',
        `${formatPeople(counts.total - counts.will_receive)} will not get it: ${describeSkips(figures)}`,
      ),
    );
  }
  warnings.push(...unicodeWarnings(text, segments.unicode_recipients));
  if (segments.max > 1) {
    const range = segments.min === segments.max ? `${segments.max}` : `${segments.min} to ${segments.max}`;
    warnings.push(
      finding('several_parts', `Each message has ${range} parts, and every part is paid for`, MESSAGE_STEP),
    );
  }
  for (const [name, count] of Object.entries(figures.empty) as [Variable, number][])
    warnings.push(emptyVariableWarning(name, count));
  if (sender && sender.countries.length > 0) {
    const outside = figures.cost.filter(({ country }) => !sender.countries.includes(country));
    const count = outside.reduce((all, { recipients }) => all + recipients, 0);
    if (count > 0) {
      warnings.push(
        finding(
          'sender_countries',
          `${sender.name} is registered for ${sender.countries.join(', ')}; ${formatPeople(count)} are elsewhere (${outside.map(({ country }) => country).join(', ')})`,
          setupStep('Choose another sender'),
        ),
      );
    }
  }
  warnings.push(...quietHoursWarnings(outlook));
  return warnings;
}

function unicodeWarnings(text: string, recipients: number): PreviewFinding[] {
  if (recipients === 0) return [];
  const characters = [...new Set(segment(text).unicode_characters.map(({ character }) => character))];
  if (characters.length === 0) {
    return [
      finding(
        'unicode',
        `${formatPeople(recipients)} ${recipients === 1 ? 'gets' : 'get'} it in Unicode because of a character in their own data: 70 characters a part instead of 160`,
      ),
    ];
  }
  const shown = characters
    .slice(0, 5)
    .map((character) => (INVISIBLE.test(character) ? codePointLabel(character) : `"${character}"`));
  const more = characters.length > 5 ? ` and ${characters.length - 5} more` : '';
  return [
    finding(
      'unicode',
      `${shown.join(', ')}${more} ${characters.length > 1 ? 'force' : 'forces'} Unicode: 70 characters a part instead of 160`,
      MESSAGE_STEP,
    ),
  ];
}

const INVISIBLE = /^[\p{Z}\p{C}]$/u;
const codePointLabel = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

function emptyVariableWarning(name: Variable, count: number): PreviewFinding {
  if (name === 'sms_opt_out') {
    return finding('no_opt_out', '{sms_opt_out} stays empty: nobody can answer a sender that is a name', MESSAGE_STEP);
  }
  const text = `{${name}} is empty for ${formatPeople(count)}. Give it a fallback, as in {${name}:friend}`;
  return finding('empty_variable', text, MESSAGE_STEP);
}

function quietHoursWarnings({ figures, schedule, now, timezone }: Outlook): PreviewFinding[] {
  const at = schedule ? parseTimestamp(schedule) : now;
  const quiet = quietCountries(at, figures.cost);
  if (quiet.length === 0) return [];
  const count = quiet.reduce((all, { recipients }) => all + recipients, 0);
  const first = quiet[0]!;
  const when = schedule ? `at ${formatLocalMinute(at, timezone)} your time it is` : 'it is now';
  const text = `Night: ${when} ${first.time} for people in ${first.name}, and ${formatPeople(count)} would get it between 21:00 and 08:00`;
  return [finding('quiet_hours', text, { label: 'Choose another time', path: '#review' })];
}

const SKIP_LABELS = {
  stop_list: 'on the stop list',
  no_text: 'with nothing to read in it',
  no_route: 'in places no route leads to',
  no_price: 'in places without a price',
  too_long: 'with more than 10 parts',
} as const;
const describeSkips = ({ counts }: Estimate): string =>
  (Object.entries(SKIP_LABELS) as [keyof typeof SKIP_LABELS, string][])
    .filter(([key]) => counts[key] > 0)
    .map(([key, words]) => `${counts[key].toLocaleString('en-US')} ${words}`)
    .join(', ');

const formatPeople = (count: number): string => (count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`);

function describeShortage({ figures, available_micros, currency, shows_money }: Outlook): string {
  if (!shows_money) return 'The balance is not enough';
  const money = (micros: number) => (micros / 1_000_000).toLocaleString('en-US', { style: 'currency', currency });
  return `The balance is not enough: it costs ${money(figures.total_micros)}, ${money(Math.max(0, available_micros))} is available`;
}
