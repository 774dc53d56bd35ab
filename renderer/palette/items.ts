import type { IconName } from '../controls/icon.tsx'
import { matchName, scatteredRank, type Spans } from './rank.ts'

export type ItemGroup = 'Tools' | 'Resources' | 'Templates' | 'Prompts' | 'Scripts' | 'Servers' | 'Commands'

/** Something the palette can do or open. */
export interface PaletteItem {
  readonly id: string
  readonly group: ItemGroup
  readonly icon: IconName
  readonly name: string
  /** Where it is: the server of a tool, the state of a server. */
  readonly where: string | undefined
  readonly keys: string | undefined
  readonly run: () => void
}

export interface FoundItem {
  readonly item: PaletteItem
  readonly spans: Spans
}

export interface FoundGroup {
  readonly group: ItemGroup
  readonly items: readonly FoundItem[]
}

const limitPerGroup = 8

/**
 * The items that fit what was typed, best first, in groups, the group of the best item first. When nothing was
 * typed, commands and servers come first.
 */
export function findItems(
  items: readonly PaletteItem[],
  typed: string,
): { readonly groups: readonly FoundGroup[]; readonly found: number } {
  const fitting = items.flatMap((item) => {
    const match = matchName(item.name, typed)
    return match === undefined ? [] : [{ item, ...match }]
  })
  // Scattered letters are a guess, of use only where nothing fits better.
  const hasBetter = fitting.some(({ rank }) => rank < scatteredRank)
  const matches = hasBetter ? fitting.filter(({ rank }) => rank < scatteredRank) : fitting
  const groups = new Map<ItemGroup, { best: number; items: typeof matches }>()
  for (const match of matches) {
    const group = groups.get(match.item.group) ?? { best: match.rank, items: [] }
    group.best = Math.min(group.best, match.rank)
    group.items.push(match)
    groups.set(match.item.group, group)
  }
  const order: readonly ItemGroup[] =
    typed.trim() === ''
      ? ['Commands', 'Servers', 'Tools', 'Resources', 'Templates', 'Prompts', 'Scripts']
      : ['Tools', 'Resources', 'Templates', 'Prompts', 'Scripts', 'Servers', 'Commands']
  const limit = typed.trim() === '' ? 20 : limitPerGroup
  return {
    found: matches.length,
    groups: order
      .flatMap((group) => {
        const entry = groups.get(group)
        return entry === undefined ? [] : [{ group, ...entry }]
      })
      .toSorted((one, other) => one.best - other.best)
      .map(({ group, items: ranked }) => ({
        group,
        items: ranked
          // Of names that fit alike the shortest is meant; where nothing was typed, what belongs together stays so.
          .toSorted((one, other) =>
            typed.trim() === '' ? 0 : one.rank - other.rank || one.item.name.length - other.item.name.length,
          )
          .slice(0, limit),
      })),
  }
}
