/** The database in a data folder. */
export const DATABASE_FILE = 'tidegate.db'

/** What the choice of the data folder depends on. */
interface Surroundings {
  /** As `process.platform` has it. */
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The account's home folder. */
  readonly home: string
}

/**
 * Returns the data folder of the command line and of the desktop app: `TIDEGATE_DATA`, or `data` in `TIDEGATE_USER_DATA`, or that
 * of the account. Not made absolute if it comes from a variable.
 */
export function locateDataFolder({ platform, env, home }: Surroundings): string {
  const { TIDEGATE_DATA: data = '', TIDEGATE_USER_DATA: userData = '' } = env
  const path = (...parts: string[]) => parts.join(platform === 'win32' ? '\\' : '/')
  if (data !== '') return data
  if (userData !== '') return path(userData, 'data')
  switch (platform) {
    case 'win32':
      return path(env.LOCALAPPDATA || path(home, 'AppData', 'Local'), 'tidegate', 'Data')
    case 'darwin':
      return path(home, 'Library', 'Application Support', 'tidegate')
    default:
      return path(env.XDG_DATA_HOME || path(home, '.local', 'share'), 'tidegate')
  }
}
