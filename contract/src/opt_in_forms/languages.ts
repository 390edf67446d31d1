/** The languages of opt-in pages, with a consent text for each that an account can start from. */

export const FORM_LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'ru', 'tr', 'uk'] as const;
export type FormLanguage = (typeof FORM_LANGUAGES)[number];

/** The name of each language in the language itself. */
export const LANGUAGE_NAMES: Readonly<Record<FormLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  ru: 'Русский',
  tr: 'Türkçe',
  uk: 'Українська',
};

export const DEFAULT_TEXTS: Readonly<Record<FormLanguage, (company: string) => { title: string; consent: string }>> = {
  en: (company) => ({
    title: `Messages from ${company}`,
    consent:
      `I agree to receive marketing messages from ${company} on my phone. ` +
      'Message and data rates may apply. I can stop them at any time by replying STOP.',
  }),
  de: (company) => ({
    title: `Nachrichten von ${company}`,
    consent:
      `Ich möchte Werbenachrichten von ${company} auf mein Mobiltelefon erhalten. ` +
      'Ich kann sie jederzeit abbestellen, indem ich STOP antworte.',
  }),
  es: (company) => ({
    title: `Mensajes de ${company}`,
    consent:
      `Acepto recibir mensajes comerciales de ${company} en mi teléfono. ` +
      'Puedo cancelarlos en cualquier momento respondiendo STOP.',
  }),
  fr: (company) => ({
    title: `Messages de ${company}`,
    consent:
      `J’accepte de recevoir des messages commerciaux de ${company} sur mon téléphone. ` +
      'Je peux les arrêter à tout moment en répondant STOP.',
  }),
  it: (company) => ({
    title: `Messaggi di ${company}`,
    consent:
      `Accetto di ricevere messaggi commerciali da ${company} sul mio telefono. ` +
      'Posso interromperli in qualsiasi momento rispondendo STOP.',
  }),
  nl: (company) => ({
    title: `Berichten van ${company}`,
    consent:
      `Ik wil reclameberichten van ${company} op mijn telefoon ontvangen. ` +
      'Ik kan ze op elk moment stoppen door STOP te antwoorden.',
  }),
  pl: (company) => ({
    title: `Wiadomości od ${company}`,
    consent:
      `Zgadzam się na otrzymywanie wiadomości marketingowych od ${company} na mój telefon. ` +
      'Mogę z nich zrezygnować w każdej chwili, odpowiadając STOP.',
  }),
  pt: (company) => ({
    title: `Mensagens de ${company}`,
    consent:
      `Aceito receber mensagens comerciais de ${company} no meu telemóvel. ` +
      'Posso cancelá-las a qualquer momento respondendo STOP.',
  }),
  ru: (company) => ({
    title: `Сообщения от ${company}`,
    consent:
      `Я согласен получать рекламные сообщения от ${company} на свой телефон. ` +
      'Я могу отказаться от них в любой момент, ответив STOP.',
  }),
  tr: (company) => ({
    title: `${company} mesajları`,
    consent:
      `${company} tarafından telefonuma pazarlama mesajları gönderilmesini kabul ediyorum. ` +
      'STOP yanıtını vererek istediğim zaman durdurabilirim.',
  }),
  uk: (company) => ({
    title: `Повідомлення від ${company}`,
    consent:
      `Я погоджуюся отримувати рекламні повідомлення від ${company} на свій телефон. ` +
      'Я можу відмовитися від них у будь-який час, відповівши STOP.',
  }),
};
