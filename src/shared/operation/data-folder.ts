/** The database in a data folder. */
export const DATABASE_FILE = 'tidegate.db'

/** What the choice of the data folder depends on. */
export interface Surroundings {
  /** As `process.platform` has it. */
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The account's home folder. */
  readonly home: string
  /** As `statSync` of Node: throws when there is no such file. */
  readonly stat: (file: string) => { readonly dev: bigint; readonly ino: bigint }
}

export interface DataFolder {
  /** Not made absolute if it comes from a variable. */
  readonly folder: string
  /**
   * Other folders that hold a database of Tidegate, left by earlier versions. The person must
   * choose one: no database is opened while there are any.
   */
  readonly others: readonly string[]
}

/**
 * The data folder of the command line and of the desktop app: `TIDEGATE_DATA`, or `data` in
 * `TIDEGATE_USER_DATA`, or that of the account. Earlier versions of the desktop app kept theirs in
 * a folder of their own: it is used as long as it is the only one with a database.
 */
export function locateDataFolder(surroundings: Surroundings): DataFolder {
  const { env } = surroundings
  const { TIDEGATE_DATA: data = '', TIDEGATE_USER_DATA: userData = '' } = env
  if (data !== '') return { folder: data, others: [] }
  const path = pathOf(surroundings)
  if (userData !== '') return { folder: path(userData, 'data'), others: [] }
  const usual = usualFolder(surroundings)
  const found = new Map<string, string>()
  for (const folder of [usual, ...earlierFolders(surroundings)]) {
    const identity = identify(path(folder, DATABASE_FILE), surroundings)
    if (identity !== undefined && !found.has(identity)) found.set(identity, folder)
  }
  const [folder = usual, ...others] = found.values()
  return { folder, others }
}

/** Returns the same text for two names of one file, undefined for a missing file. */
function identify(file: string, { stat }: Surroundings): string | undefined {
  try {
    const { dev, ino } = stat(file)
    return `${dev}:${ino}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // A file that this account cannot access still exists.
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : file
  }
}

function usualFolder(surroundings: Surroundings): string {
  const { platform, env, home } = surroundings
  const path = pathOf(surroundings)
  switch (platform) {
    case 'win32':
      return path(env.LOCALAPPDATA || path(home, 'AppData', 'Local'), 'tidegate', 'Data')
    case 'darwin':
      return path(home, 'Library', 'Application Support', 'tidegate')
    default:
      return path(env.XDG_DATA_HOME || path(home, '.local', 'share'), 'tidegate')
  }
}

/** Next to Electron's own files: under the name of the product, or of the package in development. */
function earlierFolders(surroundings: Surroundings): string[] {
  const path = pathOf(surroundings)
  return ['Tidegate', 'tidegate'].map((name) => path(appData(surroundings), name, 'data'))
}

function appData(surroundings: Surroundings): string {
  const { platform, env, home } = surroundings
  const path = pathOf(surroundings)
  switch (platform) {
    case 'win32':
      return env.APPDATA || path(home, 'AppData', 'Roaming')
    case 'darwin':
      return path(home, 'Library', 'Application Support')
    default:
      return env.XDG_CONFIG_HOME || path(home, '.config')
  }
}

function pathOf({ platform }: Surroundings): (...parts: string[]) => string {
  return (...parts) => parts.join(platform === 'win32' ? '\\' : '/')
}
