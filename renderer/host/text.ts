/** All text that a user reads in this module, by file. */
export const hostText = {
  pagedLists: {
    theChoiceOfListsThatAre: 'The choice of lists that are read page by page',
  },
  session: {
    theHostClosedTheConnection: 'The host closed the connection.',
  },
} as const
