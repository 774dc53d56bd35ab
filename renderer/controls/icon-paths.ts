/** One stroke of an icon; `solid` is filled, `dashed` has gaps. */
export interface IconPath {
  readonly d: string
  readonly solid?: true
  readonly dashed?: true
}

const line = (d: string): IconPath => ({ d })
const solid = (d: string): IconPath => ({ d, solid: true })
const dashed = (d: string): IconPath => ({ d, dashed: true })

/** The sprite: 16 px grid, 1.25 px stroke, current colour. Solid only where solid has a meaning. */
export const iconPaths = {
  'out-request': [solid('M4.5 3.5 12 8l-7.5 4.5z')],
  'in-response': [line('M11.5 4 5 8l6.5 4z')],
  'in-request': [solid('M11.5 3.5 4 8l7.5 4.5z')],
  'out-response': [line('M4.5 4 11 8l-6.5 4z')],
  'in-notification': [line('M13 8H3.5M6.5 5l-3 3 3 3')],
  'out-notification': [line('M3 8h9.5M9.5 5l3 3-3 3')],
  'kind-error': [line('M3.5 3.5h9v9h-9zM6 6l4 4M10 6l-4 4')],
  lint: [line('M2 9.5c1.5 0 1.5-3 3-3s1.5 3 3 3 1.5-3 3-3 1.5 3 3 3')],
  stderr: [line('M3 5l3 3-3 3M8 11.5h5')],
  'st-on': [solid('M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z')],
  'st-busy': [line('M8 4a4 4 0 1 1-4 4')],
  'st-off': [line('M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z')],
  'st-hold': [dashed('M8 4.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6z')],
  'st-fail': [solid('M8 2.8 13.2 8 8 13.2 2.8 8z')],
  'st-ask': [line('M8 3.2 12.8 8 8 12.8 3.2 8z')],
  tool: [line('M9.5 3.5 13 7M3 13l6-6M8 5.5 10.5 8M11 2.5l2.5 2.5-2 2L9 4.5z')],
  resource: [line('M4 2.5h5.5L12 5v8.5H4zM9.5 2.5V5H12')],
  template: [
    line(
      'M6 3.5c-1.5 0-1.5 1-1.5 2S4.5 8 3 8c1.5 0 1.5 1.5 1.5 2.5s0 2 1.5 2M10 3.5c1.5 0 1.5 1 1.5 2S11.5 8 13 8c-1.5 0-1.5 1.5-1.5 2.5s0 2-1.5 2',
    ),
  ],
  prompt: [line('M2.5 3.5h11v7.5H7L4.5 13.5V11h-2z')],
  server: [line('M2.5 3.5h11v4h-11zM2.5 8.5h11v4h-11zM5 5.5h.01M5 10.5h.01')],
  script: [line('M5.5 5 2.5 8l3 3M10.5 5l3 3-3 3M9 3.5l-2 9')],
  folder: [line('M2.5 4h4l1.5 1.5h5.5v7h-11z')],
  inbox: [line('M2.5 9.5 4.5 3.5h7l2 6v3h-11zM2.5 9.5H6c0 1 .8 1.6 2 1.6s2-.6 2-1.6h3.5')],
  sampling: [
    line('M8 2.5v3M8 10.5v3M2.5 8h3M10.5 8h3M4.5 4.5l1.5 1.5M10 10l1.5 1.5M11.5 4.5 10 6M6 10l-1.5 1.5'),
  ],
  elicit: [line('M2.5 3.5h11v9h-11zM5 8h6M5 10.5h3M5 5.8h.01')],
  clock: [line('M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3l2 1.5')],
  plug: [line('M6 2.5V6M10 2.5V6M4 6h8v2a4 4 0 0 1-8 0zM8 12v2')],
  fault: [line('M9 2.5 4 9h4l-1 4.5L12 7H8z')],
  key: [line('M5.5 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.7 7.8 13 2.5M11 4.5l1.5 1.5')],
  run: [solid('M5 3.2 12.5 8 5 12.8z')],
  search: [line('M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.5 3.5')],
  filter: [line('M2.5 4h11M4.5 8h7M6.5 12h3')],
  plus: [line('M8 3.5v9M3.5 8h9')],
  minus: [line('M3.5 8h9')],
  close: [line('M4.5 4.5l7 7M11.5 4.5l-7 7')],
  check: [line('M3.5 8.5l3 3 6-7')],
  'chev-r': [line('M6.5 4.5 10 8l-3.5 3.5')],
  'chev-u': [line('M4.5 9.5 8 6l3.5 3.5')],
  'chev-d': [line('M4.5 6.5 8 10l3.5-3.5')],
  updown: [line('M5.5 6.5 8 4l2.5 2.5M5.5 9.5 8 12l2.5-2.5')],
  more: [
    solid(
      'M4 7.2a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8zM8 7.2A.9.9 0 1 1 8 9a.9.9 0 0 1 0-1.8zM12 7.2a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8z',
    ),
  ],
  restart: [line('M12.5 8A4.5 4.5 0 1 1 11 4.6M11.5 2v3h-3')],
  copy: [line('M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2')],
  save: [line('M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5.5 13V9.5h5V13')],
  trash: [line('M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9')],
  pause: [line('M6 4v8M10 4v8')],
  pin: [line('M6 2.5h4M7 2.5v4l-2 2.5h6L9 6.5v-4M8 9v4.5')],
  diff: [
    line(
      'M4.5 3v7M4.5 10a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2zM11.5 13V6M11.5 2.8a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2z',
    ),
  ],
  split: [line('M2.5 3h11v10h-11zM8 3v10')],
  dock: [line('M2.5 3h11v10h-11zM2.5 9.5h11')],
  max: [line('M9 3.5h3.5V7M12.5 3.5 9 7M7 12.5H3.5V9M3.5 12.5 7 9')],
  restore: [line('M9 3.5V7h3.5M9 7l3.5-3.5M7 12.5V9H3.5M7 9l-3.5 3.5')],
  settings: [
    line(
      'M3 5h6M12 5h1M3 11h1M7 11h6M10.5 3.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM5.5 9.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
    ),
  ],
  theme: [line('M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z'), solid('M8 2.5a5.5 5.5 0 0 1 0 11z')],
  link: [line('M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-4L5 7')],
  export: [line('M8 10V2.5M5 5l3-3 3 3M3 9.5v4h10v-4')],
  import: [line('M8 2.5V10M5 7.5l3 3 3-3M3 9.5v4h10v-4')],
  warn: [line('M8 2.8 14 13H2zM8 6.5V9.5M8 11.3v.1')],
  info: [line('M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 7.5v3.5M8 5.2v.1')],
  eye: [
    line('M1.8 8S4 4 8 4s6.2 4 6.2 4S12 12 8 12 1.8 8 1.8 8zM8 6.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z'),
  ],
  undo: [line('M5.5 3.5 3 6l2.5 2.5M3 6h6a4 4 0 0 1 0 7H6.5')],
  stop: [line('M4.5 4.5h7v7h-7z')],
  mark: [
    line('M4 2.6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM12 9.4a2 2 0 1 1 0 4 2 2 0 0 1 0-4z'),
    line('M4 6.6C4 13 8 12 8 8s4-5 4 1.4'),
  ],
} as const satisfies Record<string, readonly IconPath[]>

export type IconName = keyof typeof iconPaths
