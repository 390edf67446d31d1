/**
 * Every route of the app, here and in routes_<noun>.tsx. A page is one entry: path, title, needs, and the import of its
 * code. Paths that differ from the module's name (`/library`, `/tools`, `/apis`) are defined only here.
 */
import { CHANNEL_LABELS, CHANNELS, type ChannelName } from '@parley/contract/channels/names.ts';
import type { Bucket } from '@parley/contract/inbox/inbox.ts';
import type { Needs } from '@parley/contract/permission.ts';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isReturnPath, landingPath, safePath } from './kernel/http/token.ts';
import { gateRedirect } from './kernel/session/gates.ts';
import { pageRoute, parseSearch, publicRoute, stringifySearch } from './kernel/session/routes.tsx';
import type { State } from './kernel/session/state.ts';
import { DocumentTitle } from './layouts/DocumentTitle.tsx';
import { LazyFrame } from './layouts/frame/LazyFrame.tsx';
import { NotFound, UnknownPath } from './layouts/NotFound.tsx';
import { PageError } from './layouts/PageError.tsx';
import { Private } from './layouts/Private.tsx';
import { Blank, Public } from './layouts/public/LazyPublic.tsx';
import { TitleFocus } from './layouts/TitleFocus.tsx';
import { campaignsPath, channelPath, LEGAL_LINKS, tryItNowPath } from './paths.ts';
import { adminPages } from './routes_admin.tsx';
import { apiPages } from './routes_apis.tsx';
import { billingPages } from './routes_billing.tsx';
import { campaignPages, campaignWizards } from './routes_campaigns.tsx';
import { contactPages } from './routes_contacts.tsx';
import { linkPages } from './routes_links.tsx';
import { lookupPages } from './routes_lookups.tsx';
import { senderPages, senderWizards } from './routes_senders.tsx';
import { settingsPages } from './routes_settings.tsx';
import { templatePages } from './routes_templates.tsx';

interface RouterContext {
  state: State;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <DocumentTitle />
      <TitleFocus />
      <Outlet />
    </>
  ),
  notFoundComponent: UnknownPath,
  errorComponent: PageError,
});

/** For signed-out users. Signed-in users are redirected to `returnUrl`, or to the dashboard. */
const publicLayout = createRoute({
  getParentRoute: () => root,
  id: 'public',
  component: Public,
  beforeLoad: ({ context, search }) => {
    if (context.state.kind !== 'in') return;
    const { returnUrl } = search as { returnUrl?: string };
    throw redirect({ href: safePath(returnUrl) ?? landingPath() ?? '/', replace: true });
  },
});

/** For all users, because links in emails may open in any browser. */
const openLayout = createRoute({ getParentRoute: () => root, id: 'open', component: Public });

/**
 * For signed-in users without a pending step. Other users are redirected to sign-in, which later returns them to the
 * page.
 */
const privateLayout = createRoute({
  getParentRoute: () => root,
  id: 'private',
  component: Private,
  beforeLoad: ({ context, location }) => {
    if (context.state.kind === 'in') {
      const instead = gateRedirect(context.state.session, location.pathname);
      if (instead) throw redirect({ to: instead, replace: true });
      return;
    }
    // A blocked user starts over without a return path.
    const isBlocked = context.state.kind === 'out' && context.state.notice !== null;
    const returnUrl = !isBlocked && isReturnPath(location.href) ? location.href : undefined;
    throw redirect({ to: '/sign-in', search: { returnUrl } as never, replace: true });
  },
});

const frame = createRoute({ getParentRoute: () => privateLayout, id: 'frame', component: LazyFrame });
/** For signed-in users who have not entered the app yet. */
const thresholdLayout = createRoute({ getParentRoute: () => privateLayout, id: 'threshold', component: Public });
const blank = createRoute({ getParentRoute: () => privateLayout, id: 'blank', component: Blank });

const redirectRoute = (
  path: string,
  target: string,
  parent: typeof root | typeof privateLayout | typeof publicLayout = root,
) =>
  createRoute({
    getParentRoute: () => parent as typeof root,
    path,
    beforeLoad: () => {
      throw redirect({ to: target, search: true, replace: true } as never);
    },
  });

function inboxRoute(path: string, title: string, needs: Needs, bucket: Bucket) {
  return pageRoute(frame, {
    path,
    title,
    needs,
    unverified: true,
    flush: true,
    page: async () => {
      const { InboxPage } = await import('./inbox/InboxPage.tsx');
      return { default: () => <InboxPage bucket={bucket} /> };
    },
  });
}

const publicPages = [
  publicRoute(publicLayout, {
    path: '/sign-in',
    title: 'Sign in',
    page: () => import('./auth/sign_in/SignInPage.tsx'),
  }),
  publicRoute(publicLayout, {
    path: '/sign-up',
    title: 'Sign up',
    page: () => import('./auth/sign_up/SignUpPage.tsx'),
  }),
];

/**
 * The first form asks for the email address, the second for the code sent to it; the third opens from the link in the
 * email.
 */
const confirmEmail = ['/email-verification', '/email-verification/$id', '/email-verification/$id/$code'].map((path) =>
  publicRoute(openLayout, {
    path,
    title: 'Confirm your email',
    page: () => import('./auth/email/EmailVerificationPage.tsx'),
  }),
);

const linkedPages = [
  publicRoute(openLayout, {
    path: '/forgot-password',
    title: 'Forgot password',
    page: () => import('./auth/email/ForgotPasswordPage.tsx'),
  }),
  ...confirmEmail,
  // The page removes the secret from the address.
  ...['/reset-password', '/reset-password/$hash'].map((path) =>
    publicRoute(openLayout, {
      path,
      title: 'New password',
      page: () => import('./auth/email/ResetPasswordPage.tsx'),
    }),
  ),
  publicRoute(openLayout, {
    path: '/invitations',
    title: 'Invitation',
    page: () => import('./auth/sign_up/InvitationsPage.tsx'),
  }),
];

