/**
 * `npm run bench [accept] [request_log] [campaign] [import] [log] [latency] [guard] [fairness] [inbound] [inbox]
 * [inbox_search] [http_provider] [rehearsal] [dynamic_count] [large_campaign] [smpp_server] [webhooks] [streams]
 * [redirect] [insights] [back_test] [export] [month_end] [ledger] [lighthouse] [inp] [thread]`: runs each benchmark and
 * its baseline on the same machine and compares them. The exit code is 1 if a target is missed. Uses the loopback
 * interface only.
 */
import { buildWebApp, webAppIsBuilt } from '@parley/server/src/start/web_app.ts';
import { accept } from './accept.ts';
import { backTests } from './back_test.ts';
import { measureInteractions } from './browser/interaction.ts';
import { auditPages } from './browser/lighthouse.ts';
import { openLongThread } from './browser/thread.ts';
import { campaign } from './campaign.ts';
import { dynamicCount } from './dynamic_count.ts';
import { exportRows } from './export.ts';
import { fairness } from './fairness.ts';
import { guard } from './guard.ts';
import { httpProvider } from './http_provider.ts';
import { importRows } from './import.ts';
import { inbound } from './inbound.ts';
import { teamInbox } from './inbox.ts';
import { inboxSearch } from './inbox_search.ts';
import { openOverview } from './insights.ts';
import { largeCampaign } from './large_campaign.ts';
import { latency } from './latency.ts';
import { loadLedgerPages } from './ledger.ts';
import { loadLogPages } from './log.ts';
import { monthEnd } from './month_end.ts';
import { redirect } from './redirect.ts';
import { rehearsal } from './rehearsal.ts';
import { requestLog } from './request_log.ts';
import { type Result, type Rig, startRig } from './rig.ts';
import { smppServer } from './smpp_server.ts';
import { streams } from './streams.ts';
import { webhooks } from './webhooks.ts';

const BENCHES: Record<string, (rig: Rig) => Promise<Result | Result[]>> = {
  latency,
  accept,
  request_log: requestLog,
  import: importRows,
  campaign,
  guard,
  fairness,
  inbound,
  inbox: teamInbox,
  inbox_search: inboxSearch,
  http_provider: httpProvider,
  rehearsal,
  dynamic_count: dynamicCount,
  large_campaign: largeCampaign,
  smpp_server: smppServer,
  webhooks,
  streams,
  log: loadLogPages,
  redirect,
  month_end: monthEnd,
  ledger: loadLedgerPages,
  insights: openOverview,
  back_test: backTests,
  export: exportRows,
  lighthouse: auditPages,
  inp: measureInteractions,
  thread: openLongThread,
};
/** These open the web app, so it must be built before the server starts. */
const IN_BROWSER: ReadonlySet<string> = new Set(['lighthouse', 'inp', 'thread']);

/** These take many minutes, so they run only by their names. */
const BY_NAME: ReadonlySet<string> = new Set(['inbox', 'inbox_search']);

const selected = process.argv.slice(2).filter((name) => name in BENCHES);
const usual = Object.keys(BENCHES).filter((name) => !BY_NAME.has(name));
const results: Result[] = [];
for (const name of selected.length ? selected : usual) {
  console.log(`${name} ...`);
  if (IN_BROWSER.has(name) && !webAppIsBuilt()) await buildWebApp();
  // Each benchmark gets its own rig so that no benchmark depends on data from another.
  const rig = await startRig();
  try {
    results.push(...[await BENCHES[name]!(rig)].flat());
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await rig.stop();
  }
}
console.log('');
for (const result of results) {
  console.log(`${result.met ? 'met   ' : 'MISSED'} ${result.name}`);
  console.log(`       Parley ${result.parley}; ${result.baseline}; ratio ${result.ratio} (target: ${result.target})`);
}
if (results.some((result) => !result.met)) process.exitCode = 1;
