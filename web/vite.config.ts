import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractForBrowser } from './vite.contract.ts';

// The development server proxies API calls to a running Parley server. In production that server also serves web/dist.
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:4000';
const proxy = { '/v1': { target: api, changeOrigin: true } };

/** Matches files by the ends of their paths, without extensions. */
const files = (...paths: string[]): RegExp => new RegExp(`/(${paths.join('|')})(\\.module)?\\.(tsx?|m?js|css)$`);

/** The code that sign-in shares with the other pages. */
const SHARED = files(
  'contract/src/(common|country|event|auth/reauthentication)',
  'kernel/(schema/recorder|form/pointer_release)',
  '@mantine/core/esm/core/.*',
  '@mantine/hooks/esm/(?!use-(long-press|focus-trap|focus-return|click-outside|shallow-effect)/).*',
  '@mantine/core/esm/components/(VisuallyHidden|ActionIcon|CloseButton)/.*',
  'InputWrapper.context',
  '(channels|ui/data)/ChannelMark',
  'web/src/channels/(index|sms/sms|whatsapp/(whatsapp|formatting)|viber/viber)',
  'contract/src/channels/whatsapp/limits',
  'icons/Icon(Brand(Telegram|Viber|Whatsapp)|DeviceMobileMessage|Message2?|Phone)',
  'react-router/dist/esm/useRouterState',
);
/** Shapes of accounts, which only operators and the page of permissions load. */
const SHAPES = files('contract/src/accounts/shapes');
/** The contract's rules for messages and templates: forms need them, lists do not. */
const RULES = files(
  'contract/src/channels/index',
  'contract/src/channels/(sms|whatsapp|viber)/(?!access|preflight|settings|providers|limits).*',
  'contract/src/templates/(draft|fields|rules|placeholders)',
  'contract/src/links/(inline|destination)',
  'contract/src/media/rules',
  'contract/src/messages/(fallbacks|fields|rules)',
);
/** The contract of conversations, which the menu loads after the first screen. */
const INBOX = files('contract/src/inbox/(inbox|message_fields|statuses|targets)');
/** Saved views, which the inbox has without the tables of other lists. */
const VIEWS = files('kernel/list/views/(stored_views|ViewsMenu)', 'contract/src/views/lists');
/** The code that the list of conversations shares with the open conversation. */
const INBOX_PARTS = files(
  'contract/src/inbox/(labels|saved_views|drafts)',
  'web/src/inbox/(Inbox|status/(words|Status|Waiting)|labels/(labels|LabelChips|Labels)|thread/drafts)',
  'channels/compose/PersonName',
  '(query-core|react-query)/build/.*/(infiniteQueryObserver|useInfiniteQuery)',
);
/** The frame, and the small parts that most of its pages share. */
const FRAME = files(
  'layouts/frame/Frame',
  'layouts/HomePage',
  'contract/src/messages/(messages|shapes)',
  'kernel/(live/live|shortcuts|quick_reply|commands)',
  'ui/data/(?!Pagination|Timeline|CodeBlock|PriceStep)[A-Z]\\w+',
  'ui/feedback/(?!ToastStack|ConfirmDialog)\\w+',
  'ui/form/countries',
  'ui/layout/(PageHeader|Back|SidePanel|ActionMenu|panel_list)',
  'kernel/record/RecordPage',
  'ui/data/table/selection',
  // The icons of lists.
  'icons/Icon(AdjustmentsHorizontal|Arrow(Down|Up)|Bookmark|Calendar|ChevronDown|Dots|Download|Messages|Selector)',
  'icons/IconPlus',
  'ui/controls/(Segments|SmallSelect|Tick|SearchInput|plain)',
  'inbox/(list/last_message|watch/open_conversations)',
  'channels/compose/person_name',
);
const DIALOGS = files(
  'Popover',
  'ScrollArea',
  '@mantine/core/esm/components/(Drawer|Modal|ModalBase)/.*',
  'ui/layout/Panel',
  'ui/feedback/ConfirmDialog',
);
const NOTICES = files(
  'layouts/(Everywhere|frame/notices)',
  'kernel/live/live_(tabs|stream)',
  'inbox/watch/(InboxWatch|losses|message_toasts)',
  'contract/src/inbox/assignments',
  'exports/(notices|download)',
  'bulk/words',
  'help/(HelpButtons|Help.module|manual/parts)',
  'help/news/(NewsButton|News.module|changelog)',
  'contract/src/auth/news',
  'billing/OverdueBanner',
  'contract/src/billing/overdue',
);
const LISTS = files(
  'kernel/list/\\w+',
  'ui/data/table/(?!VirtualRows|ColumnList|BulkBar|selection)\\w+',
  'insights/dates',
  'messages/words',
);
/** The tab of the message log with the page around it. */
const LOG = files(
  'insights/(InsightsPage|LogTab|log_\\w+|tabs|insight_tabs|Insights.module)',
  'exports/ExportMenu',
  'ui/layout/PageTabs',
);
/** The code of the first screen after sign-in. */
const SIGN_IN = files(
  'layouts/public/(Public|Carousel|slides)',
  'auth/(Auth|AuthHeader)',
  'auth/sign_in/(SignInPage|AlternativeSignIns|ProviderIcon|outcome|sign_in_errors|social_errors|connect)',
  'ui/form/PasswordText',
  'components/PasswordInput/.*',
);
const PAYMENTS = files(
  'admin/payments/(PaymentTabs|PaymentsPage|ProposalsPage|ReconciliationPage)',
  'contract/src/admin/(payments|reconciliation)',
);
/** Previews count segments, which only the wizard needs. */
const CAMPAIGNS = files(
  'web/src/campaigns/(?!previews|Organize|archive|approval_notices|RenameCampaign|labels)\\w+',
  'web/src/campaigns/progress/progress',
);

