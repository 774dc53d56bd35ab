import { z } from 'patchbay'

export const CATEGORIES = ['architecture', 'process', 'integration', 'tooling', 'security'] as const
export const STAKES = ['low', 'medium', 'high', 'critical'] as const
export const OUTCOMES = ['success', 'partial', 'failure', 'abandoned'] as const
export const EDGE_TYPES = ['relates_to', 'supersedes', 'depends_on'] as const
const REASON_TYPES = ['authority', 'analogy', 'analysis', 'pattern', 'intuition'] as const

export const category = z.enum(CATEGORIES)
export const stakes = z.enum(STAKES)
export const confidence = z.number().min(0).max(1)
export const edgeType = z.enum(EDGE_TYPES)

/** Why a decision is thought to be right. */
export const reason = z.object({
  type: z.enum(REASON_TYPES).describe('The kind of reasoning'),
  text: z.string().min(1).describe('The explanation'),
})

/** What a decision looks like, and what problem it solves. */
export const bridge = z.object({
  structure: z.string().optional().describe('What it looks like: the pattern'),
  function: z.string().optional().describe('What problem it solves: the purpose'),
  tolerance: z.array(z.string()).optional().describe('Features that do not matter'),
  enforcement: z.array(z.string()).optional().describe('Features that must be present'),
  prevention: z.array(z.string()).optional().describe('Features that must be absent'),
})

/** What was looked up and thought before a decision, and after it. */
const deliberation = z.object({
  inputs: z.array(z.object({ id: z.string(), source: z.string(), text: z.string(), at: z.string() })),
  steps: z.array(
    z.object({
      step: z.number().int(),
      thought: z.string(),
      at: z.string(),
      inputs_used: z.array(z.string()),
    }),
  ),
  total_duration_ms: z.number(),
})

/** An arrow to another decision. */
const link = z.object({
  target_id: z.string(),
  edge_type: edgeType,
  weight: z.number(),
  context: z.string().optional(),
  at: z.string(),
})

/** A decision as its file holds it. Members that are not known stay in the file when it is written again. */
export const decision = z.looseObject({
  id: z.string().regex(/^[0-9a-f]{8}$/, 'an id is 8 hexadecimal digits'),
  decision: z.string().min(1),
  confidence,
  category,
  stakes,
  status: z.enum(['pending', 'reviewed']),
  date: z.iso.datetime({ offset: true }),
  review_by: z.iso.datetime({ offset: true }),
  context: z.string().optional(),
  reasons: z.array(reason).default([]),
  tags: z.array(z.string()).default([]),
  pattern: z.string().optional(),
  project: z.string().optional(),
  feature: z.string().optional(),
  pr: z.number().int().optional(),
  agent: z.string().optional(),
  bridge: bridge.optional(),
  deliberation: deliberation.optional(),
  links: z.array(link).default([]),
  outcome: z.enum(OUTCOMES).optional(),
  actual_result: z.string().optional(),
  lessons: z.string().optional(),
  notes: z.string().optional(),
  reviewed_at: z.iso.datetime({ offset: true }).optional(),
  /** What the text and the confidence were before they were updated: the log forgets nothing. */
  earlier: z
    .array(
      z.object({
        until: z.string(),
        decision: z.string(),
        confidence,
        context: z.string().optional(),
        tags: z.array(z.string()).optional(),
        pattern: z.string().optional(),
      }),
    )
    .default([]),
})

export type Decision = z.infer<typeof decision>
export type Category = (typeof CATEGORIES)[number]
export type Stakes = (typeof STAKES)[number]
export type EdgeType = (typeof EDGE_TYPES)[number]
export type Deliberation = z.infer<typeof deliberation>

/** The first line of a decision, short enough for a list. */
export function titleOf({ decision: text }: Pick<Decision, 'decision'>): string {
  const [line = ''] = text.split('\n')
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`
}
