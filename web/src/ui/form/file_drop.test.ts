import { expect, test } from 'vitest';
import { fileProblem } from './FileDrop.tsx';

const TYPES = ['.csv', '.xlsx'];

test('a file with the wrong extension or size is rejected with a reason', () => {
  const file = (name: string, size: number) => ({ name, size });
  expect(fileProblem(file('a.CSV', 10), TYPES, 100)).toBeNull();
  expect(fileProblem(file('a.pdf', 10), TYPES, 100)).toBe('The file must have one of these types: .csv, .xlsx');
  expect(fileProblem(file('a.pdf', 10), ['.csv'], 100)).toBe('The file must be a .csv file');
  expect(fileProblem(file('a.csv', 2048), ['.csv'], 1024)).toBe('The file is 2 KB; the limit is 1 KB');
  expect(fileProblem(file('a.csv', 0), ['.csv'], 1024)).toBe('The file is empty');
});
