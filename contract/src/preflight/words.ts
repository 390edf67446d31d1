/** Shared by all checks: the shape of a finding, and word lists. */
import type { PreflightFinding } from '../registrations/finding.ts';

export const preflightFinding = (
  level: PreflightFinding['level'],
  code: string,
  field: string,
  title: string,
  why: string,
  fix: string,
): PreflightFinding => ({ code, level, field, title, why, fix });

export const MARKETING =
  /\b(sale|discount|\d+ ?% off|offer|promo\w*|coupon|deal|buy now|shop now|voucher|special price)\b/i;

export const brandWords = (brand: string): string[] =>
  brand
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);

/** Names that are too generic for a sender. */
export const GENERAL_NAMES: ReadonlySet<string> = new Set(
  (
    'info sms alert alerts verify notice bank service support message test ' +
    'news offer promo otp code delivery parcel'
  ).split(' '),
);

/** Matches words that begin with one of these stems, in any script. */
const beginsWith = (stems: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${stems
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})`,
    'iu',
  );

// English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Russian, Armenian.
export const CONSENT = beginsWith(`
  agree|consent|opt(?:s|ed)?[ -]?in|sign(?:s|ed)?[ -]?up|subscrib|tick
  check(?:s|ed)? (?:a|the) box|checkbox|permission|confirm
  zustimm|stimm\\p{L}* zu|einwillig|einverst|anmeld|melde\\p{L}* sich an|abonnier|ankreuz|kästchen|häkchen
  accept|inscri|coch|abonn|d[’']accord
  acept|consient|suscrib|inscrib|casilla
  accett|consens|iscriv|casella
  akkoord|toestemm|aanmeld|inschrij|aanvink|vinkje
  aceit|inscrev|autoriz
  zgod|zgadza|zapis|zaznacz
  соглас|подпис|отмеча|отметк
  համաձայն|բաժանորդագր
`);
export const ENDED = beginsWith(`
  unsubscrib|opted out|no more|no further|not (?:get|receive)|stopped|removed
  abgemeldet|abbestellt|keine weiteren|keine (?:\\p{L}+ )?mehr|nicht mehr|beendet
  désinscri|désabonn|ne recevrez plus|plus (?:de|aucun)|aucun autre
  cancelad|dad[oa] de baja|no recibirá|ya no|no más
  disiscri|cancellat|annullat|non ricever|nessun altro
  afgemeld|uitgeschreven|geen (?:\\p{L}+ )?meer|niet meer
  removid|não (?:vai )?receb|descadastr
  wypisan|nie otrzyma|nie będzie|zrezygnow
  отписан|отписал|больше не|прекращен
  այլևս|դադարեց
`);
export const STOP = beginsWith(`
  stop|unsubscribe|opt[- ]?out
  abmelden|abbestellen
  arr[êe]t
  baja|alto|cancelar
  ferma|annulla
  afmelden
  parar|sair
  koniec
  стоп|отписаться
  ստոպ|կանգ
`);

const FOREIGN = new Set(
  (
    'der die das und ist sie ihr ihre ihren wir nicht mit für von ein eine keine auf zum zur bei ' +
    'le la les des et vous votre vos est pour nous une du en pas el los las su sus para por con es y se ' +
    'il gli di per che non suo sua het een uw van voor niet de os um uma com seu na nie jest twoje'
  ).split(' '),
);

/** Whether a text is clearly in another language, in which case missing English keywords prove nothing. */
export function isForeign(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const foreign = words.filter((word) => FOREIGN.has(word) || /[^a-z]/.test(word)).length;
  return foreign * 6 >= words.length && foreign > 0;
}
