const INHERITED_ON_POSIX = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'] as const
const INHERITED_ON_WINDOWS = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
] as const

/** The names of the variables a server process inherits on this system, if they are set. Nothing else passes. */
export function inheritedVariableNames(platform: NodeJS.Platform = process.platform): readonly string[] {
  return platform === 'win32' ? INHERITED_ON_WINDOWS : INHERITED_ON_POSIX
}

/**
 * The whole environment of a server process (transports: stdio): the few variables that programs need to run at
 * all, then the configured ones on top. Exported shell functions (values that begin with `()`) are left out.
 */
export function childEnvironment(
  configured: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment = new Map<string, string>()
  for (const name of inheritedVariableNames(platform)) {
    const value = own[name]
    if (value !== undefined && !value.startsWith('()')) environment.set(name, value)
  }
  for (const [name, value] of Object.entries(configured)) {
    // Windows knows one variable by any case of its name; a configured "Path" replaces the inherited "PATH".
    if (platform === 'win32') {
      for (const known of environment.keys()) {
        if (known.toUpperCase() === name.toUpperCase()) environment.delete(known)
      }
    }
    environment.set(name, value)
  }
  return Object.fromEntries(environment)
}
