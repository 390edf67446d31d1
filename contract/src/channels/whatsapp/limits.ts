/** Limits for a template's buttons. */

export const MAX_TEMPLATE_BUTTONS = 10;
/** The maximum for each button type: two website buttons and one phone button. */
export const MAX_BUTTONS_BY_TYPE = { link: 2, phone_call: 1, quick_reply: MAX_TEMPLATE_BUTTONS } as const;
