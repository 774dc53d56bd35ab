/** The scenarios that pass, by leg (`2026-07-28 server`). A floor: names are added and never taken away. */
export type Baseline = Readonly<Record<string, readonly string[]>>

export type Comparison = {
  readonly held: readonly string[]
  readonly lost: readonly string[]
  readonly gained: readonly string[]
}

/** How what passes now stands to the floor of one leg. */
export function compare(floor: readonly string[], passing: readonly string[]): Comparison {
  return {
    held: floor.filter((name) => passing.includes(name)),
    lost: floor.filter((name) => !passing.includes(name)),
    gained: passing.filter((name) => !floor.includes(name)),
  }
}

/** The floor with one leg raised to what passes; nothing is lowered. */
export function raised(baseline: Baseline, leg: string, passing: readonly string[]): Baseline {
  const names = new Set([...(baseline[leg] ?? []), ...passing])
  return { ...baseline, [leg]: [...names].sort() }
}
