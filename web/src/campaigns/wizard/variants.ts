/** The variants of an A/B test in the wizard. Variant 0 is the message of the draft itself. */
import { type CampaignTest, VARIANT_NAMES } from '@parley/contract/campaigns/variants.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import { checkMessage, type StepProblem } from './checks.ts';
import { contentRequest } from './content/content.ts';
import { emptyContent } from './content/content_draft.ts';
import type { Draft, TestDraft, VariantDraft } from './draft.ts';

type Change = (changes: Partial<Draft>) => void;

export const NEW_TEST: TestDraft = {
  variants: [],
  share_percent: 20,
  wait_minutes: 240,
  metric: 'delivered',
  automatic: true,
};

/** The draft with the message of a variant. */
const withVariant = (draft: Draft, variant: number): Draft => ({ ...draft, ...draft.test?.variants[variant - 1] });

const replaceVariant = (test: TestDraft, variant: number, changed: VariantDraft): TestDraft => ({
  ...test,
  variants: test.variants.map((one, index) => (index === variant - 1 ? changed : one)),
});

export interface VariantState {
  /** The index of the open variant. */
  variant: number;
  setVariant: (variant: number) => void;
  /** The draft with the message of the open variant. */
  shown: Draft;
  /** Changes the message of the open variant, and other fields of the draft. */
  changeShown: Change;
}

export function useVariant(draft: Draft, change: Change): VariantState {
  const [selected, setVariant] = useState(0);
  const variant = selected <= (draft.test?.variants.length ?? 0) ? selected : 0;
  const changeShown: Change = ({ text, template_id, content, ...others }) => {
    const message = {
      ...(text === undefined ? {} : { text }),
      ...(template_id === undefined ? {} : { template_id }),
      ...(content === undefined ? {} : { content }),
    };
    const current = draft.test?.variants[variant - 1];
    if (!draft.test || !current) return change({ ...others, ...message });
    change({ ...others, test: replaceVariant(draft.test, variant, { ...current, ...message }) });
  };
  return { variant, setVariant, shown: withVariant(draft, variant), changeShown };
}

export const emptyVariant = (): VariantDraft => ({ text: '', template_id: null, content: emptyContent() });

export function testRequest(channel: ChannelName, draft: Draft) {
  const { test } = draft;
  if (!test || test.variants.length === 0) return null;
  const { share_percent, wait_minutes, metric, automatic } = test;
  const variants = test.variants.map((_, index) => contentRequest(channel, withVariant(draft, index + 1)));
  return { variants, share_percent, wait_minutes, metric, automatic };
}

/** The problems of all variants. Those of the open variant appear at their fields. */
export function checkVariants(
  channel: ChannelName,
  draft: Draft,
  fields: readonly string[],
  open: number,
): StepProblem[] {
  return [0, ...(draft.test?.variants ?? []).map((_, index) => index + 1)].flatMap((variant) => {
    const problems = checkMessage(channel, withVariant(draft, variant), fields);
    if (variant === open) return problems;
    // The fallbacks belong to all variants, and are reported once.
    return problems
      .filter(({ field }) => field !== 'fallbacks')
      .map(({ key, text, step }) => ({
        key: `${variant}.${key}`,
        step,
        text: `Variant ${VARIANT_NAMES[variant]}: ${text}`,
      }));
  });
}

export const METRIC_LABELS: Record<CampaignTest['metric'], string> = {
  delivered: 'Most delivered',
  read: 'Most read',
  clicked: 'Most clicks',
  replied: 'Most replies',
  opt_outs: 'Fewest opt-outs',
};
