import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MediaView } from './MediaView.tsx';
import { mediaPath } from './media_path.ts';

const FILE_URL = 'https://parley.example.com/v1/media/files/a.jpg?id=1&signature=s';

test('an image reserves its space before it loads and shows an error when it is corrupted', () => {
  render(<MediaView type="image" url={FILE_URL} file_name="a.jpg" width={400} height={100} />);
  const image = screen.getByAltText('a.jpg');
  expect(image.getAttribute('src')).toBe('/v1/media/files/a.jpg?id=1&signature=s');
  expect(image.parentElement!.style.getPropertyValue('--ratio')).toBe('400 / 100');
  fireEvent.error(image);
  expect(screen.getByText('The file is corrupted')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'a.jpg' }).style.getPropertyValue('--ratio')).toBe('400 / 100');
});

test('a small view loads the thumbnail, and a full view loads the image', () => {
  const thumbnail_url = '/v1/media/files/thumbnail.webp?id=1';
  const { rerender } = render(
    <MediaView type="image" url={FILE_URL} thumbnail_url={thumbnail_url} file_name="a.jpg" small />,
  );
  expect(screen.getByAltText('a.jpg').getAttribute('src')).toBe(thumbnail_url);
  rerender(<MediaView type="image" url={FILE_URL} thumbnail_url={thumbnail_url} file_name="a.jpg" />);
  expect(screen.getByAltText('a.jpg').getAttribute('src')).toContain('/a.jpg');
});

test('a video that the browser cannot play, and every document, can be downloaded', () => {
  const url = FILE_URL.replace('a.jpg', 'a.3gp');
  render(<MediaView type="video" url={url} file_name="a.3gp" bytes={2048} />);
  fireEvent.error(screen.getByLabelText('a.3gp'));
  const link = screen.getByRole('link', { name: /a\.3gp.*Click to download file \(2 KB\)/ });
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([mediaPath(url), 'a.3gp']);
  render(<MediaView type="document" url={FILE_URL} file_name="a.pdf" />);
  expect(screen.getByRole('link', { name: /a\.pdf.*Click to download file/ })).toBeTruthy();
});

test('a voice message is played, and downloaded if the browser cannot play it', () => {
  const { container } = render(<MediaView type="document" url={FILE_URL} file_name="audio.ogg" />);
  const audio = container.querySelector('audio')!;
  expect(audio.getAttribute('src')).toBe(mediaPath(FILE_URL));
  expect(screen.getByRole('link', { name: 'Download audio.ogg' })).toBeTruthy();
  fireEvent.error(audio);
  expect(screen.getByRole('link', { name: /audio\.ogg.*Click to download file/ })).toBeTruthy();
  render(<MediaView type="document" url={FILE_URL} file_name="audio.amr" />);
  expect(screen.getByRole('link', { name: /audio\.amr.*Click to download file/ })).toBeTruthy();
});

test('a file on another host is linked but not loaded, and an unsafe URL is not even linked', () => {
  const { container } = render(<MediaView type="image" url="https://shop.example.com/a.jpg" file_name="a.jpg" />);
  expect(container.querySelector('img')).toBeNull();
  const link = screen.getByRole('link');
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://shop.example.com/a.jpg',
    'noopener noreferrer',
  ]);
  const { container: other } = render(<MediaView type="image" url="javascript:alert(1)" file_name="a.jpg" />);
  expect(other.querySelector('a')).toBeNull();
});
