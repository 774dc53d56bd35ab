import type { Program } from './lib/declaration.ts'

/** git without a pager and without running anything that a repository names. */
const GIT = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']

/** The programs that are tools. Only what stands here can be run, and only as it says here. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  git_log: {
    title: 'Commits of a repository',
    description: 'The latest commits, newest first, with hash, date, author and subject.',
    program: 'git',
    words: [...GIT, 'log', '--no-color', '--date=short', '--format=%h %ad %an: %s'],
    arguments: {
      count: {
        description: 'How many',
        type: 'number',
        option: '--max-count',
        joined: true,
        minimum: 1,
        maximum: 200,
        default: 10,
      },
      author: { description: 'Only by this author', type: 'text', option: '--author', joined: true },
      since: { description: 'Not older than this date', type: 'text', option: '--since', joined: true },
      path: { description: 'Only those that touch this file or folder', type: 'path' },
    },
    endsOptions: true,
    readOnly: true,
  },
  list_files: {
    title: 'Files of a folder',
    description: 'Names, sizes and times of what is in a folder.',
    program: 'ls',
    words: ['-l'],
    arguments: {
      path: { description: 'The folder', type: 'path', default: '.' },
      all: { description: 'Also those whose names begin with a dot', type: 'flag', option: '-A' },
      bySize: { description: 'The largest first', type: 'flag', option: '-S' },
      byTime: { description: 'The newest first', type: 'flag', option: '-t' },
    },
    endsOptions: true,
    readOnly: true,
  },
  count_words: {
    title: 'Lines, words and bytes',
    description: 'Counts lines, words and bytes of files.',
    program: 'wc',
    arguments: { files: { description: 'The files', type: 'paths', required: true } },
    endsOptions: true,
    readOnly: true,
  },
  search_text: {
    title: 'Search in files',
    description: 'Finds lines that fit a regular expression, in all files of a folder.',
    program: 'grep',
    words: [
      '--recursive',
      '--line-number',
      '--extended-regexp',
      '--binary-files=without-match',
      '--exclude-dir=.git',
    ],
    arguments: {
      pattern: {
        description: 'An extended regular expression',
        type: 'text',
        option: '--regexp',
        joined: true,
        required: true,
      },
      ignoreCase: { description: 'Take A for a', type: 'flag', option: '--ignore-case' },
      path: { description: 'A file or folder', type: 'path', default: '.' },
    },
    endsOptions: true,
    readOnly: true,
    timeLimitMs: 20_000,
    exitCodes: { 1: 'Nothing fits.' },
  },
  sort_lines: {
    title: 'Sort lines',
    description: 'Sorts the lines of a text.',
    program: 'sort',
    arguments: {
      text: { description: 'The lines', type: 'text', isInput: true, required: true },
      numeric: { description: 'By number', type: 'flag', option: '-n' },
      unique: { description: 'Each line once', type: 'flag', option: '-u' },
    },
    readOnly: true,
    timeLimitMs: 5_000,
  },
}
