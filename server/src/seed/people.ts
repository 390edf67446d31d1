/** People of the demo: numbers from the ranges that regulators keep free for fiction, so that none can ever be somebody's. */
export interface Person {
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
}

const NAMES = [
  ['Amelia', 'Hart'],
  ['Noah', 'Whitfield'],
  ['Isla', 'Merriman'],
  ['Theo', 'Pemberton'],
  ['Maya', 'Okafor'],
  ['Leo', 'Castellan'],
  ['Freya', 'Lindqvist'],
  ['Oscar', 'Beaumont'],
  ['Zara', 'Haddad'],
  ['Finn', 'Gallagher'],
  ['Ruby', 'Achterberg'],
  ['Elias', 'Novak'],
  ['Chloé', 'Marchand'],
  ['Jasper', 'Thorne'],
  ['Anahit', 'Sarkissian'],
  ['Rowan', 'Ellery'],
  ['Nina', 'Vasquez'],
  ['Caleb', 'Ashdown'],
  ['Imogen', 'Frayne'],
  ['Mateo', 'Silvano'],
  ['Poppy', 'Winslow'],
  ['Adrian', 'Kessler'],
  ['Lena', 'Borowski'],
  ['Hugo', 'Tremblay'],
] as const;

const DRINKS = ['flat white', 'filter', 'espresso', 'cortado', 'cold brew', 'mocha'];

/** 16 in the United Kingdom, the rest in the United States. */
export const PEOPLE: readonly Person[] = NAMES.map(([first_name, last_name], index) => ({
  number: index < 16 ? `447700900${100 + index}` : `1202555${String(110 + index).padStart(4, '0')}`,
  country: index < 16 ? 'GB' : 'US',
  first_name,
  last_name,
  custom1: DRINKS[index % DRINKS.length]!,
  custom2: `Card ending ${1040 + index * 7}`,
}));