const blankPages = [
  pageRoute(blank, {
    path: '/phone-verification',
    title: 'Verify your phone',
    page: () => import('./auth/phone/PhoneVerificationPage.tsx'),
  }),
];

const thresholdPages = [
  pageRoute(thresholdLayout, {
    path: '/verification',
    title: 'Verify your account',
    page: () => import('./auth/sign_up/VerificationPage.tsx'),
  }),
];

const testRoute = (channel: ChannelName) =>
  pageRoute(frame, {
    path: tryItNowPath(channel),
    title: `Try ${CHANNEL_LABELS[channel]} now`,
    needs: 'MESSAGES:add',
    page: async () => {
      const { TestPage } = await import('./try_it_now/TestPage.tsx');
      return { default: () => <TestPage channel={channel} /> };
    },
  });

const tryItNowPages = [
  pageRoute(frame, {
    path: '/try-it-now',
    title: 'Try it now',
    needs: 'MESSAGES:add',
    page: () => import('./try_it_now/TryItNowPage.tsx'),
  }),
  ...CHANNELS.map(testRoute),
];

/** Pages inside the frame. */
const framedPages = [
  ...tryItNowPages,
  pageRoute(frame, { path: '/', title: 'Dashboard', page: () => import('./layouts/HomePage.tsx') }),
  pageRoute(frame, {
    path: '/exports',
    title: 'Exports',
    page: () => import('./exports/ExportsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/insights',
    title: 'Insights',
    needs: 'MESSAGES:view',
    page: () => import('./insights/InsightsPage.tsx'),
  }),
  pageRoute(frame, {
    path: '/responses',
    title: 'Responses',
    needs: 'MESSAGES:view',
    page: () => import('./inbox/responses/ResponsesPage.tsx'),
  }),
  ...campaignPages(frame as AnyRoute),
  pageRoute(frame, { path: '/inbox', title: 'Inbox', page: () => import('./inbox/FirstBucketPage.tsx') }),
  ...contactPages(frame as AnyRoute),
  ...senderPages(frame as AnyRoute),
  ...templatePages(frame as AnyRoute),
  ...linkPages(frame as AnyRoute),
  ...lookupPages(frame as AnyRoute),
  ...settingsPages(frame as AnyRoute),
  ...billingPages(frame as AnyRoute),
  ...apiPages(frame as AnyRoute),
  ...adminPages(frame as AnyRoute),
  inboxRoute('/inbox/assigned-to-me', 'Inbox: assigned to me', 'MESSAGES:view', 'self'),
  inboxRoute('/inbox/unassigned', 'Inbox: unassigned', 'CONVERSATIONS:view', 'none'),
  inboxRoute('/inbox/assigned-to-others', 'Inbox: assigned to others', 'CONVERSATIONS:add', 'others'),
];

/** Full-screen pages: wizards. */
const fullPages = [
  ...campaignWizards(privateLayout as AnyRoute),
  pageRoute(privateLayout, {
    path: '/contacts/create-audience',
    title: 'Create audience',
    needs: 'AUDIENCES:add',
    page: () => import('./audiences/imports/CreateAudiencePage.tsx'),
  }),
  ...senderWizards(privateLayout as AnyRoute),
  pageRoute(privateLayout, { path: '/logout', title: 'Sign out', page: () => import('./auth/sign_in/LogoutPage.tsx') }),
];

/** One route for each document, so that each has its own title. */
const legalRoute = ({ href, label, document: name }: (typeof LEGAL_LINKS)[number]) =>
  publicRoute(root, {
    path: href,
    title: label,
    page: async () => {
      const { LegalPage } = await import('./help/LegalPage.tsx');
      return { default: () => <LegalPage name={name} /> };
    },
  });

const openPages = [
  ...LEGAL_LINKS.map(legalRoute),
  ...['/pipedrive', '/crm/$provider'].map((path) =>
    publicRoute(root, { path, title: 'CRM', page: () => import('./crm/PipedrivePage.tsx') }),
  ),
  publicRoute(root, { path: '/docs', title: 'Documentation', page: () => import('./help/ApiPage.tsx') }),
  ...['/manual', '/manual/$page'].map((path) =>
    publicRoute(root, { path, title: 'User manual', page: () => import('./help/manual/ManualPage.tsx') }),
  ),
  ...(import.meta.env.DEV || import.meta.env.MODE === 'gallery'
    ? [publicRoute(root, { path: '/gallery', title: 'Gallery', page: () => import('./gallery/GalleryPage.tsx') })]
    : []),
];

const redirects = [
  redirectRoute('/login', '/sign-in'),
  redirectRoute('/register', '/sign-up'),
  redirectRoute('/contacts', '/contacts/my-audiences'),
  ...CHANNELS.map((name) => redirectRoute(channelPath(name), campaignsPath(name))),
  redirectRoute('/tools', '/tools/carrier-single'),
];

const tree = root.addChildren([
  publicLayout.addChildren(publicPages),
  openLayout.addChildren(linkedPages),
  privateLayout.addChildren([
    frame.addChildren(framedPages),
    thresholdLayout.addChildren(thresholdPages),
    blank.addChildren(blankPages),
    ...fullPages,
  ]),
  ...openPages,
  ...redirects,
]);

export function makeRouter(state: State) {
  return createRouter({
    routeTree: tree,
    context: { state },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}
export type AppRouter = ReturnType<typeof makeRouter>;
