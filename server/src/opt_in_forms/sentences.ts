/** The sentences of opt-in pages in each language. `{x}` stands for a number, a country, or the company. */
import type { FormLanguage } from '@parley/contract/opt_in_forms/languages.ts';

const NAMES = [
  'no_code',
  'wrong_code',
  'number_hint',
  'code_sent',
  'start_first',
  'ask_first',
  'done',
  'closed',
] as const;
export type Sentences = Readonly<Record<(typeof NAMES)[number], string>>;

export const SENTENCES: Readonly<Record<FormLanguage, Sentences>> = {
  en: {
    no_code: 'No code after a minute? Check the number, or ask for a new code later.',
    wrong_code: 'This code is wrong or has expired. Check it, or ask for a new code.',
    number_hint: 'Include the country code, or use a number in {x}.',
    code_sent: 'If {x} can receive messages, a code is on its way.',
    start_first:
      'If you replied STOP to {x} before, you will not get a code. Text START to {x} first, and then ask for a ' +
      'new code.',
    ask_first:
      'If you opted out of messages from {x} before, you will not get a code. Contact {x} to get messages again.',
    done: 'You will get messages from {x}. Reply STOP at any time to opt out.',
    closed: '{x} is not accepting sign-ups here at the moment.',
  },
  de: {
    no_code: 'Nach einer Minute noch kein Code? Prüfe die Nummer oder fordere später einen neuen an.',
    wrong_code: 'Dieser Code ist falsch oder abgelaufen. Prüfe ihn oder fordere einen neuen an.',
    number_hint: 'Mit Ländervorwahl oder eine Nummer aus: {x}.',
    code_sent: 'Wenn {x} Nachrichten empfangen kann, ist ein Code unterwegs.',
    start_first:
      'Wenn du früher STOP an {x} geantwortet hast, erhältst du keinen Code. Sende zuerst START an {x} ' +
      'und fordere dann einen neuen Code an.',
    ask_first:
      'Wenn du Nachrichten von {x} früher abbestellt hast, erhältst du keinen Code. Wende dich an {x}, ' +
      'um wieder Nachrichten zu erhalten.',
    done: 'Du erhältst Nachrichten von {x}. Antworte STOP, um sie abzubestellen.',
    closed: '{x} nimmt hier zurzeit keine Anmeldungen an.',
  },
  es: {
    no_code: '¿No llega el código en un minuto? Comprueba el número o pide otro más tarde.',
    wrong_code: 'El código es incorrecto o ha caducado. Compruébalo o pide otro.',
    number_hint: 'Con el prefijo del país, o un número de {x}.',
    code_sent: 'Si {x} puede recibir mensajes, el código está en camino.',
    start_first:
      'Si antes respondiste STOP a {x}, no recibirás ningún código. Envía primero START a {x} y pide ' + 'otro código.',
    ask_first:
      'Si cancelaste los mensajes de {x}, no recibirás ningún código. Contacta con {x} para volver a ' + 'recibirlos.',
    done: 'Recibirás mensajes de {x}. Responde STOP a cualquiera de ellos para cancelarlos.',
    closed: '{x} no acepta suscripciones aquí por ahora.',
  },
  fr: {
    no_code: 'Pas de code après une minute ? Vérifiez le numéro ou demandez un nouveau code plus tard.',
    wrong_code: 'Ce code est incorrect ou a expiré. Vérifiez-le ou demandez-en un autre.',
    number_hint: 'Avec l’indicatif du pays, ou un numéro de : {x}.',
    code_sent: 'Si le {x} peut recevoir des messages, un code est en route.',
    start_first:
      'Si vous avez déjà répondu STOP au {x}, vous ne recevez pas de code. Envoyez d’abord START au ' +
      '{x}, puis demandez un nouveau code.',
    ask_first:
      'Si vous avez arrêté les messages de {x}, vous ne recevez pas de code. Contactez {x} pour en ' +
      'recevoir à nouveau.',
    done: 'Vous recevrez des messages de {x}. Répondez STOP pour les arrêter.',
    closed: '{x} n’accepte pas d’inscriptions ici pour le moment.',
  },
  it: {
    no_code: 'Nessun codice dopo un minuto? Controlla il numero o chiedi un nuovo codice più tardi.',
    wrong_code: 'Il codice è errato o scaduto. Controllalo o chiedine un altro.',
    number_hint: 'Con il prefisso del paese, o un numero di: {x}.',
    code_sent: 'Se {x} può ricevere messaggi, un codice è in arrivo.',
    start_first:
      'Se in passato hai risposto STOP a {x}, non ricevi il codice. Invia prima START a {x} e chiedi ' +
      'un nuovo codice.',
    ask_first: 'Se hai interrotto i messaggi di {x}, non ricevi il codice. Contatta {x} per riceverli di nuovo.',
    done: 'Riceverai messaggi da {x}. Rispondi STOP per interromperli.',
    closed: '{x} al momento non accetta iscrizioni qui.',
  },
  nl: {
    no_code: 'Na een minuut nog geen code? Controleer het nummer of vraag later een nieuwe code aan.',
    wrong_code: 'Deze code is onjuist of verlopen. Controleer de code of vraag een nieuwe aan.',
    number_hint: 'Met landnummer, of een nummer uit: {x}.',
    code_sent: 'Als {x} berichten kan ontvangen, is er een code onderweg.',
    start_first:
      'Als je eerder STOP naar {x} hebt gestuurd, krijg je geen code. Stuur eerst START naar {x} en ' +
      'vraag dan een nieuwe code aan.',
    ask_first:
      'Als je berichten van {x} hebt stopgezet, krijg je geen code. Neem contact op met {x} om ze weer ' +
      'te ontvangen.',
    done: 'Je krijgt berichten van {x}. Antwoord STOP om ze te stoppen.',
    closed: '{x} accepteert hier op dit moment geen aanmeldingen.',
  },
  pl: {
    no_code: 'Kod nie przyszedł po minucie? Sprawdź numer lub poproś o nowy kod później.',
    wrong_code: 'Kod jest błędny lub wygasł. Sprawdź go lub poproś o nowy.',
    number_hint: 'Z numerem kierunkowym kraju lub numer z: {x}.',
    code_sent: 'Jeśli {x} może odbierać wiadomości, kod jest w drodze.',
    start_first:
      'Jeśli wcześniej wysłano STOP na {x}, kod nie przyjdzie. Najpierw wyślij START na {x}, a potem ' +
      'poproś o nowy kod.',
    ask_first:
      'Jeśli zrezygnowano z wiadomości od {x}, kod nie przyjdzie. Skontaktuj się z {x}, aby znów je ' + 'otrzymywać.',
    done: 'Będziesz otrzymywać wiadomości od {x}. Odpowiedz STOP, aby zrezygnować.',
    closed: '{x} obecnie nie przyjmuje tu zapisów.',
  },
  pt: {
    no_code: 'Sem código após um minuto? Verifique o número ou peça um novo código mais tarde.',
    wrong_code: 'O código está errado ou expirou. Verifique-o ou peça outro.',
    number_hint: 'Com o indicativo do país, ou um número de: {x}.',
    code_sent: 'Se {x} puder receber mensagens, um código está a caminho.',
    start_first: 'Se respondeu STOP a {x}, não recebe o código. Envie primeiro START para {x} e peça um novo código.',
    ask_first: 'Se cancelou as mensagens de {x}, não recebe o código. Contacte {x} para as voltar a receber.',
    done: 'Vai receber mensagens de {x}. Responda STOP para as cancelar.',
    closed: '{x} não aceita inscrições aqui neste momento.',
  },
  ru: {
    no_code: 'Кода нет больше минуты? Проверьте номер или запросите новый код позже.',
    wrong_code: 'Код неверен или устарел. Проверьте его или запросите новый.',
    number_hint: 'С кодом страны или номер страны: {x}.',
    code_sent: 'Если {x} может получать сообщения, код уже отправлен.',
    start_first:
      'Если раньше вы ответили STOP на {x}, код не придёт. Сначала отправьте START на {x}, а затем ' +
      'запросите новый код.',
    ask_first: 'Если вы отказались от сообщений {x}, код не придёт. Обратитесь в {x}, чтобы снова их получать.',
    done: 'Вы будете получать сообщения от {x}. Ответьте STOP, чтобы отказаться.',
    closed: '{x} сейчас не принимает подписки здесь.',
  },
  tr: {
    no_code: 'Bir dakika sonra kod gelmedi mi? Numarayı kontrol edin veya daha sonra yeni kod isteyin.',
    wrong_code: 'Kod yanlış veya süresi dolmuş. Kontrol edin veya yeni kod isteyin.',
    number_hint: 'Ülke koduyla veya şu ülkeden bir numara: {x}.',
    code_sent: '{x} mesaj alabiliyorsa kod yolda.',
    start_first:
      'Daha önce {x} numarasına STOP yanıtı verdiyseniz kod gelmez. Önce {x} numarasına START ' +
      'gönderin, sonra yeni kod isteyin.',
    ask_first: '{x} mesajlarını durdurduysanız kod gelmez. Yeniden almak için {x} ile iletişime geçin.',
    done: '{x} size mesaj gönderecek. Durdurmak için STOP yanıtını verin.',
    closed: '{x} şu anda burada kayıt kabul etmiyor.',
  },
  uk: {
    no_code: 'Коду немає понад хвилину? Перевірте номер або попросіть новий код пізніше.',
    wrong_code: 'Код неправильний або застарів. Перевірте його або попросіть новий.',
    number_hint: 'З кодом країни або номер країни: {x}.',
    code_sent: 'Якщо {x} може отримувати повідомлення, код уже надіслано.',
    start_first:
      'Якщо раніше ви відповіли STOP на {x}, код не надійде. Спочатку надішліть START на {x}, а потім ' +
      'попросіть новий код.',
    ask_first: 'Якщо ви відмовилися від повідомлень {x}, код не надійде. Зверніться до {x}, щоб знову їх отримувати.',
    done: 'Ви отримуватимете повідомлення від {x}. Відповідайте STOP, щоб відмовитися.',
    closed: '{x} зараз не приймає підписки тут.',
  },
};

/** Puts a value into a sentence. */
export const fillSentence = (text: string, value: string): string => text.replaceAll('{x}', () => value);
