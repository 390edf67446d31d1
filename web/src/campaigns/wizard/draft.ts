/** The draft of the wizard. The browser keeps it until it is sent or discarded, so nothing is lost in a reload. */

import type { Account } from '@parley/contract/accounts/accounts.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignRepeat } from '@parley/contract/campaigns/repeats.ts';
import { type CampaignSafety, NO_SAFETY } from '@parley/contract/campaigns/safety.ts';
import { type CampaignTiming, NO_TIMING } from '@parley/contract/campaigns/timing.ts';
import {
  type CampaignTrigger,
  NEEDS_NO_AUDIENCE,
  newTrigger,
  RUNS_ALL_DAY,
} from '@parley/contract/campaigns/triggers.ts';
import type { CampaignTest } from '@parley/contract/campaigns/variants.ts';
import { VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import type { FallbackStep } from '../../channels/fallbacks/fallback_steps.ts';
import { toLocal } from '../../ui/controls/local_time.ts';
import { type ContentDraft, emptyContent, toContent } from './content/content_draft.ts';
import { toSteps } from './content/fallback_draft.ts';

/** The message of variant B, C, or D. */
export type VariantDraft = Pick<Draft, 'text' | 'template_id' | 'content'>;
export type TestDraft = Omit<CampaignTest, 'variants'> & { variants: VariantDraft[] };

export interface Draft {
  name: string;
  sender_id: string | null;
  audience_id: string | null;
  more_audience_ids: string[];
  excluded_audience_ids: string[];
  text: string;
  /** The template that the text comes from. */
  template_id: string | null;
  /** The text for people who messaged you in the last 24 hours; null if everyone gets the template. */
  session_text: string | null;
  /** The rest of the message, on channels with files, buttons, and templates. */
  content: ContentDraft;
  fallbacks: FallbackStep[];
  /** Only contacts in these countries get the message; empty: all countries. */
  countries: string[];
  validity_seconds: number;
  when: 'now' | 'later' | 'repeat' | 'auto';
  /** The campaign's trigger, if it is an automation. */
  trigger: CampaignTrigger;
  /** An automation by keyword or without a reply can go to people outside the audiences. */
  for_all: boolean;
  /** How the campaign repeats, if it does. */
  repeat: CampaignRepeat;
  /** In the account's time zone: `2026-11-21T14:05`. */
  local: string;
  timing: CampaignTiming;
  safety: CampaignSafety;
  /** Null without an A/B test. */
  test: TestDraft | null;
}

const WEEKLY: CampaignRepeat = { every: 'week', interval: 1, days: [], until: null, count: null };

/** The safeguards of a new campaign, from the account's settings. The server has the same rule. */
const newSafety = ({ hlr_check, mnp_check, mnp_countries }: LookupSettings): CampaignSafety => ({
  ...NO_SAFETY,
  lookup: hlr_check || (mnp_check && mnp_countries.length > 0),
  lookup_countries: hlr_check || !mnp_check || mnp_countries.length === 0 ? null : mnp_countries,
});

type LookupSettings = Pick<Account, 'hlr_check' | 'mnp_check' | 'mnp_countries'>;

export const newDraft = (account: LookupSettings): Draft => ({ ...emptyDraft(), safety: newSafety(account) });

export const emptyDraft = (): Draft => ({
  name: '',
  sender_id: null,
  audience_id: null,
  more_audience_ids: [],
  excluded_audience_ids: [],
  text: '',
  template_id: null,
  session_text: null,
  content: emptyContent(),
  fallbacks: [],
  countries: [],
  validity_seconds: VALIDITY_SECONDS.default,
  when: 'now',
  trigger: newTrigger('joined'),
  for_all: false,
  repeat: WEEKLY,
  local: '',
  timing: NO_TIMING,
  safety: NO_SAFETY,
  test: null,
});

export const isEmpty = (draft: Draft): boolean =>
  draft.name.trim() === '' && draft.text.trim() === '' && draft.template_id === null && draft.audience_id === null;

export const toDraft = (campaign: Campaign, zone: string): Draft => ({
  name: campaign.name,
  sender_id: campaign.sender_id,
  audience_id: campaign.audience_id,
  more_audience_ids: campaign.audience_ids.filter((id) => id !== campaign.audience_id),
  excluded_audience_ids: campaign.excluded_audience_ids,
  text: campaign.text,
  template_id: campaign.template_id,
  session_text: campaign.session_text,
  content: toContent(campaign),
  fallbacks: toSteps(campaign.fallbacks),
  countries: campaign.countries ?? [],
  validity_seconds: campaign.validity_seconds,
  when: campaign.trigger ? 'auto' : campaign.repeat ? 'repeat' : campaign.schedule ? 'later' : 'now',
  trigger: campaign.trigger ?? newTrigger('joined'),
  for_all: campaign.trigger !== null && campaign.audience_ids.length === 0,
  repeat: campaign.repeat ?? WEEKLY,
  local: campaign.schedule ? toLocal(new Date(`${campaign.schedule.replace(' ', 'T')}Z`), zone) : '',
  timing: campaign.timing,
  safety: campaign.safety,
  test: toTest(campaign),
});

const toTest = (campaign: Campaign): TestDraft | null =>
  campaign.test && {
    ...campaign.test,
    variants: campaign.test.variants.map(({ text, template, ...content }) => ({
      text,
      template_id: template,
      content: toContent({ ...campaign, ...content, template_id: template }),
    })),
  };

/** The timing in requests. Only a scheduled campaign can follow the recipients' time zones. */
export const timingRequest = ({ timing, when }: Draft): CampaignTiming => ({
  ...timing,
  local_time: timing.local_time && (when === 'later' || when === 'repeat'),
});

/** True if the campaign starts at a time that the user chooses. */
export const isTimed = ({ when }: Pick<Draft, 'when'>): boolean => when === 'later' || when === 'repeat';

/** The trigger in requests. */
export const triggerRequest = ({ when, trigger }: Draft): CampaignTrigger | null => (when === 'auto' ? trigger : null);

/** True if people start the campaign one by one. It then has no small group, lookup, or A/B test. */
export const startsOneByOne = ({ when, trigger }: Pick<Draft, 'when' | 'trigger'>): boolean =>
  when === 'auto' && RUNS_ALL_DAY.includes(trigger.on);

export const isForAll = ({ when, trigger, for_all }: Draft): boolean =>
  when === 'auto' && for_all && NEEDS_NO_AUDIENCE.includes(trigger.on);

/** The text for people who messaged you in the last 24 hours; null without one, and with an A/B test. */
export const freeText = ({ session_text, test }: Pick<Draft, 'session_text' | 'test'>): string | null =>
  test === null ? session_text : null;

export const MAX_NAME = 45;
/** Names a copy "Spring sale (copy)", shortened to the allowed length. */
export function copyName(name: string): string {
  const base = name.replace(/ \(copy( \d+)?\)$/, '');
  const number = Number(/ \(copy(?: (\d+))?\)$/.exec(name)?.[1] ?? (base === name ? 0 : 1)) + 1;
  const tail = number === 1 ? ' (copy)' : ` (copy ${number})`;
  return base.slice(0, MAX_NAME - tail.length) + tail;
}

/** The storage key of a draft: per user and channel, for a new campaign (`new`) or an existing one. */
export const draftKey = (user_id: string, channel: string, about: string): string =>
  `parley.campaign_draft.${user_id}.${channel}.${about}`;

export function readDraft(key: string): Draft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Draft> | null;
    return stored && typeof stored === 'object' ? { ...emptyDraft(), ...stored } : null;
  } catch {
    return null;
  }
}

export function writeDraft(key: string, draft: Draft | null): void {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Without browser storage, the draft is lost when the page closes.
  }
}
