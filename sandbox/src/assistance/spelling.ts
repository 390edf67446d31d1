/** Corrects common English misspellings, repeated words, spaces, and capital letters. */
import { replacePhrases, tidy } from './sentences.ts';

const MISSPELLINGS =
  'teh:the adress:address acommodate:accommodate accomodate:accommodate acheive:achieve alot:a_lot ' +
  'apparantly:apparently arguement:argument becuase:because beacuse:because begining:beginning beleive:believe ' +
  'calender:calendar cancelation:cancellation definately:definitely definitly:definitely delivary:delivery ' +
  "dont:don't doesnt:doesn't didnt:didn't embarass:embarrass enviroment:environment existance:existence " +
  'familar:familiar finaly:finally foward:forward freind:friend goverment:government gaurantee:guarantee ' +
  "happend:happened havent:haven't immediatly:immediately im:I'm ive:I've independant:independent " +
  "intrested:interested isnt:isn't knowlege:knowledge libary:library maintainance:maintenance mesage:message " +
  'messege:message neccessary:necessary necesary:necessary noticable:noticeable occured:occurred ' +
  'occurence:occurrence oppurtunity:opportunity orderd:ordered ordr:order paymant:payment peice:piece ' +
  'persue:pursue posession:possession prefered:preferred probaly:probably proffesional:professional ' +
  'pubicly:publicly realy:really recieve:receive recieved:received recomend:recommend refered:referred ' +
  'relevent:relevant responce:response seperate:separate shippment:shipment sincerly:sincerely ' +
  'succesful:successful suprise:surprise thansk:thanks thier:their tommorow:tomorrow tommorrow:tomorrow ' +
  "tomorow:tomorrow truely:truly untill:until usefull:useful wich:which wierd:weird wont:won't writting:writing " +
  "yesturday:yesterday youre:you're apologise:apologize plese:please pls:please thx:thanks hte:the adn:and " +
  'taht:that waht:what woudl:would';

const PAIRS = MISSPELLINGS.split(' ').map((pair) => {
  const [from, to] = pair.split(':');
  return [from!, to!.replaceAll('_', ' ')] as const;
});

export function correct(text: string): string {
  const spelled = replacePhrases(text, PAIRS)
    .replace(/\b(\p{L}+)(?:\s+\1\b)+/giu, '$1')
    .replace(/(?<![\p{L}\p{N}])i(?=(?:['’](?:m|ve|ll|d))?(?:\s|$))/gu, 'I')
    .replace(/([,;])(?=\p{L})/gu, '$1 ');
  const tidied = tidy(spelled);
  return /[\p{L}\p{N}]$/u.test(tidied) ? `${tidied}.` : tidied;
}
