/** All text that a user reads in this module, by file. */
export const hostText = {
  pagedLists: {
    choiceName: 'The choice of lists that are read page by page',
  },
  session: {
    connectionClosed: 'The host closed the connection.',
  },
  storedWindow: {
    notLoaded: 'The stored tabs could not be loaded.',
    notSaved: 'The open tabs are not stored.',
    notSetAside: 'The stored state could not be copied.',
    setAside: 'The stored state of the window was set aside.',
    keptAs: (place: string) => `Nothing was deleted: it is kept as ${place}.`,
  },
} as const
