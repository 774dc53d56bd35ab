/** All text that a user reads in this module, by file. */
export const jsonText = {
  jsonRowText: {
    items: (count: string) => ` ${count} items`,
  },
  jsonView: {
    reading: 'Reading',
    characters: 'characters…',
    notJson: 'Not JSON:',
    line: ', line',
    column: ', column',
    shownAsText: '. Shown as text.',
    couldNotCopy: 'Could not copy',
    wholeValue: 'whole value',
    showAll: 'Show all',
    charactersUnit: 'characters',
    copyValue: 'Copy value',
    copyPath: 'Copy path',
    whole: ', whole',
    closeTheWholeString: 'Close the whole string',
    theWholeString: 'The whole string',
  },
} as const
