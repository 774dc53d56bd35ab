/** Sizes in pixels that the user can change; the workbench takes what is left. */
export interface LayoutSizes {
  readonly servers: number
  readonly explorer: number
  readonly timeline: number
}

export type LayoutMode = 'wide' | 'narrow'

const designed: Record<LayoutMode, LayoutSizes> = {
  wide: { servers: 200, explorer: 248, timeline: 372 },
  narrow: { servers: 44, explorer: 208, timeline: 240 },
}

export const smallest: LayoutSizes = { servers: 140, explorer: 160, timeline: 120 }
export const largest: LayoutSizes = { servers: 400, explorer: 560, timeline: 2_000 }

function within(name: keyof LayoutSizes, value: number | undefined, otherwise: number): number {
  if (value === undefined || !Number.isFinite(value)) return otherwise
  return Math.round(Math.min(largest[name], Math.max(smallest[name], value)))
}

/** The sizes of a mode as they were saved, or as they were designed where nothing usable was. */
export function savedSizes(
  mode: LayoutMode,
  layout: Readonly<Record<string, readonly number[]>>,
): LayoutSizes {
  const [servers, explorer, timeline] = layout[mode] ?? []
  const otherwise = designed[mode]
  return {
    servers: mode === 'narrow' ? otherwise.servers : within('servers', servers, otherwise.servers),
    explorer: within('explorer', explorer, otherwise.explorer),
    timeline: within('timeline', timeline, otherwise.timeline),
  }
}

/** The settings with the sizes of a mode put in. */
export function withSizes(
  layout: Readonly<Record<string, readonly number[]>>,
  mode: LayoutMode,
  sizes: LayoutSizes,
): Record<string, number[]> {
  const copy = Object.fromEntries(Object.entries(layout).map(([name, values]) => [name, [...values]]))
  return { ...copy, [mode]: [sizes.servers, sizes.explorer, sizes.timeline].map(Math.round) }
}
