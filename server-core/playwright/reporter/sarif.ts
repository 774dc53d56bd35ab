import type { RunReport, TestReport } from './report-schema.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
const FAILED = 'test-failed'
const FLAKY = 'test-flaky'

/** The failures as SARIF 2.1.0, for code scanning. */
export function sarif(report: RunReport): string {
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcp-patchbay',
            version: report.versions.patchbay,
            rules: [
              {
                id: FAILED,
                name: 'TestFailed',
                shortDescription: { text: 'A test of an MCP server failed.' },
              },
              {
                id: FLAKY,
                name: 'TestFlaky',
                shortDescription: { text: 'A test passed only when repeated.' },
              },
            ],
          },
        },
        invocations: [{ executionSuccessful: report.errors.length === 0, startTimeUtc: report.startedAt }],
        results: report.tests
          .filter(({ outcome }) => outcome === 'failed' || outcome === 'flaky')
          .map(result),
      },
    ],
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

function result(test: TestReport): object {
  const at = test.errors.find(({ file }) => file !== undefined)
  const told = test.errors.map(({ message }) => message).join('\n\n')
  const name = [...test.groups, test.title].join(' › ')
  return {
    ruleId: test.outcome === 'flaky' ? FLAKY : FAILED,
    level: test.outcome === 'flaky' ? 'warning' : 'error',
    message: { text: `${name}: ${told === '' ? 'failed' : told}\n\nRepeat: ${test.repeat}` },
    partialFingerprints: { testId: test.id },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(at?.file ?? test.file) },
          region: { startLine: at?.line ?? test.line },
        },
      },
    ],
  }
}
