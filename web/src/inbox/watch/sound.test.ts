/** @vitest-environment happy-dom */
import { afterEach, expect, test, vi } from 'vitest';
import { stubAudio } from '../../test/audio.ts';
import { playSound, SOUND_KEY } from './sound.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('messages that arrive together make one sound, and none if the user has not turned it on', () => {
  const sounds = stubAudio();
  playSound(10_000);
  expect(sounds.played).toBe(0);
  localStorage.setItem(SOUND_KEY, 'true');
  playSound(10_000);
  playSound(11_000);
  expect(sounds.played).toBe(1);
  playSound(13_000);
  expect(sounds.played).toBe(2);
  // The clock was set back.
  playSound(5_000);
  expect(sounds.played).toBe(3);
});
