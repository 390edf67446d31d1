/** The variants of an A/B test: which one the next messages get, and the campaign with the message of a variant. */
import { type CampaignTest, type CampaignVariant, VARIANT_NAMES } from '@parley/contract/campaigns/variants.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { CampaignRow } from './row.ts';

/** Variants take turns after this many messages, so that they get similar recipients. */
const TURN = 25;

export const countVariants = ({ test }: { test: CampaignTest | null }): number => (test?.variants.length ?? 0) + 1;

/** Returns the campaign with the message of a variant. Variant 0 is the message of the campaign itself. */
export function withVariant<T extends Pick<CampaignRow, 'test' | 'text' | 'template_id' | 'content'>>(
  row: T,
  variant: number,
): T {
  const chosen: CampaignVariant | undefined = variant === 0 ? undefined : row.test?.variants[variant - 1];
  if (!chosen) return row;
  const { text, template, ...content } = chosen;
  return { ...row, text, template_id: template, content };
}

/** Returns how many messages the test may still create, or null without a test and after its end. */
export const testRoom = ({ test, test_size, test_winner, fanned_out }: CampaignRow): number | null =>
  test === null || test_size === null || test_winner !== null ? null : Math.max(0, test_size - fanned_out);

export interface Turn {
  /** Null if the messages do not belong to the test. */
  variant: number | null;
  /** The campaign with the message for the next contacts. */
  row: CampaignRow;
  /** The most messages before another variant takes its turn. */
  size: number;
}

/** Chooses the message of the next contacts: the variant with the fewest messages, or the winner. */
export function nextTurn(row: CampaignRow): Turn {
  const room = testRoom(row);
  if (room === null)
    return { variant: null, row: withVariant(row, row.test_winner ?? 0), size: Number.MAX_SAFE_INTEGER };
  const variants = countVariants(row);
  const counts = Array.from({ length: variants }, (_, index) => row.test_counts[index] ?? 0);
  const variant = counts.indexOf(Math.min(...counts));
  const share = Math.ceil((row.test_size ?? 0) / variants);
  const turn = Math.min(TURN, Math.ceil(share / 2), share - counts[variant]!, room);
  return { variant, row: withVariant(row, variant), size: Math.max(1, turn) };
}

/** Stores the variant of new messages. Requires the campaign's lock. */
export async function recordVariant(
  tx: Tx,
  row: CampaignRow,
  variant: number | null,
  messages: readonly { id: string }[],
): Promise<void> {
  if (variant === null || messages.length === 0) return;
  await tx.run(sql`
    insert into campaign_test_messages (account_id, campaign_id, message_id, variant)
    select ${row.account_id}, ${row.id}, t.id, ${variant}
    from unnest(${messages.map(({ id }) => id)}::uuid[]) as t(id)`);
  const counts = Array.from(
    { length: countVariants(row) },
    (_, index) => (row.test_counts[index] ?? 0) + (index === variant ? messages.length : 0),
  );
  await tx.run(sql`
    update campaigns set test_counts = ${counts}::int[] where account_id = ${row.account_id} and id = ${row.id}`);
}

export const variantName = (variant: number) => VARIANT_NAMES[variant]!;
