/** Operates a page with the keyboard, like a user without a mouse. */
import { expect, type Page } from '../test.ts';

/** The maximum number of Tab presses to reach a control. */
const MAX_STEPS = 60;

/** Presses Tab until the control with this name has focus. Checks that the focus is visible on every control. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < MAX_STEPS; press++) {
    await page.keyboard.press(key);
    const label = await readFocus(page);
    if (typeof name === 'string' ? label === name : name.test(label)) return;
    passed.push(label);
  }
  throw new Error(`Tab never reached ${name}: ${passed.join(' | ')}`);
}

/**
 * Returns the label of the control with focus. Its focus becomes visible immediately, or when an animation has ended.
 */
async function readFocus(page: Page): Promise<string> {
  let label = '';
  await expect(async () => {
    const focus = await page.evaluate<{ label: string; visible: boolean }>(FOCUS);
    label = focus.label;
    expect(focus.visible, `${label} shows a visible focus`).toBe(true);
  }).toPass({ intervals: [50, 100, 200], timeout: 5_000 });
  return label;
}

/** Moves the focus to a button or link and presses Enter. */
export async function pressButton(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Moves the focus to a field and types into it. */
export async function write(page: Page, field: string | RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Selects the only option that matches the text in a field with a list. */
export async function pick(page: Page, field: string | RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
  await expect(page.getByRole('option').filter({ visible: true })).toHaveText([new RegExp(text)]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option').filter({ visible: true })).toHaveCount(0);
}

/** Opens a result of the command palette. */
export async function goBy(page: Page, text: string, entry: RegExp): Promise<void> {
  // The shortcuts load after the first page.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Search everything' })).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.type(text);
  const results = page.getByRole('listbox', { name: 'Results' });
  await expect(results.getByRole('option', { name: entry }).first()).toBeVisible();
  const selected = results.getByRole('option', { name: entry, selected: true });
  for (let press = 0; press < MAX_STEPS && (await selected.count()) === 0; press++)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Opens a page through the command palette. The focus moves to its title. */
export async function goTo(page: Page, text: string, title = text): Promise<void> {
  await goBy(page, text, new RegExp(`^${text}`, 'i'));
  await expect(page.locator('h1:focus')).toHaveText(title);
}

const FOCUS = `(() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const isChoice = element.matches('[type=radio], [type=checkbox]');
  const box = ((isChoice && element.labels?.[0]) || element).getBoundingClientRect();
  // Text fields show the focus by their border or by the outline of their container; a hidden input by its label.
  const { parentElement: parent, nextElementSibling: next } = element;
  const around = [element, parent, parent?.parentElement, next, ...(element.labels ?? [])]
    .filter(Boolean)
    .map((one) => getComputedStyle(one));
  const hasOutline = (one) => one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 0;
  const isDrawn = (one) => hasOutline(one) || one.boxShadow !== 'none';
  const isTextField = element.matches('input, textarea');
  const drawn = around.some(isDrawn)
    || (isTextField && style.borderColor !== getComputedStyle(document.body).borderColor);
  const inView = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const text = element.labels?.[0]?.textContent ?? element.textContent?.slice(0, 80) ?? '';
  const label = element.getAttribute('aria-label') ?? text;
  // The app moves the focus to titles, which need no mark.
  const visible = element.matches('body, main, h1, h2') || (drawn && inView && element.matches(':focus-visible'));
  return { label: label.trim(), visible };
})()`;
