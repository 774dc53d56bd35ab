/** What takes secrets out of words that are shown; for the command line, which does not reach the traffic itself. */
export { Redaction } from '../capture/redaction.ts'
