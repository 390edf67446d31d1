/** What an account gains by: each is done when it has really happened, and can be put aside. Pure. */
import type { Needs } from '@parley/contract/permission.ts';
import { type RouteRule, routeReason } from '../kernel/session/routes.tsx';
import type { Session } from '../kernel/session/state.ts';
import { CHANGE_PHONE, CREATE_USER, VERIFICATION } from '../paths.ts';

export interface NextStep {
  key: string;
  title: string;
  text: string;
  action: string;
  href: string;
  done: boolean;
}

interface Known extends Omit<NextStep, 'done'>, RouteRule {
  needs?: Needs;
}

const STEPS: readonly Known[] = [
  {
    key: 'phone',
    title: 'Verify your phone',
    text: 'Test messages go there, and codes when you need a way back in.',
    action: 'Verify phone',
    href: CHANGE_PHONE,
  },
  {
    key: 'verification_sent',
    title: 'Verify your company',
    text: 'A short form; then sending, API keys and sender IDs are open.',
    action: 'Fill in the form',
    href: VERIFICATION,
    needs: 'ACCOUNTS:edit',
    unverified: true,
  },
  {
    key: 'delivered',
    title: 'Send yourself a message',
    text: 'See it arrive, on your own phone and here.',
    action: 'Try it now',
    href: '/try-it-now',
    needs: 'MESSAGES:add',
  },
  {
    key: 'team',
    title: 'Invite a colleague',
    text: 'Replies are answered sooner by two. You choose what they may do.',
    action: 'Invite',
    href: CREATE_USER,
    needs: 'USERS:add',
  },
  {
    key: 'key',
    title: 'Connect your own programs',
    text: 'An API key takes half a minute.',
    action: 'Create API key',
    href: '/apis/keys/create',
    needs: 'KEYS:add',
  },
  {
    key: 'examples',
    title: 'Read what others send',
    text: 'Texts for your industry, and the rules where your recipients are.',
    action: 'See examples',
    href: '/onboarding',
  },
];

/** Of those this person can take; what was put aside is left out. */
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
    // Reading leaves no trace but the choice that was made.
    done: key === 'examples' ? onboarding !== undefined : steps[key] === true,
  }));
}
