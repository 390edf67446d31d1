/** Runs a whole campaign without sending it, with the same code as the preview and the start. */
import type { CampaignRehearsal, Exclusion, rehearseCampaign } from '@parley/contract/campaigns/rehearsals.ts';
import { MAX_EXAMPLES } from '@parley/contract/campaigns/rehearsals.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { readPriceBook } from '../../billing/billing.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { lessCertain } from './certainty.ts';
import { estimateCampaign, type Watcher } from './estimate.ts';
import { loadOutline, toArrivals } from './preview.ts';

type Example = CampaignRehearsal['examples'][number];
type Network = CampaignRehearsal['networks'][number];

/** Examples of each kind that are kept besides the longest and the shortest text. */
const EMPTY_EXAMPLES = 4;

export async function rehearse(
  db: Queryable,
  kernel: Kernel,
  actor: Actor,
  body: Parsed<typeof rehearseCampaign>['body'],
): Promise<CampaignRehearsal> {
  const { reason, offset, size, ...fields } = body;
  const { account, delivery, outline } = await loadOutline(db, actor, fields, kernel.clock.now());
  if (outline.audiences.length === 0) throw new Problem('CAMPAIGN_AUDIENCE_REQUIRED');
  const { networkName } = await readPriceBook(kernel, db);
  const networks = new Map<string, Network>();
  const examples = createExamples();
  const excluded: CampaignRehearsal['excluded'] = [];
  let excluded_total = 0;
  const watch: Watcher = {
    delivery,
    onPassed: (person, written, certainty) => {
      const { country, mccmnc, segments_count, price_micros, number } = person;
      const key = `${country} ${mccmnc}`;
      let row = networks.get(key);
      if (!row) {
        row = {
          ...{ country, mccmnc, network: networkName(mccmnc), recipients: 0, segments: 0, cost_micros: 0 },
          certainty,
        };
        networks.set(key, row);
      }
      row.recipients++;
      row.certainty = lessCertain(row.certainty, certainty);
      row.segments += segments_count;
      row.cost_micros = (row.cost_micros ?? 0) + price_micros;
      if (outline.writer)
        examples.add(
          { number, text: written.text, content: written.content, segments_count },
          written.empty.length > 0,
        );
    },
    onExcluded: ({ number, country, first_name, last_name }, cause: Exclusion) => {
      if (reason !== undefined && cause !== reason) return;
      excluded_total++;
      if (excluded_total > offset && excluded.length < size)
        excluded.push({ number, country, first_name, last_name, reason: cause });
    },
  };
  const figures = await estimateCampaign(db, kernel, outline, undefined, watch);
  failpoint('after_rehearsal');
  const { counts, total_micros } = figures;
  return {
    counts,
    ...toArrivals(figures, fields.timing),
    total_micros: outline.writer ? total_micros : 0,
    currency: account.currency,
    networks: outline.writer ? [...networks.values()].sort((a, b) => (b.cost_micros ?? 0) - (a.cost_micros ?? 0)) : [],
    examples: examples.list(),
    excluded,
    excluded_total,
  };
}

/** Keeps the longest and the shortest text, some with an empty variable, and the first others. */
function createExamples(): { add(example: Omit<Example, 'kind'>, isEmpty: boolean): void; list(): Example[] } {
  let longest: Omit<Example, 'kind'> | null = null;
  let shortest: Omit<Example, 'kind'> | null = null;
  const empty: Omit<Example, 'kind'>[] = [];
  const others: Omit<Example, 'kind'>[] = [];
  return {
    add(example, isEmpty) {
      if (!longest || example.text.length > longest.text.length) longest = example;
      if (!shortest || example.text.length < shortest.text.length) shortest = example;
      if (isEmpty && empty.length < EMPTY_EXAMPLES) empty.push(example);
      else if (others.length < MAX_EXAMPLES) others.push(example);
    },
    list() {
      const all: Example[] = [
        ...(longest ? [{ ...(longest as Omit<Example, 'kind'>), kind: 'longest' as const }] : []),
        ...(shortest ? [{ ...(shortest as Omit<Example, 'kind'>), kind: 'shortest' as const }] : []),
        ...empty.map((example) => ({ ...example, kind: 'empty_variable' as const })),
        ...others.map((example) => ({ ...example, kind: 'other' as const })),
      ];
      const first = new Map<string, Example>();
      for (const example of all) if (!first.has(example.number)) first.set(example.number, example);
      return [...first.values()].slice(0, MAX_EXAMPLES);
    },
  };
}
