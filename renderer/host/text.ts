/** All text that a user reads in this module, by file. */
export const hostText = {
  pagedLists: {
    choiceName: 'The choice of lists that are read page by page',
  },
  session: {
    connectionClosed: 'The host closed the connection.',
  },
} as const
