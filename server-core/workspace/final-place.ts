import { readlink } from 'node:fs/promises'
import path from 'node:path'

const LINKS = 40

/** Where a file really is: symbolic links are followed, also to a file that is not there, so that saving keeps them. */
export async function finalPlace(file: string): Promise<string> {
  let place = file
  for (let links = 0; links < LINKS; links += 1) {
    try {
      place = path.resolve(path.dirname(place), await readlink(place))
    } catch (error) {
      // It is not a link (EINVAL; UNKNOWN on Windows), or not there. Other faults come to light when it is read.
      if (error instanceof Error) return place
      throw error
    }
  }
  return place
}
