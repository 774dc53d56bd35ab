import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { WorkspaceFile } from '../contract/editor.ts'
import { folderOwner } from './reserved-names.ts'

/** Levels of folders that are looked into. */
const DEPTH = 12
const TEXTS =
  /\.(?:[cm]?[jt]sx?|jsonc?|ya?ml|toml|md|txt|csv|tsv|sql|html?|css|xml|svg|graphql|ini|conf|sh|py)$|^(?:readme|license|dockerfile|makefile)$/i

/**
 * The editable files of a folder, in the order of their paths; at most `limit`, the upper folders first. Links, hidden
 * folders, our own files and unreadable ones are omitted.
 */
export async function listFiles(
  folder: string,
  limit: number,
): Promise<{ readonly files: WorkspaceFile[]; readonly isCut: boolean }> {
  const names: string[] = []
  let level = ['']
  for (let depth = 0; depth < DEPTH && level.length > 0 && names.length <= limit; depth += 1) {
    const below: string[] = []
    for (const place of level) {
      for (const entry of await entriesOf(path.join(folder, place))) {
        const name = place === '' ? entry.name : `${place}/${entry.name}`
        if (entry.isDirectory()) {
          if (!entry.name.startsWith('.') && folderOwner(entry.name) === undefined) below.push(name)
        } else if (entry.isFile() && TEXTS.test(entry.name)) names.push(name)
      }
      if (names.length > limit) break
    }
    level = below
  }
  const isCut = names.length > limit
  const shown = names.slice(0, limit).toSorted()
  const sizes = await Promise.all(shown.map((name) => sizeOf(path.join(folder, name))))
  return { files: shown.map((file, place) => ({ file, bytes: sizes[place] ?? 0 })), isCut }
}

async function entriesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
