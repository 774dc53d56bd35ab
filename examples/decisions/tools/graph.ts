import { tool } from 'patchbay'
import * as inputs from '../lib/inputs.ts'
import { journalOf } from '../lib/journal.ts'

const READS = { readOnlyHint: true, openWorldHint: false } as const

export const link_decisions = tool({
  title: 'Link two decisions',
  description: 'Says that a decision relates to, supersedes or depends on another.',
  input: inputs.linkDecisions,
  validation: 'handler',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (link, ctx) => journalOf(ctx).link(link),
})

export const get_graph = tool({
  title: 'Graph of decisions',
  description: 'Gives the decisions around one, up to five links away, and the links between them.',
  input: inputs.getGraph,
  validation: 'handler',
  annotations: READS,
  async run({ node_id, depth, edge_types: types, direction }, ctx) {
    const journal = journalOf(ctx)
    const { decision } = await journal.files.find(node_id)
    const found = (await journal.graph()).around(decision.id, depth, direction, types)
    return { center: decision.id, depth, ...found }
  },
})

export const get_neighbors = tool({
  title: 'Decisions next to one',
  description: 'Gives the decisions that are linked to one directly, the strongest link first.',
  input: inputs.getNeighbors,
  validation: 'handler',
  annotations: READS,
  async run({ node_id, direction, edge_type: type, limit }, ctx) {
    const journal = journalOf(ctx)
    const { decision } = await journal.files.find(node_id)
    const neighbors = (await journal.graph()).neighbors(decision.id, direction, type)
    return { node_id: decision.id, neighbors: neighbors.slice(0, limit), total: neighbors.length }
  },
})
