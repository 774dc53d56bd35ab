import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The licences of bundled packages as one Markdown text, each licence text with the packages that have it. */
export function noticesOf(root: string, folders: readonly string[]): string {
  const byText = new Map<string, string[]>()
  for (const folder of [...new Set(folders)].sort()) {
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
    ) as { readonly name: string; readonly version: string; readonly license?: string }
    const text = licenceText(path.join(root, folder)) ?? `Licence: ${license ?? 'not stated'}`
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`])
  }
  const parts = Array.from(
    byText,
    ([text, names]) => `## ${names.join(', ')}\n\n\`\`\`\n${text.trim()}\n\`\`\`\n`,
  )
  return ['# Licences of bundled packages', '', ...parts].join('\n')
}

function licenceText(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(name))
  return file === undefined ? undefined : readFileSync(path.join(folder, file), 'utf8')
}
