import { readlink } from 'node:fs/promises'
import path from 'node:path'

/** As many as Linux follows in one path. */
const LONGEST_CHAIN = 40

/**
 * Resolves every symbolic link in a path, in its folders too. Parts that do not exist yet stay as they are, so this finds
 * where a new file would really be, also through a link to nothing.
 *
 * @param file absolute path
 * @throws Error if links form a loop
 */
export async function realPlace(file: string): Promise<string> {
  const { root } = path.parse(file)
  let place = root
  let rest = partsOf(file.slice(root.length))
  for (let links = 0; rest.length > 0;) {
    const [part = '', ...after] = rest
    rest = after
    if (part === '..') {
      // What comes before is resolved already, so its parent is the real one.
      place = path.dirname(place)
      continue
    }
    const target = await linkAt(path.join(place, part))
    if (target === undefined) {
      place = path.join(place, part)
      continue
    }
    links += 1
    if (links > LONGEST_CHAIN) throw new Error(`${file} leads through too many symbolic links`)
    const start = path.parse(target).root
    if (start !== '') place = path.resolve(place, start)
    rest = [...partsOf(target.slice(start.length)), ...rest]
  }
  return place
}

/** Whether a path is in a folder or is the folder. Both are absolute, with their links resolved. */
export function isInside(folder: string, place: string): boolean {
  const way = path.relative(folder, place)
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way))
}

/** Where a symbolic link leads; undefined for anything else, and for what cannot be read. */
async function linkAt(place: string): Promise<string | undefined> {
  try {
    return await readlink(place)
  } catch (error) {
    // It is not a link (EINVAL; UNKNOWN on Windows), or missing. Other faults come to light when it is opened.
    if (error instanceof Error) return undefined
    throw error
  }
}

function partsOf(text: string): string[] {
  return text.split(path.sep === '\\' ? /[\\/]+/ : /\/+/).filter((part) => part !== '' && part !== '.')
}
