/** An input bound to one of a form's values. */
import type { UseFormReturnType } from '@mantine/form';
import type { ComponentProps, ElementType, ReactNode } from 'react';
import { Optional } from './Optional.tsx';

/**
 * The paths of a form's values, including those inside objects and lists, such as `name`, `settings.host`, and
 * `messages.0`.
 */
type FieldPath<V> = 0 extends 1 & V
  ? string
  : V extends readonly (infer Item)[]
    ? `${number}` | Nested<`${number}`, Item>
    : { [Key in keyof V & string]: Key | Nested<Key, NonNullable<V[Key]>> }[keyof V & string];

type Nested<Key extends string, V> = V extends object ? `${Key}.${FieldPath<V> & string}` : never;

interface Binding<V, Input extends ElementType> {
  form: UseFormReturnType<V>;
  name: FieldPath<V>;
  /**
   * The input component, which accepts `value`, `onChange`, and `error`, such as `TextInput`, `Select`, or one of our
   * own.
   */
  as: Input;
  /** Overrides the form's rule about leaving the field empty. */
  optional?: boolean;
}

type FieldProps<V, Input extends ElementType> = Binding<V, Input> &
  Omit<ComponentProps<Input>, keyof Binding<V, Input>>;

/**
 * Renders `as` with the value, error, and events of the form value `name`; all other props are passed to the input. If
 * `onChange` or `onBlur` is passed, it runs before the form's handler, so it can clean the input. `type="checkbox"`
 * binds `checked`, for `Checkbox` and `Switch`. The form's rules mark optional fields in the label; a field that the
 * user cannot change has no mark.
 */
export function Field<V, Input extends ElementType>({
  form,
  name,
  as,
  optional,
  ...own
}: FieldProps<V, Input>): ReactNode {
  const Component: ElementType = as;
  const { type, label, maxLength, onChange, onBlur } = own as OwnProps;
  const { mayBeEmpty, ...bound }: BoundProps = form.getInputProps(name, type === 'checkbox' ? { type } : undefined);
  const isMarked = (optional ?? mayBeEmpty) && label !== undefined && !isFixed(own as OwnProps);
  return (
    <Component
      key={form.key(name)}
      {...bound}
      {...own}
      {...(maxLength === undefined ? {} : { maxLength: maxLength * MAX_UNITS })}
      {...(isMarked ? { label: <WithMark>{label}</WithMark> } : {})}
      onChange={chain(onChange, bound.onChange)}
      onBlur={chain(onBlur, bound.onBlur)}
    />
  );
}

/** Browsers limit inputs by UTF-16 units, and a character has one or two. The rules of forms count characters. */
const MAX_UNITS = 2;

type EventCallback = ((...event: unknown[]) => void) | undefined;

const WithMark = ({ children }: { children: ReactNode }) => (
  <>
    {children}
    <Optional />
  </>
);

const isFixed = ({ readOnly, disabled }: OwnProps): boolean => Boolean(readOnly || disabled);

type BoundProps = ReturnType<UseFormReturnType<unknown>['getInputProps']> & {
  /** The form's rules accept the field when it is empty. */
  mayBeEmpty?: boolean | undefined;
};

interface OwnProps {
  type?: string;
  label?: ReactNode;
  maxLength?: number;
  readOnly?: boolean;
  disabled?: boolean;
  onChange?: EventCallback;
  onBlur?: EventCallback;
}

const chain =
  (first: EventCallback, second: EventCallback): EventCallback =>
  (...event) => {
    first?.(...event);
    second?.(...event);
  };
