/** Limits for the buttons of a template. */

export const MAX_TEMPLATE_BUTTONS = 10;
/** By type of button: two websites and one phone number at most. */
export const MAX_BUTTONS_BY_TYPE = { link: 2, phone_call: 1, quick_reply: MAX_TEMPLATE_BUTTONS } as const;