/** The fingerprint of the changelog. Users who have not seen it get a dot beside *What’s new*. */
const NEWS_ID = createHash('sha256')
  .update(readFileSync(join(import.meta.dirname, '../CHANGELOG.md')))
  .digest('hex')
  .slice(0, 12);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contractForBrowser()],
  define: { 'import.meta.env.VITE_NEWS_ID': JSON.stringify(NEWS_ID) },
  // Schemas are recorded, and zod loads only with the files that evaluate them (src/kernel/schema).
  resolve: { alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, 'src/kernel/schema/recorder.ts') }] },
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: false,
    // Fonts and images stay separate files, so that the content security policy needs no data: sources.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // Without HTTP/2 every file costs a round trip, so what pages load together is one file. A group also takes what
    // its modules import, unless a group with a higher priority has it. budgets.mjs counts the files.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 10 },
            { name: 'shared', test: SHARED, minShareCount: 6, priority: 9, includeDependenciesRecursively: false },
            { name: 'shapes', test: SHAPES, priority: 9, includeDependenciesRecursively: false },
            { name: 'rules', test: RULES, priority: 9, includeDependenciesRecursively: false },
            { name: 'inbox', test: INBOX, priority: 8, includeDependenciesRecursively: false },
            { name: 'inbox_parts', test: INBOX_PARTS, priority: 8, includeDependenciesRecursively: false },
            { name: 'views', test: VIEWS, priority: 8, includeDependenciesRecursively: false },
            { name: 'inputs', test: files('components/(Input|TextInput)/\\w+'), priority: 9 },
            { name: 'problems', test: files('contract/src/problem', 'contract/src/problems/\\w+'), priority: 9 },
            { name: 'sign_in', test: SIGN_IN, priority: 8, includeDependenciesRecursively: false },
            { name: 'forms', test: files('kernel/form/form', 'ui/form/Field'), priority: 8 },
            { name: 'frame', test: FRAME, priority: 7 },
            // Loaded after the first screen on every page, with the contract of all records that it reports.
            { name: 'notices', test: NOTICES, priority: 1 },
            { name: 'home', test: files('web/src/dashboard/(HomePage|Card)', 'insights/dashboard'), priority: 1 },
            { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 2, priority: 6 },
            { name: 'dialogs', test: DIALOGS, priority: 4 },
            { name: 'virtual', test: /react-virtual|virtual-core/, priority: 5 },
            { name: 'lists', test: LISTS, priority: 3 },
            // The message log, which most visits to Insights open.
            { name: 'log', test: LOG, priority: 4, includeDependenciesRecursively: false },
            { name: 'campaigns', test: CAMPAIGNS, minShareCount: 2, priority: 2 },
            // The pages behind the tabs of payments, for operators.
            { name: 'payments', test: PAYMENTS, priority: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  test: {
    name: 'web',
    root: import.meta.dirname,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    css: { include: [] },
    // Loading React, Mantine, and the contract for each file would take longer than the tests.
    isolate: false,
    maxWorkers: availableParallelism() + 2,
    // As in vitest.config.ts.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    testTimeout: 30_000,
  },
} as Parameters<typeof defineConfig>[0]);
