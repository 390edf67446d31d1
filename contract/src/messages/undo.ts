/** The longest time for which a sent message can wait, so that its author can still cancel it. */
export const MAX_UNDO_SECONDS = 30;
