/**
 * Product preferences of a company. They apply to all its users. The options of insights, templates, and onboarding are
 * sets: a change replaces the options it contains and keeps the others, and a response has the number of chosen
 * options.
 */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { CHART_DIMENSIONS, CHART_PERIODS } from '../insights/dimensions.ts';

export const REGIONS = ['us', 'ca', 'gb', 'au', 'other'] as const;

/** Clients may send back the sets that they received, with their totals. */
const total = z.int().min(0).optional();

const sets = {
  /** The period and the dimension of the charts. */
  insights: z.strictObject({
    days: z.literal(CHART_PERIODS).optional(),
    by: z.enum(CHART_DIMENSIONS).optional(),
    total,
  }),
  /** The channel preselected for a new template: the one used for the last new template. */
  templates: z.strictObject({ channel: z.enum(CHANNELS).optional(), total }),
  /** The industry and region of the examples, and the use cases that were set up. */
  onboarding: z.strictObject({
    industry_id: z.int().min(1).max(37).optional(),
    region: z.enum(REGIONS).optional(),
    use_cases: z.array(z.string().max(80)).max(200).optional(),
    total,
  }),
};

const flags = {
  /** True once the welcome popup has been closed. */
  welcome_closed: z.boolean().optional(),
  /** Steps dismissed from the first-steps list. */
  steps_closed: z.array(z.string().max(40)).max(40).optional(),
};

/** Unknown fields are rejected. */
export const PreferenceInput = z.strictObject({ ...flags, ...sets }).partial();
export type PreferenceInput = z.output<typeof PreferenceInput>;

const withTotal = <S extends z.ZodRawShape>(set: z.ZodObject<S>) => set.extend({ total: z.int() });
export const Preference = z.object({
  ...flags,
  insights: withTotal(sets.insights),
  templates: withTotal(sets.templates),
  onboarding: withTotal(sets.onboarding),
});
export type Preference = z.output<typeof Preference>;

/** The number of chosen options. A list counts as many as it contains. */
const countOptions = (options: object): number =>
  Object.values(options).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0);

/** The options of a set that are valid now. Earlier versions stored any values. */
function readSet<S extends z.ZodRawShape>(set: z.ZodObject<S>, stored: unknown) {
  const valid: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(set.shape)) {
    const value = (stored as Record<string, unknown> | null | undefined)?.[name];
    if (name === 'total' || value === undefined) continue;
    const result = (schema as z.ZodType).safeParse(value);
    if (result.success) valid[name] = result.data;
  }
  return { ...valid, total: countOptions(valid) };
}

export function toPreference(stored: PreferenceInput): Preference {
  const { welcome_closed, steps_closed, insights, templates, onboarding } = stored;
  return {
    ...(welcome_closed === undefined ? {} : { welcome_closed }),
    ...(steps_closed === undefined ? {} : { steps_closed }),
    insights: readSet(sets.insights, insights),
    templates: readSet(sets.templates, templates),
    onboarding: readSet(sets.onboarding, onboarding),
  };
}
