/** Buttons in the format of older clients: one button in three fields. */
import type { ButtonInput } from '../messages/button_input.ts';
import type { Button } from '../messages/content.ts';

export interface LegacyButton {
  button_type?: string | null | undefined;
  button_text?: string | null | undefined;
  button_value?: string | null | undefined;
}

/**
 * The list of buttons: as a list, as one button, or in the three fields of older clients, whose type is quick_reply,
 * call_to_action, LINK, or PHONE_CALL. Null if the type is none of these.
 */
export function readButtons(
  input: LegacyButton & { buttons?: readonly Button[] | undefined; button?: ButtonInput | null | undefined },
): Button[] | null {
  if (input.buttons) return [...input.buttons];
  const { button } = input;
  if (button)
    return readButtons({
      button_type: button.type,
      button_text: button.text || button.caption,
      button_value: button.value || button.url,
    });
  const kind = input.button_type?.trim().toLowerCase() ?? '';
  const text = input.button_text?.trim() ?? '';
  const value = input.button_value?.trim() ?? '';
  if (kind === '' && text === '' && value === '') return [];
  if (kind === 'quick_reply') return [{ type: 'quick_reply', text, value }];
  if (kind === 'link' || kind === 'phone_call') return [{ type: kind, text, value }];
  if (kind !== 'call_to_action' && kind !== '') return null;
  return [{ type: /^\+?\d+$/.test(value) ? 'phone_call' : 'link', text, value }];
}

/** The first button in the format of older clients. */
export function firstButton(buttons: readonly Button[]): {
  button_type: 'quick_reply' | 'call_to_action' | null;
  button_text: string | null;
  button_value: string | null;
} {
  const first = buttons[0];
  if (!first) return { button_type: null, button_text: null, button_value: null };
  return {
    button_type: first.type === 'quick_reply' ? 'quick_reply' : 'call_to_action',
    button_text: first.text,
    button_value: first.value,
  };
}
