import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MediaView } from './MediaView.tsx';
import { mediaPath } from './media_path.ts';

const URL_OF = 'https://parley.example.com/v1/media/files/a.jpg?id=1&signature=s';

test('an image keeps its room before it is there, and says when it is corrupted', () => {
  render(<MediaView type="image" url={URL_OF} file_name="a.jpg" width={400} height={100} />);
  const image = screen.getByAltText('a.jpg');
  expect(image.getAttribute('src')).toBe('/v1/media/files/a.jpg?id=1&signature=s');
  expect(image.parentElement!.style.getPropertyValue('--ratio')).toBe('400 / 100');
  fireEvent.error(image);
  expect(screen.getByText('The file is corrupted')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'a.jpg' }).style.getPropertyValue('--ratio')).toBe('400 / 100');
});

test('the small picture where it is enough, the whole one otherwise', () => {
  const thumbnail_url = '/v1/media/files/thumbnail.webp?id=1';
  const { rerender } = render(
    <MediaView type="image" url={URL_OF} thumbnail_url={thumbnail_url} file_name="a.jpg" small />,
  );
  expect(screen.getByAltText('a.jpg').getAttribute('src')).toBe(thumbnail_url);
  rerender(<MediaView type="image" url={URL_OF} thumbnail_url={thumbnail_url} file_name="a.jpg" />);
  expect(screen.getByAltText('a.jpg').getAttribute('src')).toContain('/a.jpg');
});

test('a video that this browser cannot play is there to download, as every document is', () => {
  const url = URL_OF.replace('a.jpg', 'a.3gp');
  render(<MediaView type="video" url={url} file_name="a.3gp" bytes={2048} />);
  fireEvent.error(screen.getByLabelText('a.3gp'));
  const link = screen.getByRole('link', { name: /a\.3gp.*Click to download file \(2 KB\)/ });
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([mediaPath(url), 'a.3gp']);
  render(<MediaView type="document" url={URL_OF} file_name="a.pdf" />);
  expect(screen.getByRole('link', { name: /a\.pdf.*Click to download file/ })).toBeTruthy();
});

test('what lies elsewhere is linked to and not loaded; what is no address is not even that', () => {
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
