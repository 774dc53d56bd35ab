/** All text that a user reads in this module, by file. */
export const editorTextText = {
  bars: {
    readOnly: 'Read-only',
    deletedOnDisk: 'Deleted on disk',
    deletedFileNote: 'The text remains here until you close it.',
    saveAgain: 'Save again',
    close: 'Close',
    changedOnDisk: 'Changed on disk',
    conflictNote: 'Another program saved this file while you were editing. Both versions are kept.',
    compareAndMerge: 'Compare and merge',
    useDiskVersion: 'Use disk version',
    noCompletionOrDiagnostics: 'No completion or diagnostics',
    restart: 'Restart',
    fetchTypeScript: (version: string, size: string) => `Fetch TypeScript ${version} (${size})`,
    fetching: 'Fetching…',
    fetchedInto: (folder: string) => `From your npm registry, once, into ${folder}`,
    couldNotFetch: 'TypeScript was not fetched',
  },
  documents: {
    couldNotSave: (file: string) => `Could not save ${file}`,
  },
  extensions: {
    textOf: (file: string) => `Text of ${file}`,
  },
  mergePane: {
    onDisk: (file: string) => `${file} on disk`,
    savedSide: (file: string) => `${file} as it will be saved`,
    leftDiskRightVersion: 'Left: disk. Right: your version',
    mergeNote: 'The arrows copy a difference from the disk version. The right side is saved.',
    backToTheText: 'Back to the text',
    saveRightSide: 'Save right side',
    useDiskVersion: 'Use disk version',
  },
  reasons: {
    showAll: 'Show all',
  },
  symbols: {
    cannotRenameIt: 'Cannot rename it',
    couldNotFindDefinition: 'Could not find its definition',
    couldNotFindReferences: 'Could not find its references',
    languageServerStopped: 'The TypeScript language server is not running.',
    noSymbol: 'No name at the cursor.',
    definedOutsideTheWorkspace: 'Defined outside the workspace',
    ambiguousSymbol: (symbol: string) =>
      `${symbol} is both a property and a variable here. Rename it at a place where it is one of them.`,
    cannotBeRenamed: (symbol: string) => `${symbol} cannot be renamed.`,
    notSavedYet: (value: string) => `Not saved yet: ${value}.`,
    undo: 'Undo',
    couldNotUndoAll: 'Could not undo all changes',
    changedSinceThereforeNot: (value: string) => `Changed since, therefore not restored: ${value}.`,
  },
  textPane: {
    couldNotOpen: (file: string) => `Could not open ${file}`,
    tryAgain: 'Try again',
    close: 'Close',
  },
} as const
