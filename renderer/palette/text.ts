/** All text that a user reads in this module, by file. */
export const paletteText = {
  palette: {
    commandPalette: 'Command palette',
    searchToolsServersCommands: 'Search tools, servers, commands',
    esc: 'esc',
    nothingIsCalledTryFewerLetters: (asked: string) => `Nothing is called “${asked}”. Try fewer letters.`,
    matches: 'Matches',
    theListsAreBeingRead: (value: string) => `The lists are being read${value}`,
    open: '⏎ open',
    choose: '↑↓ choose',
    ofText: 'of',
  },
} as const
