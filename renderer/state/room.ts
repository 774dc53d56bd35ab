import { flushSync } from 'react-dom'
import { Observable, useObservable } from './observable.ts'

/** The rooms that the title bar leads to. */
export const roomNames = { inspector: 'Inspector', registry: 'Registry' } as const
export type Room = keyof typeof roomNames

/** The room that the window shows. The fragment of the address names it, so that it outlives loading again. */
export const shownRoom = new Observable<Room>('inspector')

/** The room that a fragment such as `#registry` names; the inspector if it names none. */
export function roomOf(hash: string): Room {
  const name = hash.replace(/^#/, '')
  return Object.hasOwn(roomNames, name) ? (name as Room) : 'inspector'
}

/** Shows the room that the address names, now and when the user goes back and forth. To be called once. */
export function followAddress(): void {
  const follow = (): void => shownRoom.set(roomOf(location.hash))
  globalThis.addEventListener('popstate', follow)
  follow()
}

/** Shows a room. It is in the page when this returns, if it was loaded before. */
export function showRoom(room: Room): void {
  if (shownRoom.get() === room) return
  history.pushState(null, '', `#${room}`)
  flushSync(() => shownRoom.set(room))
}

/** The room that the window shows. */
export function useRoom(): Room {
  return useObservable(shownRoom)
}
