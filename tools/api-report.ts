/** `npm run api:report`: writes the signatures of every entry point to `api/reports`. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ENTRY_POINTS, readPublicExports, type EntryPoint, type PublicExport } from './public-exports.ts'

const reports = path.resolve(import.meta.dirname, '../api/reports')

/** Returns the file of an entry point's report. */
export function reportFile(entry: EntryPoint): string {
  return path.join(reports, `${ENTRY_POINTS[entry]}.md`)
}

/** Returns the report of an entry point as Markdown: each export with its signature. */
export function apiReport(entry: EntryPoint, exports: readonly PublicExport[]): string {
  const parts = exports.map(({ name, signature }) => `## ${name}\n\n\`\`\`ts\n${signature}\n\`\`\`\n`)
  return [`# ${entry}`, '', 'Written by `npm run api:report`.', '', ...parts].join('\n')
}

if (process.argv[1] === import.meta.filename) {
  for (const [entry, exports] of readPublicExports())
    await writeFile(reportFile(entry), apiReport(entry, exports))
}
