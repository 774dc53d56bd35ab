import type { RecordingSettingsData } from '../../server-core/host/contract/recordings.ts'

type Rule = RecordingSettingsData['redact'][number]

/** Rules as lines of text: their type and what they name. */
export function linesOf(rules: readonly Rule[]): string {
  return rules.map((rule) => `${rule.type} ${valueOf(rule)}`).join('\n')
}

/** Reads rules from lines of text. @throws RangeError that names the line */
export function rulesOf(text: string): Rule[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, type = '', value = ''] = /^(\S+)\s+(.+)$/.exec(line) ?? []
      switch (type) {
        case 'header':
        case 'key':
          return { type, name: value }
        case 'path':
          return { type, path: value }
        case 'pattern':
          return { type, pattern: value }
        default:
          throw new RangeError(
            `"${line}": expected header NAME, key NAME, path PLACE or pattern EXPRESSION, one on each line`,
          )
      }
    })
}

function valueOf(rule: Rule): string {
  if (rule.type === 'path') return rule.path
  return rule.type === 'pattern' ? rule.pattern : rule.name
}
