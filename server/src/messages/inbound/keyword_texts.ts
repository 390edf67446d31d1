/** The replies to STOP, START, and HELP of senders without their own replies, in the languages of the keywords. */
import type { KeywordKind, KeywordLanguage } from '@parley/contract/audiences/keyword_words.ts';

type Texts = Readonly<Record<KeywordKind, (brand: string) => string>>;

export const KEYWORD_TEXTS: Readonly<Record<KeywordLanguage, Texts>> = {
  en: {
    stop: (brand) =>
      `${brand}: You are unsubscribed and will receive no more messages from us. Reply START to resubscribe.`,
    start: (brand) => `${brand}: You are subscribed to our messages again. Reply HELP for help, STOP to end.`,
    help: (brand) =>
      `${brand}: We send you messages from this number. Message and data rates may apply. Reply STOP to end.`,
  },
  de: {
    stop: (brand) =>
      `${brand}: Sie sind abgemeldet und erhalten keine Nachrichten mehr von uns. Wieder anmelden: START`,
    start: (brand) => `${brand}: Sie erhalten wieder Nachrichten von uns. Hilfe: HILFE. Abmelden: STOP`,
    help: (brand) => `${brand}: Von dieser Nummer erhalten Sie Nachrichten von uns. Abmelden: STOP`,
  },
  fr: {
    stop: (brand) =>
      `${brand} : vous êtes désabonné et ne recevrez plus nos messages. Répondez START pour vous réabonner.`,
    start: (brand) => `${brand} : vous recevez de nouveau nos messages. Aide : AIDE. Arrêt : STOP`,
    help: (brand) => `${brand} : nous vous envoyons des messages depuis ce numéro. Arrêt : STOP`,
  },
  es: {
    stop: (brand) =>
      `${brand}: Se ha dado de baja y no recibirá más mensajes. Responda START para volver a recibirlos.`,
    start: (brand) => `${brand}: Vuelve a recibir nuestros mensajes. Ayuda: AYUDA. Baja: STOP`,
    help: (brand) => `${brand}: Le enviamos mensajes desde este número. Baja: STOP`,
  },
  pt: {
    stop: (brand) => `${brand}: O seu registo foi cancelado e não receberá mais mensagens. Responda START para voltar.`,
    start: (brand) => `${brand}: Voltou a receber as nossas mensagens. Ajuda: AJUDA. Cancelar: STOP`,
    help: (brand) => `${brand}: Enviamos mensagens a partir deste número. Cancelar: STOP`,
  },
  it: {
    stop: (brand) => `${brand}: Iscrizione annullata. Non riceverà altri messaggi. Risponda START per riattivarli.`,
    start: (brand) => `${brand}: Riceve di nuovo i nostri messaggi. Aiuto: AIUTO. Annullare: STOP`,
    help: (brand) => `${brand}: Le inviamo messaggi da questo numero. Annullare: STOP`,
  },
  nl: {
    stop: (brand) =>
      `${brand}: U bent afgemeld en ontvangt geen berichten meer van ons. Antwoord START om u aan te melden.`,
    start: (brand) => `${brand}: U ontvangt weer berichten van ons. Hulp: HULP. Afmelden: STOP`,
    help: (brand) => `${brand}: Wij sturen u berichten vanaf dit nummer. Afmelden: STOP`,
  },
  pl: {
    stop: (brand) => `${brand}: Nie będziemy już wysyłać wiadomości. Aby je ponownie otrzymywać, odpisz START.`,
    start: (brand) => `${brand}: Ponownie otrzymujesz nasze wiadomości. Pomoc: POMOC. Rezygnacja: STOP`,
    help: (brand) => `${brand}: Wysyłamy wiadomości z tego numeru. Rezygnacja: STOP`,
  },
  ru: {
    stop: (brand) => `${brand}: Вы отписались и больше не получите наших сообщений. Чтобы подписаться, ответьте СТАРТ.`,
    start: (brand) => `${brand}: Вы снова получаете наши сообщения. Помощь: ПОМОЩЬ. Отписаться: СТОП`,
    help: (brand) => `${brand}: Мы отправляем сообщения с этого номера. Отписаться: СТОП`,
  },
  ar: {
    stop: (brand) => `${brand}: تم إلغاء اشتراكك ولن تصلك رسائل أخرى منا. للاشتراك مجددا أرسل START`,
    start: (brand) => `${brand}: ستصلك رسائلنا من جديد. للمساعدة أرسل مساعدة، وللإلغاء أرسل STOP`,
    help: (brand) => `${brand}: نرسل إليك الرسائل من هذا الرقم. للإلغاء أرسل STOP`,
  },
};
