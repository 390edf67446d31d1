export { type NumberFault, type ParsedNumber, parseNumber, readNumber } from './number.ts';
export { type Stop, startNumber, stopNumber, stoppedNumbers } from './stop_list.ts';
