/** Sizes in pixels that the user can change; the workbench takes what is left. */
export interface LayoutSizes {
  /** Width of the explorer; in a wide window of the servers above it too. */
  readonly side: number
  /** Height of the servers, where the explorer is below them. */
  readonly servers: number
  readonly timeline: number
  /** Height of the timeline while it shows the frames of a row. */
  readonly frames: number
}

export type LayoutMode = 'wide' | 'narrow'

const designed: Record<LayoutMode, LayoutSizes> = {
  wide: { side: 296, servers: 220, timeline: 188, frames: 372 },
  narrow: { side: 246, servers: 120, timeline: 150, frames: 300 },
}

export const smallest: LayoutSizes = { side: 160, servers: 76, timeline: 80, frames: 180 }
export const largest: LayoutSizes = { side: 560, servers: 800, timeline: 2_000, frames: 2_000 }

/** Where sizes are in the settings. */
const KEYS: Record<LayoutMode, string> = { wide: 'inspector', narrow: 'inspector-narrow' }
const NAMES = ['side', 'servers', 'timeline', 'frames'] as const

function within(name: keyof LayoutSizes, value: number | undefined, otherwise: number): number {
  if (value === undefined || !Number.isFinite(value)) return otherwise
  return Math.round(Math.min(largest[name], Math.max(smallest[name], value)))
}

/** The sizes of a mode as they were saved, or as they were designed where nothing usable was. */
export function savedSizes(
  mode: LayoutMode,
  layout: Readonly<Record<string, readonly number[]>>,
): LayoutSizes {
  const [side, servers, timeline, frames] = layout[KEYS[mode]] ?? []
  const otherwise = designed[mode]
  return {
    side: within('side', side, otherwise.side),
    servers: within('servers', servers, otherwise.servers),
    timeline: within('timeline', timeline, otherwise.timeline),
    frames: within('frames', frames, otherwise.frames),
  }
}

/** The settings with the sizes of a mode put in. */
export function withSizes(
  layout: Readonly<Record<string, readonly number[]>>,
  mode: LayoutMode,
  sizes: LayoutSizes,
): Record<string, number[]> {
  const copy = Object.fromEntries(Object.entries(layout).map(([name, values]) => [name, [...values]]))
  return { ...copy, [KEYS[mode]]: NAMES.map((name) => Math.round(sizes[name])) }
}
