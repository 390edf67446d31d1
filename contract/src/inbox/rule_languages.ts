/** The languages that rules of the inbox recognize, as ISO 639-1 codes. */
export const RULE_LANGUAGES = [
  ...(['am', 'ar', 'az', 'be', 'bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'eu'] as const),
  ...(['fa', 'fi', 'fr', 'gu', 'he', 'hi', 'hr', 'hu', 'hy', 'is', 'it', 'ja', 'ka', 'kn', 'ko'] as const),
  ...(['ku', 'lo', 'lt', 'lv', 'ml', 'mr', 'ms', 'nl', 'no', 'or', 'pa', 'pl', 'pt', 'ro', 'ru'] as const),
  ...(['sk', 'sl', 'sq', 'sr', 'sv', 'ta', 'te', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'yo', 'zh'] as const),
] as const;
export type RuleLanguage = (typeof RULE_LANGUAGES)[number];
