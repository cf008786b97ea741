/** A machine that a package is made for, in the words of Node. */
export interface Target {
  readonly platform: 'darwin' | 'linux' | 'win32'
  readonly arch: 'arm64' | 'x64'
}

const PREBUILDS = 'node_modules/better-sqlite3/prebuilds'

/** The native file that better-sqlite3 loads there. On Linux the one for glibc, as Electron's is. */
export function nativeFile({ platform, arch }: Target): string {
  return `${PREBUILDS}/${platform}-${arch}.node`
}
