/** Finds the fields of a form by name: the attribute `data-path` or `data-field` of an input or of its surroundings. */

/** A field that the summary above a form links to. */
export interface FieldIssue {
  /** The name of the field that takes the focus. */
  name: string;
  /** The id of the input. */
  id: string;
  /** The field's label on the screen. */
  label: string;
  /** The error, shown by the summary only if the form does not show the field. */
  text: string;
  isShown: boolean;
}

type Root = Pick<ParentNode, 'querySelector'>;

/** The element of the field; of a list or an object for one of its values. Null if the form does not show it. */
function findField(root: Root, name: string): HTMLElement | null {
  const key = CSS.escape(name);
  const element = root.querySelector<HTMLElement>(`[data-path="${key}"], [data-field="${key}"]`);
  if (element) return element;
  const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  return parent ? findField(root, parent) : null;
}

const CONTROLS = 'textarea, select, input:not([type=hidden]), button, [tabindex]';
const findControl = (element: HTMLElement | null): HTMLElement | null =>
  element?.matches(CONTROLS) ? element : (element?.querySelector<HTMLElement>(CONTROLS) ?? null);

export function focusField(name: string, root: Root = document): void {
  const element = findField(root, name);
  const control = findControl(element);
  control?.focus({ preventScroll: true });
  // The label and the error must also be in view.
  (control?.closest<HTMLElement>('.mantine-InputWrapper-root') ?? element)?.scrollIntoView?.({ block: 'nearest' });
}

/** The label on the screen, without the mark of optional fields. Null for a group of choices without a label. */
function readLabel(element: HTMLElement): string | null {
  const control = findControl(element);
  const wrapper = element.closest('.mantine-InputWrapper-root') ?? element;
  const isChoice = control?.matches('[type=radio], [type=checkbox], button');
  const group = wrapper.querySelector('.mantine-InputWrapper-label, legend');
  const own = (control as HTMLInputElement | null)?.labels?.[0];
  const text = isChoice ? group?.textContent : (control?.getAttribute('aria-label') ?? (own ?? group)?.textContent);
  return text?.replace(/\s*\(optional\)$/, '').trim() || null;
}

/** The invalid fields in the order of the page, one for each field; errors of fields that are not shown come first. */
export function listIssues(
  errors: Readonly<Record<string, unknown>>,
  nameLabel: (name: string) => string,
  root: Root = document,
): FieldIssue[] {
  const hidden: FieldIssue[] = [];
  const shown = new Map<HTMLElement, FieldIssue>();
  for (const [name, error] of Object.entries(errors)) {
    if (!error) continue;
    const element = findField(root, name);
    const text = String(error);
    if (!element) hidden.push({ name, id: '', label: nameLabel(name), text, isShown: false });
    else if (!shown.has(element)) {
      const id = findControl(element)?.id ?? '';
      shown.set(element, { name, id, label: readLabel(element) ?? nameLabel(name), text, isShown: true });
    }
  }
  const inOrder = [...shown].sort(([a], [b]) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  return [...hidden, ...inOrder.map(([, issue]) => issue)];
}

/** Focuses the first field of a summary. */
export function focusFirstIssue(issues: readonly FieldIssue[], root: Root = document): void {
  const first = issues.find(({ isShown }) => isShown);
  if (first) focusField(first.name, root);
}
