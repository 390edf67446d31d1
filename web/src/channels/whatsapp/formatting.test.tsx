import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { channelView } from '../index.ts';
import { formatText } from './formatting.tsx';

const renderText = (text: string) => renderToStaticMarkup(<p>{formatText(text)}</p>).slice(3, -4);

test.each([
  ['*9911* is your code.', '<b>9911</b> is your code.'],
  ['_quiet_, ~gone~ and *loud*!', '<i>quiet</i>, <s>gone</s> and <b>loud</b>!'],
  ['*_both_*', '<b><i>both</i></b>'],
  ['(*in brackets*)', '(<b>in brackets</b>)'],
  ['order_id_5 and 2*3*4', 'order_id_5 and 2*3*4'],
  ['https://x.example/a_b_c and https://x.example/_a_/', 'https://x.example/a_b_c and https://x.example/_a_/'],
  ['* a list', '* a list'],
  ['5 * 3 * 2', '5 * 3 * 2'],
  ['*over\ntwo lines*', '*over\ntwo lines*'],
  ['```let a_b = *c*```', '<code>let a_b = *c*</code>'],
  ['press `*`', 'press <code>*</code>'],
  ['<b>*x*</b>', '&lt;b&gt;<b>x</b>&lt;/b&gt;'],
  ['', ''],
])('WhatsApp text %j renders as %j', (text, expected) => {
  expect(renderText(text)).toBe(expected);
});

test('other channels show formatting characters as typed', () => {
  expect(channelView('VIBER').formatText('*x*')).toBe('*x*');
  expect(channelView('SMS').formatText('_x_')).toBe('_x_');
});
