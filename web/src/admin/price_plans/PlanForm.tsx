/** When a price change takes effect, and who gets a notice. Used for new plans and to change one. */
import { Button, NumberInput, Radio } from '@mantine/core';
import {
  createPricePlan,
  DEFAULT_NOTICE_DAYS,
  type PLAN_AUDIENCES,
  type PricePlan,
  updatePricePlan,
} from '@parley/contract/admin/price_plans.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { PRICES } from '../../paths.ts';
import { fromLocal, toLocal, toWire } from '../../ui/controls/local_time.ts';
import { instant } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import styles from '../Admin.module.css';

type Audience = (typeof PLAN_AUDIENCES)[number];
/** A previewed import, or one price. */
type Target = { import_id: string } | { price: Record<string, unknown> };

interface Timing {
  effective_date: string;
  notice_days: number;
  audience: Audience;
}

const DAY_MS = 86_400_000;
const MICROS = 1_000_000;
const PRICE = { min: 0, max: 10_000, decimalScale: 6, hideControls: true } as const;
const toMicros = (price: number | string): number | null => (price === '' ? null : Math.round(Number(price) * MICROS));

function usePlanTiming(plan: PricePlan | null) {
  const zone = useZone();
  const first = plan ? instant(plan.effective_date) : new Date(Date.now() + (DEFAULT_NOTICE_DAYS + 1) * DAY_MS);
  const [local, setLocal] = useState(() =>
    plan ? toLocal(first, zone) : `${toLocal(first, zone).slice(0, 10)}T00:00`,
  );
  const [days, setDays] = useState<number | string>(plan?.notice_days ?? DEFAULT_NOTICE_DAYS);
  const [audience, setAudience] = useState<Audience>(plan?.audience ?? 'used');
  const date = fromLocal(local, zone);
  const timing: Timing | null =
    date && days !== '' ? { effective_date: toWire(date), notice_days: Number(days), audience } : null;
  return { zone, local, setLocal, days, setDays, audience, setAudience, timing };
}

function TimingFields({
  zone,
  local,
  setLocal,
  days,
  setDays,
  audience,
  setAudience,
}: ReturnType<typeof usePlanTiming>) {
  return (
    <>
      <DateField kind="datetime" label={`Takes effect (${zone})`} value={local} onChange={setLocal} />
      <NumberInput
        label="Days of notice"
        description="Required for higher prices. Lower prices can take effect earlier."
        min={0}
        max={365}
        value={days}
        onChange={setDays}
      />
      <Radio.Group label="Notify" value={audience} onChange={(value) => setAudience(value as Audience)}>
        <div className={styles.checks}>
          <Radio value="used" label="Accounts that used these destinations in the last 30 days" />
          <Radio value="all" label="All accounts with these currencies" />
        </div>
      </Radio.Group>
    </>
  );
}

/** Creates a draft, then opens it. */
interface NewPlanProps {
  target: (price_micros: number | null) => Target;
  label: string;
  /** The currency of the price, for a plan with one price. */
  currency?: string;
}

export function NewPlanForm({ target, label, currency }: NewPlanProps) {
  const navigate = useNavigate();
  const fields = usePlanTiming(null);
  const [price, setPrice] = useState<number | string>('');
  const isReady = fields.timing !== null && (!currency || price !== '');
  const create = useAction(createPricePlan, {
    onSuccess: ({ data }) => void navigate({ to: PRICES, search: { tab: 'planned', open: data.id } as never }),
  });
  return (
    <div className={styles.panelForm}>
      <FormProblem>{create.error?.message}</FormProblem>
      {currency && <NumberInput label={`New price (${currency})`} {...PRICE} value={price} onChange={setPrice} />}
      <TimingFields {...fields} />
      <Button
        variant="default"
        disabled={!isReady}
        loading={create.isPending}
        onClick={() =>
          fields.timing && create.mutate({ body: { ...fields.timing, ...target(toMicros(price)) } as never })
        }
      >
        {label}
      </Button>
    </div>
  );
}

/** Changes a draft or an announced plan. A plan for one price can get another price. */
export function ChangePlanForm({ plan, onDone }: { plan: PricePlan; onDone: () => void }) {
  const fields = usePlanTiming(plan);
  const single = plan.filename === null && plan.prices_count === 1 ? plan.differences[0] : undefined;
  const [price, setPrice] = useState<number | string>(single?.after_micros == null ? '' : single.after_micros / MICROS);
  const change = useAction(updatePricePlan, {
    onSuccess: () => {
      toast.success('The planned change was saved');
      onDone();
    },
  });
  const price_micros = toMicros(price);
  return (
    <div className={styles.panelForm}>
      <FormProblem>{change.error?.message}</FormProblem>
      {single && (
        <NumberInput
          label={`New price (${single.currency})`}
          description="Leave empty to remove the price."
          {...PRICE}
          value={price}
          onChange={setPrice}
        />
      )}
      <TimingFields {...fields} />
      <Button
        disabled={fields.timing === null}
        loading={change.isPending}
        onClick={() =>
          fields.timing &&
          change.mutate({ params: { id: plan.id }, body: { ...fields.timing, ...(single ? { price_micros } : {}) } })
        }
      >
        Save change
      </Button>
    </div>
  );
}
