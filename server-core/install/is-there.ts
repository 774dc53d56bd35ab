import { stat } from 'node:fs/promises'

/** Whether a file or folder is there and can be looked at. */
export async function isThere(place: string): Promise<boolean> {
  try {
    await stat(place)
    return true
  } catch {
    return false
  }
}
