import { titleOf, type Decision, type EdgeType } from './decision.ts'
import type { Stored } from './decision-files.ts'
import { InputError } from './faults.ts'

export type Direction = 'outgoing' | 'incoming' | 'both'

export type Edge = {
  readonly source_id: string
  readonly target_id: string
  readonly edge_type: EdgeType
  readonly weight: number
  readonly context?: string
}

export type Node = Pick<Decision, 'id' | 'category' | 'stakes' | 'status' | 'date'> & {
  readonly title: string
  readonly outcome?: Decision['outcome']
}

/** Relations that mean an order: what goes round in a circle means nothing. */
const ORDERED: ReadonlySet<EdgeType> = new Set(['supersedes', 'depends_on'])

/** Decisions as nodes, their links as edges. */
export class DecisionGraph {
  readonly #nodes: ReadonlyMap<string, Decision>
  readonly #edges: readonly Edge[]

  constructor(all: readonly Stored[]) {
    this.#nodes = new Map(all.map(({ decision }) => [decision.id, decision]))
    this.#edges = all.flatMap(({ decision: { id, links } }) =>
      links
        // What a link leads to may have been deleted by hand.
        .filter(({ target_id: target }) => this.#nodes.has(target))
        .map(({ target_id, edge_type, weight, context }) => ({
          source_id: id,
          target_id,
          edge_type,
          weight,
          ...(context === undefined ? {} : { context }),
        })),
    )
  }

  /** All that can be reached from a node in `depth` steps, with the edges between them. */
  around(start: string, depth: number, direction: Direction, types: readonly EdgeType[] | undefined) {
    const distances = new Map([[start, 0]])
    const edges = new Set<Edge>()
    for (let step = 0; step < depth; step += 1) {
      for (const id of [...distances].filter(([, at]) => at === step).map(([one]) => one)) {
        for (const { edge, other } of this.#of(id, direction, types)) {
          edges.add(edge)
          if (!distances.has(other)) distances.set(other, step + 1)
        }
      }
    }
    const nodes = [...distances].flatMap(([id, distance]) => {
      const decision = this.#nodes.get(id)
      return decision === undefined ? [] : [{ ...nodeOf(decision), distance }]
    })
    return { nodes, edges: [...edges] }
  }

  /** The decisions next to one, the strongest link first. */
  neighbors(id: string, direction: Direction, type: EdgeType | undefined) {
    return this.#of(id, direction, type === undefined ? undefined : [type])
      .sort((a, b) => b.edge.weight - a.edge.weight)
      .flatMap(({ edge, other, direction: way }) => {
        const decision = this.#nodes.get(other)
        if (decision === undefined) return []
        return [{ ...nodeOf(decision), edge_type: edge.edge_type, direction: way, weight: edge.weight }]
      })
  }

  /** Throws an `InputError` for an edge that would mean nothing. */
  requireMeaning(source: string, target: string, type: EdgeType): void {
    if (source === target) throw new InputError(`A decision cannot be linked to itself: ${source}.`)
    if (!ORDERED.has(type)) return
    const back = this.around(target, this.#nodes.size, 'outgoing', [type])
    if (back.nodes.some(({ id }) => id === source)) {
      throw new InputError(
        `${target} ${type} ${source} already, directly or through others: that would be a circle.`,
      )
    }
  }

  #of(id: string, direction: Direction, types: readonly EdgeType[] | undefined) {
    const edges = this.#edges.filter(({ edge_type: type }) => types === undefined || types.includes(type))
    const outgoing = edges
      .filter(({ source_id: source }) => source === id)
      .map((edge) => ({ edge, other: edge.target_id, direction: 'outgoing' as const }))
    const incoming = edges
      .filter(({ target_id: target }) => target === id)
      .map((edge) => ({ edge, other: edge.source_id, direction: 'incoming' as const }))
    if (direction === 'outgoing') return outgoing
    return direction === 'incoming' ? incoming : [...outgoing, ...incoming]
  }
}

function nodeOf(decision: Decision): Node {
  const { id, category, stakes, status, date, outcome } = decision
  const title = titleOf(decision)
  return { id, title, category, stakes, status, date, ...(outcome === undefined ? {} : { outcome }) }
}
