import { escaped } from '../../protocol/markup.ts'

/** A count with separators of thousands. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `11 ms`, `10.1 s`. */
export function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}

const SHAPES = {
  fail: '<path d="M8 2.8 13.2 8 8 13.2 2.8 8z" fill="currentColor" stroke="none"/>',
  warn: '<path d="M8 2.8 14 13H2zM8 6.5V9.5M8 11.3v.1"/>',
  pass: '<path d="M3.5 8.5l3 3 6-7"/>',
  off: '<path d="M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z"/>',
  open: '<path d="M6.5 4.5 10 8l-3.5 3.5"/>',
  copy: '<path d="M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2"/>',
  request: '<path d="M4.5 3.5 12 8l-7.5 4.5z" fill="currentColor" stroke="none"/>',
  response: '<path d="M11.5 4 5 8l6.5 4z"/>',
  theme:
    '<path d="M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z"/><path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none"/>',
  brand:
    '<path d="M4 2.6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM12 9.4a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"/><path d="M4 6.6C4 13 8 12 8 8s4-5 4 1.4"/>',
} as const
export type Shape = keyof typeof SHAPES

/** The shapes of all icons, once for the whole page. */
export function iconSheet(): string {
  const symbols = Object.entries(SHAPES).map(
    ([name, shape]) => `<symbol id="i-${name}" viewBox="0 0 16 16">${shape}</symbol>`,
  )
  return `<svg width="0" height="0" class="sheet" aria-hidden="true">${symbols.join('')}</svg>`
}

export function icon(shape: Shape): string {
  return `<svg class="ic" aria-hidden="true"><use href="#i-${shape}"/></svg>`
}

/** A command with a button that copies it. */
export function commandLine(command: string): string {
  const text = escaped(command)
  return `<div class="cmd"><code>${text}</code><button class="btn js-only" aria-label="Copy command" data-copy="${text}">${icon('copy')}</button></div>`
}
