import { Observable, useObservable } from './observable.ts'

/** The server that the explorer and the status bar are about. */
export const selectedServer = new Observable<string | undefined>(undefined)

export function useSelectedServerId(): string | undefined {
  return useObservable(selectedServer)
}
