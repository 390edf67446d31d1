/** The actions of a language model for a user of the inbox. The composer loads this file when assistance opens. */
export const ASSISTANCE_ACTIONS = [
  'suggest',
  'shorter',
  'friendlier',
  'formal',
  'spelling',
  'translate_draft',
  'translate_thread',
  'summarize',
] as const;
export type AssistanceAction = (typeof ASSISTANCE_ACTIONS)[number];

interface ActionRules {
  label: string;
  /** True if the action changes the text in the reply field, which must not be empty. */
  needs_text: boolean;
  /** True if the model gets the messages of the conversation. */
  needs_thread: boolean;
  needs_language: boolean;
  /** True if the result goes into the reply field. Other results are only shown. */
  writes_draft: boolean;
}

const rewrite = (label: string): ActionRules => ({
  ...{ label, needs_text: true, needs_thread: false, needs_language: false, writes_draft: true },
});

export const ACTION_RULES: Readonly<Record<AssistanceAction, ActionRules>> = {
  suggest: {
    label: 'Suggest a reply',
    ...{ needs_text: false, needs_thread: true, needs_language: false, writes_draft: true },
  },
  shorter: rewrite('Make it shorter'),
  friendlier: rewrite('Make it friendlier'),
  formal: rewrite('Make it formal'),
  spelling: rewrite('Fix spelling'),
  translate_draft: { ...rewrite('Translate your reply'), needs_language: true },
  translate_thread: {
    label: 'Translate the contact’s messages',
    ...{ needs_text: false, needs_thread: true, needs_language: true, writes_draft: false },
  },
  summarize: {
    label: 'Summarize the conversation',
    ...{ needs_text: false, needs_thread: true, needs_language: false, writes_draft: false },
  },
};

/** ISO 639-1. The names come from the browser. */
export const ASSISTANCE_LANGUAGES = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr', 'hu', 'hy', 'id'],
  ...['it', 'ja', 'ka', 'ko', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'sw', 'th'],
  ...['tr', 'uk', 'ur', 'vi', 'zh'],
] as const;

/** One line of the response, which is a stream of lines in JSON. The last line is `done` or `problem`. */
export type AssistanceLine =
  | { text: string }
  | { done: true; request_id: string; model: string }
  | { problem: { code: number; message: string } };
