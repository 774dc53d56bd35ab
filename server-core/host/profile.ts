/** Where a user's data is kept when no profile is named; for the shell and the launcher, which see only the host. */
export { defaultProfile } from '../workspace/profile.ts'
