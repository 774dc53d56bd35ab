import { z } from 'zod'

const outcomeSchema = z.enum(['passed', 'failed', 'flaky', 'skipped'])

const testSchema = z.object({
  id: z.string().describe('Stays the same between runs.'),
  title: z.string(),
  groups: z.array(z.string()).describe('The titles of the groups around it, the outermost first.'),
  project: z.string().describe('The Playwright project; empty where there is one without a name.'),
  file: z.string().describe('Relative to the folder of the configuration, with slashes.'),
  line: z.number().int(),
  column: z.number().int(),
  outcome: outcomeSchema,
  durationMs: z.number().describe('Of all attempts.'),
  attempts: z.number().int(),
  tags: z.array(z.string()),
  annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })),
  errors: z
    .array(
      z.object({
        message: z.string().describe('Without terminal colors.'),
        file: z.string().optional(),
        line: z.number().int().optional(),
      }),
    )
    .describe('Of the last attempt that failed.'),
  attachments: z.array(
    z.object({
      name: z.string(),
      contentType: z.string(),
      path: z.string().optional().describe('Relative to the folder of the configuration.'),
      text: z.string().optional().describe('The content of short texts.'),
    }),
  ),
  repeat: z.string().describe('The command that runs this test alone.'),
})

/** The report of a run of tests, as `json` writes it. Its JSON Schema is docs/test-report.schema.json. */
export const runReportSchema = z.object({
  format: z.literal('patchbay-test-report'),
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  status: z.enum(['passed', 'failed', 'timedout', 'interrupted']),
  versions: z.object({ patchbay: z.string(), playwright: z.string(), node: z.string() }),
  summary: z.object({
    tests: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    flaky: z.number().int(),
    skipped: z.number().int(),
  }),
  errors: z.array(z.string()).describe('Errors outside of any test.'),
  tests: z.array(testSchema),
})

export type RunReport = z.infer<typeof runReportSchema>
export type TestReport = z.infer<typeof testSchema>

/** The JSON Schema (2020-12) of the report. */
export function runReportJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(runReportSchema)
  return { title: 'Test report', description: 'The report of mcp-patchbay/reporter.', ...schema }
}
