/** All text that a user reads in this module, by file. */
export const editorTextText = {
  bars: {
    onlyToRead: 'Only to read',
    noLongerOnTheDisk: 'No longer on the disk',
    whatIsHereIsKeptUntil: 'What is here is kept until you close it.',
    saveItAgain: 'Save it again',
    close: 'Close',
    changedOnTheDisk: 'Changed on the disk',
    somebodyElseSavedThisFileWhile:
      'Somebody else saved this file while you were typing. Nothing of either is lost.',
    compareAndMerge: 'Compare and merge',
    takeTheDisks: 'Take the disk’s',
    noCompletionAndNoChecking: 'No completion and no checking',
    startAgain: 'Start again',
  },
  documents: {
    couldNotBeSaved: (file: string) => `${file} could not be saved`,
  },
  extensions: {
    textOf: (file: string) => `Text of ${file}`,
  },
  mergePane: {
    onTheDisk: (file: string) => `${file} on the disk`,
    asItWillBeSaved: (file: string) => `${file} as it will be saved`,
    leftOnTheDiskRightYours: 'Left: on the disk. Right: yours',
    theArrowsTakeADifferenceFrom:
      'The arrows take a difference from the disk. The text on the right is saved.',
    backToTheText: 'Back to the text',
    saveWhatIsRight: 'Save what is right',
    takeThisFromTheDisk: 'Take this from the disk',
  },
  reasons: {
    showAll: 'Show all',
  },
  symbols: {
    itCannotBeRenamed: 'It cannot be renamed',
    itsDefinitionCannotBeFound: 'Its definition cannot be found',
    itsReferencesCannotBeFound: 'Its references cannot be found',
    theLanguageServerOfTypescriptDoes: 'The language server of TypeScript does not run.',
    thereIsNoNameAtThe: 'There is no name at the cursor.',
    itIsDefinedOutsideOfThe: 'It is defined outside of the workspace',
    hereIsAPropertyAndA: (symbol: string) =>
      `Here ${symbol} is a property and a variable in one. Choose a place where it is one of them.`,
    isNoNameThatCanBe: (symbol: string) => `${symbol} is no name that can be changed.`,
    notSavedYet: (value: string) => `Not saved yet: ${value}.`,
    undo: 'Undo',
    notAllOfItCouldBe: 'Not all of it could be taken back',
    changedSinceAndLeftAsThey: (value: string) => `Changed since, and left as they are: ${value}.`,
  },
  textPane: {
    cannotBeOpened: (file: string) => `${file} cannot be opened`,
    tryAgain: 'Try again',
    close: 'Close',
  },
} as const
