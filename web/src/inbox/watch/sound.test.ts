/** @vitest-environment happy-dom */
import { afterEach, expect, test, vi } from 'vitest';
import { playSound, SOUND_KEY } from './sound.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('messages that arrive together make one sound, and none if the user has not turned it on', () => {
  let contexts = 0;
  const param = { value: 0, setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
  const node = { connect: () => {}, start: () => {}, stop: () => {}, gain: param, frequency: param };
  class Context {
    readonly currentTime = 0;
    readonly destination = node;
    readonly createGain = () => node;
    readonly createOscillator = () => node;
    constructor() {
      contexts += 1;
    }
  }
  vi.stubGlobal('AudioContext', Context);
  playSound(10_000);
  expect(contexts).toBe(0);
  localStorage.setItem(SOUND_KEY, 'true');
  playSound(10_000);
  playSound(11_000);
  expect(contexts).toBe(1);
  playSound(13_000);
  expect(contexts).toBe(2);
  // The clock was set back.
  playSound(5_000);
  expect(contexts).toBe(3);
});
