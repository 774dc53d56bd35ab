import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Revisions that the suite knows; for the newer two it says which scenarios count. */
export const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const
export const SIDES = ['server', 'client'] as const
export type Leg = { readonly revision: (typeof REVISIONS)[number]; readonly side: (typeof SIDES)[number] }

/** The scenarios of a leg: those that count, and those that run beside them. */
export type Scenarios = {
  readonly scored: readonly string[]
  readonly unscored: readonly string[]
  /** The suite has a list of what counts for this revision; otherwise all its scenarios do. */
  readonly hasRequirements: boolean
}

const require = createRequire(import.meta.url)
const PACKAGE = dirname(require.resolve('@modelcontextprotocol/conformance/package.json'))
/** The suite's program. */
export const SUITE = join(PACKAGE, 'dist/index.js')

const WITH_REQUIREMENTS: ReadonlySet<string> = new Set(['2025-11-25', '2026-07-28'])

/** What the suite's own lists say of a leg. Throws if they say nothing of it. */
export async function scenariosOf(leg: Leg): Promise<Scenarios> {
  if (!WITH_REQUIREMENTS.has(leg.revision)) {
    return { scored: await listed(leg), unscored: [], hasRequirements: false }
  }
  const { revision, side } = leg
  const yaml = createRequire(join(PACKAGE, 'package.json'))('yaml') as { parse(text: string): unknown }
  const text = await readFile(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8')
  const set = yaml.parse(text) as Record<string, unknown>
  const scored = set[side]
  if (!Array.isArray(scored) || !scored.every((name) => typeof name === 'string')) {
    throw new Error(`the suite lists no ${side} scenarios for ${revision}`)
  }
  const others = (set['not_scored'] ?? []) as readonly { readonly scenario: string; readonly leg: string }[]
  const unscored = others.filter((each) => each.leg === side).map(({ scenario }) => scenario)
  return { scored, unscored, hasRequirements: true }
}

/** `list` prints one scenario a line: `  - name [revision,revision]`. */
async function listed({ revision, side }: Leg): Promise<readonly string[]> {
  const args = [SUITE, 'list', `--${side}`, '--spec-version', revision]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const names = [...stdout.matchAll(/^ +- (\S+) \[/gm)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  )
  if (names.length === 0) throw new Error(`the suite lists no ${side} scenarios for ${revision}`)
  return names
}
