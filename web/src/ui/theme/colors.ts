/** The scales that Mantine needs as arrays. Everything else uses the variables of tokens.css. */
import type { MantineColorsTuple } from '@mantine/core';

/** The accent: a deep signal blue-violet, distinct from WhatsApp green and Viber purple. */
export const signal: MantineColorsTuple = [
  '#edeefe',
  '#dfe1fd',
  '#c3c5fb',
  '#a5a8fb',
  '#8b8df8',
  '#716ff0',
  '#5a57e6',
  '#3a36c8',
  '#2f2cab',
  '#25238a',
];

export const gray: MantineColorsTuple = [
  '#faf9f7',
  '#f3f1ec',
  '#e8e4dc',
  '#d8d3c9',
  '#c2bcb1',
  '#a39d92',
  '#78726a',
  '#635e55',
  '#403c36',
  '#26231f',
];

export const dark: MantineColorsTuple = [
  '#edeae4',
  '#cfcbc4',
  '#aba59b',
  '#8f897f',
  '#4a4640',
  '#3d3a35',
  '#252320',
  '#1d1c19',
  '#161513',
  '#121110',
];

export const red: MantineColorsTuple = [
  '#fcebe9',
  '#f8d5d1',
  '#f3b1ab',
  '#ff9b91',
  '#ec6a5e',
  '#d9483b',
  '#c2352b',
  '#b3261e',
  '#8f1d17',
  '#6f1713',
];
