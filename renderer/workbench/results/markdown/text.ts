/** All text that a user reads in this module. */
export const markdownText = {
  image: (alt: string) => (alt === '' ? 'image' : `image: ${alt}`),
  done: 'done',
  open: 'not done',
} as const
