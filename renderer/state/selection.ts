import { Observable, useObservable } from './observable.ts'

/** The server that the explorer and the status bar are about. */
export const selectedServer = new Observable<string | undefined>(undefined)

/** The id of `selectedServer`; `undefined` if none is chosen. */
export function useSelectedServerId(): string | undefined {
  return useObservable(selectedServer)
}
