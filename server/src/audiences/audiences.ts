export { type NumberFault, type ParsedNumber, parseNumber, readNumber } from './number.ts';
