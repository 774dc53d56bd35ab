import { z } from 'zod'
import { VERDICTS } from '../verdict.ts'

const verdictSchema = z.enum(VERDICTS)
const severitySchema = z.enum(['critical', 'error', 'warning', 'info'])
const transportSchema = z.enum(['stdio', 'http', 'sse', 'websocket'])
const sideSchema = z.enum(['server', 'client'])
const countSchema = z.number().int().min(0)

const cellShape = { side: sideSchema, revision: z.string(), transport: transportSchema }

const findingSchema = z.object({
  severity: severitySchema,
  statement: z.string().describe('The id of the statement that is broken.'),
  revision: z.string(),
  transport: transportSchema,
  expected: z.string(),
  actual: z.string(),
  member: z.string().optional().describe('The offending member of the first frame, as a JSON Pointer.'),
  frames: z.array(z.number().int()).describe('Numbers of the frames that show it.'),
  times: countSchema
    .optional()
    .describe('How often it was found, if more than once; frames are the first ones.'),
})

const frameSchema = z.object({
  index: z.number().int(),
  at: z.iso.datetime(),
  from: sideSchema,
  kind: z.string().describe('message, invalid, stderr, http or lifecycle.'),
  head: z.string().optional().describe('HTTP: method and address, or status.'),
  text: z.string().describe('Secrets masked, long ones cut.'),
  bytes: countSchema,
})

const checkSchema = z.object({
  id: z.string(),
  title: z.string(),
  severity: severitySchema,
  statements: z.array(z.string()),
  ...cellShape,
  verdict: verdictSchema,
  baseline: z
    .enum(['new', 'known', 'fixed'])
    .optional()
    .describe(
      'With a baseline: a failure that is new or expected, or an expected failure that did not occur.',
    ),
  reason: z.string().optional().describe('Why it is inconclusive, not applicable, broken or flaky.'),
  findings: z.array(findingSchema),
  frames: z.array(frameSchema).optional().describe('The frames that the findings name.'),
  page: z.url().optional().describe('The page of the check.'),
  repeat: z.string().optional().describe('The command that repeats this check.'),
  durationMs: z.number(),
})

const clauseSchema = z.object({
  level: z.enum(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']),
  text: z.string().describe('In our words.'),
  section: z.string(),
  url: z.url().describe('The page of the specification.'),
})

const summarySchema = z.object(Object.fromEntries(VERDICTS.map((verdict) => [verdict, countSchema])))

/** The report of a conformance run, as `check --json` prints it. Its JSON Schema is docs/conformance-report.schema.json. */
export const conformanceReportSchema = z.object({
  format: z.literal('patchbay-conformance-report'),
  version: z.literal(1),
  verdict: z
    .enum(['passed', 'failed', 'inconclusive'])
    .describe('Of the whole run; inconclusive if the peer could not be examined.'),
  reason: z.string().optional().describe('Why it is inconclusive.'),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  seed: z.number().int(),
  subject: z.object({
    side: sideSchema,
    name: z.string(),
    version: z.string().optional(),
    target: z.string().describe('Its command line or address, secrets masked.'),
  }),
  versions: z.object({ patchbay: z.string(), node: z.string(), platform: z.string() }),
  command: z.string().describe('The command that repeats the run.'),
  suite: z.object({
    name: z.string(),
    score: z
      .number()
      .optional()
      .describe('Of 100: the share of checks that passed among those that came to a verdict on the peer.'),
  }),
  baseline: z
    .object({
      file: z.string(),
      new: countSchema,
      known: countSchema,
      fixed: countSchema,
    })
    .optional(),
  summary: summarySchema,
  history: z
    .array(
      z.object({
        number: countSchema,
        startedAt: z.iso.datetime(),
        passed: countSchema,
        failed: countSchema.describe('Broken and flaky ones too.'),
        warned: countSchema,
      }),
    )
    .optional()
    .describe(
      'The last runs, oldest first, this one included. Only in reports of the window, which stores them.',
    ),
  cells: z.array(z.object(cellShape)),
  unsupported: z.array(z.object({ ...cellShape, reason: z.string() })),
  clauses: z.record(z.string(), clauseSchema).describe('The statements that findings name.'),
  checks: z.array(checkSchema),
})

export type ConformanceReport = z.infer<typeof conformanceReportSchema>
export type ReportedCheck = z.infer<typeof checkSchema>
export type ReportedFrame = z.infer<typeof frameSchema>

/** The JSON Schema (2020-12) of the report. */
export function conformanceReportJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(conformanceReportSchema)
  return { title: 'Conformance report', description: 'The report of patchbay check and exam.', ...schema }
}
