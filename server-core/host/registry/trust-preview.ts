import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { compositionSchema } from '../../sources/config-data.ts'
import { holds } from '../../sources/inside-folder.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { isConfigFile } from '../../scripts/config-files.ts'
import { listScripts, relativePath } from '../../live/script-files.ts'
import { workspaceFile } from '../../profile/profile-files.ts'

/** A script that would run; `file` is relative to the folder that is asked about, with `/`. */
export type TrustPreview = { readonly file: string; readonly bytes: number }

/** Characters of a file that are looked at, and texts in it. */
const LONGEST = 1_048_576
const TEXTS = 1_000

/** A text in a configuration, which cannot be asked before it may run. */
const TEXT = /(['"`])((?:(?!\1)[^\\\n]){1,1024})\1/g

/**
 * The scripts that would run if a folder was trusted: its own, and those of folders in it that it mounts. Which these are
 * is in `patchbay.json`, or in the configuration: there, each text that names a folder in it with scripts counts as one.
 *
 * @param folder absolute
 */
export async function previewTrust(folder: string): Promise<TrustPreview[]> {
  const base = await realpath(folder).catch(() => folder)
  const found = new Map<string, readonly TrustPreview[]>()
  const look = async (place: string): Promise<void> => {
    const files = await listScripts(place)
    found.set(place, await Promise.all(files.map((file) => sizeOf(base, path.join(place, file)))))
    for (const mounted of await mountedIn(place, files.find(isConfigFile))) {
      const real = await realpath(mounted).catch(() => undefined)
      // What is elsewhere is asked for by itself.
      if (real !== undefined && holds(base, real) && !found.has(real)) await look(real)
    }
  }
  await look(base)
  return [...found.values()].flat()
}

async function sizeOf(base: string, file: string): Promise<TrustPreview> {
  // A link may lead nowhere; it is shown all the same.
  const stats = await stat(file).catch(() => undefined)
  return { file: relativePath(base, file), bytes: stats?.size ?? 0 }
}

/** Absolute, there or not. */
async function mountedIn(folder: string, config: string | undefined): Promise<readonly string[]> {
  const said = await textOf(workspaceFile(folder))
  const named = config === undefined ? [] : textsIn(await textOf(path.join(folder, config)))
  return [...mountsOf(said), ...named].map((each) => path.resolve(folder, each))
}

function mountsOf(text: string): readonly string[] {
  try {
    const document: unknown = JSON.parse(text)
    const read = compositionSchema.safeParse(isJsonObject(document) ? document['composition'] : undefined)
    return (read.data?.mounts ?? []).map(({ folder }) => folder)
  } catch {
    // It is not served from either.
    return []
  }
}

function textsIn(source: string): readonly string[] {
  const texts = new Set(Array.from(source.matchAll(TEXT), ([, , text = '']) => text))
  return [...texts].filter((text) => !text.includes('\0')).slice(0, TEXTS)
}

/** Ignores anything but a file, which could block, and files longer than anybody writes. */
async function textOf(file: string): Promise<string> {
  try {
    const stats = await stat(file)
    return stats.isFile() && stats.size <= LONGEST ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}
