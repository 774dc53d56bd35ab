import type { Catalogue, CheckEntry } from '../catalogue/catalogue.ts'
import { transportLabel } from './check-name.ts'
import { clauseUrl } from './conformance-report.ts'

/** What the severity of a check means. */
const SEVERITIES: Readonly<Record<CheckEntry['severity'], string>> = {
  critical: 'a MUST that protects users; a breach fails the check',
  error: 'a MUST; a breach fails the check',
  warning: 'a SHOULD; a breach is a warning',
  info: 'a remark that changes no verdict',
}

/** The page of one check, as Markdown. */
function checkPage(entry: CheckEntry, { statements }: Catalogue): string {
  const { id, title, group, sides, severity, revisions, transports, needs, passive, destructive } = entry
  const clauses = entry.statements.flatMap((name) => statements.get(name) ?? [])
  return [
    `# ${id}`,
    '',
    plain(title),
    '',
    `- Group: ${plain(group)}`,
    `- Examines: ${sides.join(' and ')}${passive ? ', by reading frames' : ''}`,
    `- Severity: ${severity}, ${SEVERITIES[severity]}`,
    `- Revisions: ${revisions.join(', ')}`,
    `- Transports: ${transports.map(transportLabel).join(', ')}`,
    ...(needs === undefined ? [] : [`- Needs: ${plain(needs)}`]),
    ...(destructive ? ['- Runs only with `--destructive`: it may harm the peer'] : []),
    '',
    '## How the verdict is found',
    '',
    `- Done: ${plain(entry.probe)}`,
    `- Passes: ${plain(entry.pass)}`,
    `- Fails: ${plain(entry.fail)}`,
    ...(entry.inconclusive === 'default' ? [] : [`- Inconclusive: ${plain(entry.inconclusive)}`]),
    '',
    '## Statements, in our words',
    '',
    ...clauses.map(
      ({ id: name, level, text, section, revisions: all }) =>
        `- \`${name}\` (${level}): ${plain(text)} [${section.split(';')[0]?.trim() ?? section}](${clauseUrl(section, all.at(-1) ?? '')})`,
    ),
    '',
    '## Run it',
    '',
    '```sh',
    ...sides.map((side) =>
      side === 'server'
        ? `patchbay check --grep ${id} -- node build/index.js`
        : `patchbay exam --grep ${id} -- node my-client.js`,
    ),
    '```',
    '',
  ].join('\n')
}

/** The pages of all checks and their index, by file name. */
export function checkPages(catalogue: Catalogue): ReadonlyMap<string, string> {
  const groups = Map.groupBy(catalogue.checks.values(), ({ group }) => group)
  const index = [
    '# Checks',
    '',
    'The checks of `patchbay check` and `patchbay exam`, made from the catalogue by `npm run checks:pages`.',
    '',
    ...[...groups].flatMap(([group, entries]) => [
      `## ${plain(group)}`,
      '',
      ...entries.map(({ id, title }) => `- [${id}](${id}.md): ${plain(title)}`),
      '',
    ]),
  ].join('\n')
  return new Map([
    ['README.md', index],
    ...[...catalogue.checks.values()].map(
      (entry) => [`${entry.id}.md`, checkPage(entry, catalogue)] as const,
    ),
  ])
}

/** Text that Markdown does not take for HTML. */
function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((piece) => (piece.startsWith('`') ? piece : piece.replaceAll('<', String.raw`\<`)))
    .join('')
}
