/** The variants of an A/B test: tabs above the message, and the settings of the test below it. */
import { Button, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { type CampaignTest, MAX_TEST_MINUTES, VARIANT_NAMES } from '@parley/contract/campaigns/variants.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { formatDuration } from '../../ui/data/format.ts';
import type { Draft, TestDraft } from './draft.ts';
import { emptyVariant, METRIC_LABELS, NEW_TEST, type VariantState } from './variants.ts';
import styles from './Wizard.module.css';

interface VariantFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

export function VariantTabs({
  draft: { test },
  change,
  variant,
  setVariant,
}: VariantFieldsProps & Pick<VariantState, 'variant' | 'setVariant'>) {
  const variants = test?.variants ?? [];
  const add = () => {
    change({ test: { ...(test ?? NEW_TEST), variants: [...variants, emptyVariant()] } });
    setVariant(variants.length + 1);
  };
  const remove = () => {
    const left = variants.filter((_, index) => index !== variant - 1);
    change({ test: test && left.length > 0 ? { ...test, variants: left } : null });
    setVariant(0);
  };
  return (
    <div className={styles.variants}>
      {variants.length > 0 && (
        <SegmentedControl
          aria-label="Variant"
          value={String(variant)}
          onChange={(value) => setVariant(Number(value))}
          data={['', ...variants].map((_, index) => ({
            value: String(index),
            label: `Variant ${VARIANT_NAMES[index]}`,
          }))}
        />
      )}
      {variants.length < VARIANT_NAMES.length - 1 && (
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {variants.length === 0 ? 'Add A/B test' : 'Add variant'}
        </Button>
      )}
      {variant > 0 && (
        <Button size="xs" variant="subtle" leftSection={<IconTrash size={14} aria-hidden />} onClick={remove}>
          Remove variant {VARIANT_NAMES[variant]}
        </Button>
      )}
    </div>
  );
}

const WAITS = [30, 60, 240, 480, 1_440, 2_880];

/** The settings of the test; absent without variants. */
export function TestFields({ draft: { test }, change }: VariantFieldsProps) {
  if (!test || test.variants.length === 0) return null;
  const set = (changes: Partial<TestDraft>) => change({ test: { ...test, ...changes } });
  const waits = [...new Set([...WAITS, test.wait_minutes])].sort((a, b) => a - b);
  return (
    <section className={`${styles.block} ${styles.test}`} aria-label="A/B test">
      <h3>A/B test</h3>
      <div className={styles.timing}>
        <NumberInput
          label="Share of recipients"
          description="They get one of the variants. The rest get the winner."
          suffix="%"
          min={1}
          max={100}
          allowDecimal={false}
          value={test.share_percent}
          onChange={(value) => typeof value === 'number' && set({ share_percent: value })}
        />
        <Select
          label="Wait"
          description="Before the winner is chosen."
          value={String(test.wait_minutes)}
          onChange={(value) => value && set({ wait_minutes: Math.min(MAX_TEST_MINUTES, Number(value)) })}
          data={waits.map((minutes) => ({ value: String(minutes), label: formatDuration(minutes * 60) }))}
        />
        <Select
          label="Winner"
          description="Measured as a share of each variant’s messages."
          value={test.metric}
          onChange={(value) => value && set({ metric: value as CampaignTest['metric'] })}
          data={Object.entries(METRIC_LABELS).map(([value, label]) => ({ value, label }))}
        />
        <Select
          label="Choice"
          description="You can also choose a winner earlier."
          value={test.automatic ? 'automatic' : 'manual'}
          onChange={(value) => value && set({ automatic: value === 'automatic' })}
          data={[
            { value: 'automatic', label: 'Automatic' },
            { value: 'manual', label: 'I choose the winner' },
          ]}
        />
      </div>
    </section>
  );
}
