/** The text that carries a code without a template, by language. */

type Phrase = (code: string, brand: string) => string;

const PHRASES: Readonly<Record<string, Phrase>> = {
  en: (code, brand) => `${code} is your ${brand} verification code.`,
  de: (code, brand) => `${code} ist dein Bestätigungscode für ${brand}.`,
  es: (code, brand) => `${code} es tu código de verificación de ${brand}.`,
  fr: (code, brand) => `${code} est votre code de vérification ${brand}.`,
  it: (code, brand) => `${code} è il tuo codice di verifica ${brand}.`,
  nl: (code, brand) => `${code} is je verificatiecode voor ${brand}.`,
  pl: (code, brand) => `${code} to Twój kod weryfikacyjny ${brand}.`,
  pt: (code, brand) => `${code} é o seu código de verificação ${brand}.`,
  ru: (code, brand) => `${code} — ваш код подтверждения ${brand}.`,
  tr: (code, brand) => `${brand} doğrulama kodunuz: ${code}`,
  uk: (code, brand) => `${code} — ваш код підтвердження ${brand}.`,
};

/** Languages without a text use the English text. */
export function standardText(code: string, brand: string, locale: string | null | undefined): string {
  const language = (locale ?? '').toLowerCase().split(/[-_]/)[0]!;
  return (PHRASES[language] ?? PHRASES.en!)(code, brand);
}
