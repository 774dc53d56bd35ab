import { z } from 'patchbay'
import { bridge, category, confidence, edgeType, OUTCOMES, reason, stakes } from './decision.ts'
import { ACTION_TYPES, PRIORITIES } from './ready.ts'

const DEFAULT_STAKES = 'medium'
const id = z.string().min(1).describe('Id of a decision: 8 hexadecimal digits, or the beginning of them')
const project = z.string().describe('Project as owner/repo')
const direction = z.enum(['outgoing', 'incoming', 'both']).default('both')
const agentId = z
  .string()
  .min(1)
  .optional()
  .describe(
    'Which agent this is, where several share one connection: what they look up and think is kept apart',
  )

const reasons = z.array(reason).default([]).describe('Supporting reasons, best of two or more types')
const tags = z.array(z.string().min(1)).default([])

export const preAction = z.object({
  action: z.object({
    description: z.string().min(1).describe('What you plan to do'),
    category: category.optional(),
    stakes: stakes.default(DEFAULT_STAKES),
    confidence: confidence.optional().describe('How sure you are, 0 to 1'),
  }),
  reasons,
  tags,
  pattern: z.string().min(1).optional().describe('The abstract pattern that this is a case of'),
  project: project.optional(),
  options: z
    .object({
      auto_record: z.boolean().default(true).describe('Record the decision if the guardrails allow it'),
      query_limit: z.number().int().min(1).max(20).default(5),
      include_patterns: z.boolean().default(true),
    })
    .prefault({}),
  agent_id: agentId,
})

export const SECTIONS = [
  'decisions',
  'guardrails',
  'calibration',
  'ready',
  'patterns',
  'contradictions',
] as const

export const sessionContext = z.object({
  task_description: z.string().min(1).optional().describe('What you are working on'),
  include: z
    .array(z.enum(SECTIONS))
    .default([...SECTIONS])
    .describe('Sections to include; all if not given'),
  decisions_limit: z.number().int().min(1).max(50).default(10),
  ready_limit: z.number().int().min(1).max(20).default(5),
  format: z
    .enum(['json', 'markdown'])
    .default('markdown')
    .describe('markdown is ready to be put into a system prompt'),
  agent_id: agentId,
})

export const ready = z.object({
  min_priority: z.enum(PRIORITIES).default('low'),
  action_types: z.array(z.enum(ACTION_TYPES)).default([]).describe('Only these; all if empty'),
  limit: z.number().int().min(1).max(50).default(20),
  category: category.optional(),
})

export const queryDecisions = z.object({
  query: z.string().min(1).describe('What to look for, in your own words'),
  limit: z.number().int().min(1).max(50).default(5),
  retrieval_mode: z.enum(['semantic', 'keyword', 'hybrid']).default('hybrid'),
  bridge_side: z
    .enum(['structure', 'function', 'both'])
    .default('both')
    .describe('structure: where was this pattern used; function: what solved this problem'),
  filters: z
    .object({
      category: category.optional(),
      stakes: z.array(stakes).optional(),
      project: project.optional(),
      has_outcome: z.boolean().optional(),
    })
    .optional(),
  agent_id: agentId,
})

export const checkAction = z.object({
  description: z.string().min(1).describe('The action you intend to take'),
  category: category.optional(),
  stakes: stakes.default(DEFAULT_STAKES),
  confidence: confidence.optional(),
  agent_id: agentId,
})

export const logDecision = z.object({
  decision: z.string().min(1).describe('What you decided: the choice, not the question'),
  confidence,
  category,
  stakes: stakes.default(DEFAULT_STAKES),
  context: z.string().optional().describe('The situation'),
  reasons,
  tags,
  pattern: z.string().min(1).optional(),
  project: project.optional(),
  feature: z.string().optional(),
  pr: z.number().int().min(1).optional().describe('Number of the pull request'),
  bridge: bridge.optional(),
  agent_id: agentId,
})

export const reviewOutcome = z.object({
  id,
  outcome: z.enum(OUTCOMES),
  actual_result: z.string().optional().describe('What really happened'),
  lessons: z.string().optional(),
  notes: z.string().optional(),
})

export const getStats = z.object({
  category: category.optional(),
  project: project.optional(),
  window: z.enum(['30d', '60d', '90d', 'all']).default('all'),
})

export const getDecision = z.object({ id })

export const getReasonStats = z.object({
  filters: z
    .object({ category: category.optional(), stakes: stakes.optional(), project: project.optional() })
    .optional(),
  min_reviewed: z.number().int().min(1).max(50).default(3),
})

export const updateDecision = z
  .object({
    id,
    decision: z.string().min(1).optional().describe('What was decided or done in the end'),
    confidence: confidence.optional(),
    context: z.string().optional(),
    tags: z.array(z.string().min(1)).optional().describe('In place of those there are'),
    pattern: z.string().min(1).optional(),
  })
  .refine(({ id: _id, ...changes }) => Object.values(changes).some((change) => change !== undefined), {
    message: 'nothing to change: give decision, confidence, context, tags or pattern',
  })

export const recordThought = z.object({
  text: z.string().min(1).describe('What you think, in your own words'),
  decision_id: id
    .optional()
    .describe('A decision that is recorded already; without it, the next one gets the thought'),
  agent_id: agentId,
})

export const linkDecisions = z.object({
  source_id: id,
  target_id: id,
  edge_type: edgeType,
  weight: z.number().gt(0).max(1).default(1),
  context: z.string().optional().describe('Why they are linked'),
})

export const getGraph = z.object({
  node_id: id,
  depth: z.number().int().min(1).max(5).default(1),
  edge_types: z.array(edgeType).optional(),
  direction,
})

export const getNeighbors = z.object({
  node_id: id,
  direction,
  edge_type: edgeType.optional(),
  limit: z.number().int().min(1).max(100).default(20),
})
