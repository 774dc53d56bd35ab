/** All text that a user reads in this module, by file. */
export const paletteText = {
  palette: {
    commandPalette: 'Command palette',
    searchToolsServersCommands: 'Search tools, servers, commands',
    esc: 'esc',
    noMatches: (asked: string) => `No matches for “${asked}”. Try fewer letters.`,
    matches: 'Matches',
    loadingLists: (value: string) => `Loading lists${value}`,
    open: '⏎ open',
    choose: '↑↓ choose',
    ofText: 'of',
  },
} as const
