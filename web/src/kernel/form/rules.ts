/** The rules of a form: those of an endpoint's body, checked when a field loses focus and on submit. */
import type { UseFormReturnType } from '@mantine/form';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { fieldLabel, issueMessage, type ProblemName, problemInRule } from '@parley/contract/problem.ts';
import '../schema/rules.ts';
import { afterRelease } from './pointer_release.ts';

type Values = Record<string, unknown>;
type Errors = Record<string, string>;

/**
 * Problems of values that are shown as "{label} is required!" when the field is empty (specification, section 5), like
 * all problems that end with `_REQUIRED`.
 */
const REQUIRED_PROBLEMS: ReadonlySet<ProblemName> = new Set<ProblemName>([
  'EMAIL_INVALID',
  'PASSWORD_TOO_WEAK',
  'VERIFICATION_CODE_INVALID',
  'SECOND_FACTOR_INVALID',
  'COUNTRY_INVALID',
]);

type Issue = Parameters<typeof issueMessage>[0] & { path: PropertyKey[]; origin?: string };

/** The text of a validation issue for the field `label`. */
export function issueText(issue: Issue, label: string, values: unknown): string {
  const value = valueAt(values, issue.path);
  const empty = value !== false && isEmpty(value);
  const problem = problemInRule(issue.message);
  if (empty && (problem === null || problem.endsWith('_REQUIRED') || REQUIRED_PROBLEMS.has(problem)))
    return `${label} is required!`;
  if (problem === 'EMAIL_INVALID') return `${label} is not a valid email!`;
  return issueMessage(issue, label);
}

interface RuleOptions<V extends Values> {
  endpoint: AnyEndpoint;
  toBody: (values: V) => unknown;
  /** Rules beyond the endpoint's; they take precedence. */
  check?: ((values: V) => Partial<Record<string, string | null>>) | undefined;
  labels?: Partial<Record<string, string>> | undefined;
}

/** The field's label in messages: its own, or that of the list it belongs to. */
export const messageLabel = (labels: Partial<Record<string, string>> | undefined, name: string): string =>
  labels?.[name] ?? labels?.[name.replace(/\.\d+$/, '')] ?? fieldLabel(name.split('.'));

/** Returns the errors of all fields, by path. */
export const formRules =
  <V extends Values>({ endpoint, toBody, check, labels }: RuleOptions<V>) =>
  (values: V): Errors => {
    const errors: Errors = {};
    for (const [path, text] of Object.entries(check?.(values) ?? {})) if (text) errors[path] = text;
    const body = toBody(values);
    for (const issue of endpoint.body?.safeParse(body).error?.issues ?? []) {
      const path = issue.path.join('.');
      errors[path] ??= issueText(issue as Issue, messageLabel(labels, path), body);
    }
    return errors;
  };

/**
 * The props that the rules add to a field. A field is validated when it loses focus, unless it was empty from the
 * start: such a field is validated on submit. It is optional if the rules accept it when it is empty.
 */
export const fieldProps =
  <V extends Values>(rules: (values: V) => Errors) =>
  ({ field, form }: { field: string; form: UseFormReturnType<V> }) => {
    const path = field.split('.');
    const value = valueAt(form.getValues(), path);
    const mayBeEmpty =
      typeof value === 'boolean' ? undefined : !(field in rules(withEmpty(form.getValues(), path) as V));
    return {
      mayBeEmpty,
      ...(mayBeEmpty === false ? { required: true } : {}),
      onBlur: () =>
        afterRelease(() => {
          if (form.isDirty(field) || !isEmpty(valueAt(form.getValues(), path))) form.validateField(field);
        }),
    };
  };

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key], values);
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (typeof value === 'string' && value.trim() === '');

/** A copy of `values` in which the value at `path` is empty. */
function withEmpty(values: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return Array.isArray(values) ? [] : values === null || values === undefined ? values : '';
  if (Array.isArray(values)) return values.map((item, index) => (String(index) === key ? withEmpty(item, rest) : item));
  return { ...(values as Values), [key]: withEmpty((values as Values | null | undefined)?.[key], rest) };
}
