/** The demo's contacts. Their numbers come from ranges that regulators reserve for fiction, so no number is real. */
interface Person {
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

const RANGES = [
  { country: 'DE', number: (index: number) => `49176040690${10 + index}`, from: 0 },
  { country: 'SE', number: (index: number) => `467017406${10 + index}`, from: 12 },
  { country: 'US', number: (index: number) => `1202555011${index % 10}`, from: 18 },
];

export const PEOPLE: readonly Person[] = NAMES.map(([first_name, last_name], index) => {
  const range = RANGES.findLast(({ from }) => index >= from)!;
  return {
    number: range.number(index - range.from),
    country: range.country,
    first_name,
    last_name,
    custom1: DRINKS[index % DRINKS.length]!,
    custom2: `Card ending ${1040 + index * 7}`,
  };
});
