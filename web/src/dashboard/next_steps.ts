/**
 * Suggested steps for an account. The account's data determines whether a step is done, and the user can dismiss a
 * step. Pure functions.
 */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import type { Needs } from '@parley/contract/permission.ts';
import { type RouteRule, routeReason } from '../kernel/session/routes.tsx';
import type { Session } from '../kernel/session/state.ts';
import { CHANGE_PHONE, CREATE_SENDER, CREATE_USER, createCampaignPath, VERIFICATION } from '../paths.ts';

export interface NextStep {
  key: string;
  title: string;
  text: string;
  action: string;
  href: string;
  done: boolean;
}

interface StepDefinition extends Omit<NextStep, 'done'>, RouteRule {
  needs?: Needs;
}

const STEPS: readonly StepDefinition[] = [
  {
    key: 'phone',
    title: 'Verify your phone',
    text: 'Receive test messages and account recovery codes.',
    action: 'Verify phone',
    href: CHANGE_PHONE,
  },
  {
    key: 'verification_sent',
    title: 'Verify your company',
    text: 'A short form unlocks sending, API keys, and sender IDs.',
    action: 'Fill out the form',
    href: VERIFICATION,
    needs: 'ACCOUNTS:edit',
    unverified: true,
  },
  {
    key: 'delivered',
    title: 'Send yourself a message',
    text: 'Watch it arrive on your phone and in the log.',
    action: 'Try it now',
    href: '/try-it-now',
    needs: 'MESSAGES:add',
  },
  {
    key: 'sender',
    title: 'Get a sender',
    text: 'The number or name that your recipients see. Carriers review most of them, so start early.',
    action: 'Create sender',
    href: CREATE_SENDER,
    needs: 'SENDERS:add',
  },
  {
    key: 'contacts',
    title: 'Import your contacts',
    text: 'Create an audience from a CSV or XLSX file. You review the rows before they are imported.',
    action: 'Create audience',
    href: '/contacts/create-audience',
    needs: 'AUDIENCES:add',
  },
  {
    key: 'campaign',
    title: 'Send a campaign',
    text: 'Write one message with variables. Review each recipient’s text and the cost, then send.',
    action: 'Create SMS campaign',
    href: createCampaignPath(DEFAULT_CHANNEL),
    needs: 'CAMPAIGNS:add',
  },
  {
    key: 'replies',
    title: 'Reply to your customers',
    text: 'Replies arrive in the inbox within a second, next to everything you sent.',
    action: 'Open inbox',
    href: '/inbox',
    needs: 'MESSAGES:view',
  },
  {
    key: 'team',
    title: 'Invite a colleague',
    text: 'Share the inbox. You choose each user’s permissions.',
    action: 'Invite user',
    href: CREATE_USER,
    needs: 'USERS:add',
  },
  {
    key: 'key',
    title: 'Connect your software',
    text: 'Create an API key in half a minute.',
    action: 'Create API key',
    href: '/apis/keys/create',
    needs: 'KEYS:add',
  },
  {
    key: 'examples',
    title: 'See message examples',
    text: 'Sample messages for your industry and the rules in your recipients’ countries.',
    action: 'See examples',
    href: '/onboarding',
  },
];

/** The steps that the user may take and has not dismissed yet. */
export function nextSteps(
  steps: Readonly<Record<string, boolean>>,
  session: Session,
  exists: (path: string) => boolean,
): NextStep[] {
  const { steps_closed = [], onboarding } = session.account.preference;
  return STEPS.filter(
    (step) => exists(step.href) && !steps_closed.includes(step.key) && routeReason(step, session) === null,
  ).map(({ key, title, text, action, href }) => ({
    key,
    title,
    text,
    action,
    href,
    // The selected region is the only evidence that the user has read the examples.
    done: key === 'examples' ? onboarding.total > 0 : steps[key] === true,
  }));
}
