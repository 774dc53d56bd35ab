import { isFailure } from './baseline.ts'
import { cellLabel, explanation } from './check-name.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** The findings as SARIF 2.1.0, for code scanning. A server has no source file here, so each result names `file`. */
export function sarif(report: ConformanceReport, file = 'package.json'): string {
  const found = report.checks.filter((check) => isFailure(check) || check.verdict === 'warned')
  const rules = [...new Map(found.map((check) => [check.id, check])).values()]
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcp-patchbay',
            version: report.versions.patchbay,
            rules: rules.map((check) => rule(check, report)),
          },
        },
        invocations: [
          {
            executionSuccessful: report.verdict !== 'inconclusive',
            startTimeUtc: report.startedAt,
            ...(report.reason !== undefined && {
              toolExecutionNotifications: [{ level: 'error', message: { text: report.reason } }],
            }),
          },
        ],
        results: found.map((check) => result(check, file)),
      },
    ],
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

function rule(
  { id, title, severity, statements, page }: ReportedCheck,
  { clauses }: ConformanceReport,
): object {
  const named = statements.flatMap((each) => clauses[each] ?? [])
  const helpUri = page ?? named[0]?.url
  return {
    id,
    shortDescription: { text: title },
    ...(helpUri !== undefined && { helpUri }),
    ...(named.length > 0 && {
      help: { text: named.map(({ level, text, url }) => `${level}: ${text} ${url}`).join('\n\n') },
    }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['mcp', severity] },
  }
}

const LEVELS: Readonly<Record<ReportedCheck['severity'], 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  error: 'error',
  warning: 'warning',
  info: 'note',
}

function result(check: ReportedCheck, file: string): object {
  const { id, title, revision, transport, repeat, baseline } = check
  const where = cellLabel(check)
  return {
    ruleId: id,
    level: isFailure(check) ? 'error' : 'warning',
    message: { text: `${title} (${where})\n${explanation(check)}\n\nRepeat: ${repeat ?? ''}` },
    partialFingerprints: { checkId: `${id}/${revision}/${transport}` },
    ...(baseline !== undefined && { baselineState: baseline === 'known' ? 'unchanged' : 'new' }),
    ...(baseline === 'known' && { suppressions: [{ kind: 'external', status: 'accepted' }] }),
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: 1 } },
        logicalLocations: [{ name: where, kind: 'module' }],
      },
    ],
  }
}
